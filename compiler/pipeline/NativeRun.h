// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/interpreter/Interpreter.h"
#include "compiler/pipeline/CompileJob.h"

#include <optional>

namespace tilescope::compiler {

/// Executes the kernel as code of this processor. `checksBounds`: accesses outside of the arguments are
/// left out, and found as the interpreter finds them; else they read or write what is there, or end the
/// run. With it, what else the interpreter finds is found in the first and the last program. Nothing: the kernel has an operation
/// that cannot be compiled yet, nothing was executed, and a note at it says so.
std::optional<Interpretation> runAsNativeCode(CompileJob &job, mlir::ModuleOp ttir,
                                              const InterpreterLaunch &launch,
                                              const InterpreterOptions &options, bool checksBounds);

} // namespace tilescope::compiler
