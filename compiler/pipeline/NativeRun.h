// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/interpreter/Interpreter.h"
#include "compiler/pipeline/CompileJob.h"

namespace tilescope::compiler {

/// Executes the kernel as code of this processor. `checksBounds`: accesses outside of the arguments are
/// left out, and found as the interpreter finds them; else they read or write what is there, or end the
/// run. Nothing else is checked. What cannot be compiled is reported to the job.
Interpretation runAsNativeCode(CompileJob &job, mlir::ModuleOp ttir,
                               const InterpreterLaunch &launch, const InterpreterOptions &options,
                               bool checksBounds);

} // namespace tilescope::compiler
