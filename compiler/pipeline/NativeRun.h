// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/interpreter/Interpreter.h"
#include "compiler/pipeline/CompileJob.h"

namespace tilescope::compiler {

/// Executes the kernel as code of this processor. Nothing is checked: an access outside an argument
/// reads or writes what is there, or ends the process. What cannot be compiled is reported to the
/// job.
Interpretation runAsNativeCode(CompileJob &job, mlir::ModuleOp ttir,
                               const InterpreterLaunch &launch, const InterpreterOptions &options);

} // namespace tilescope::compiler
