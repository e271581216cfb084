// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/interpreter/Interpreter.h"
#include "compiler/pipeline/CompileJob.h"

#include <optional>

namespace tilescope::compiler {

struct NativeRunOptions {
  /// Accesses outside of the arguments are left out, and found as the interpreter finds them; else they read or write
  /// what is there, or end the run. Races and undefined values are noted, and the first and the last program are
  /// interpreted before.
  bool isChecked = false;
  /// As `native::NativeOptions` has it.
  bool isExact = false;
};

/// Executes the kernel as code of this processor. Nothing: the interpreter shall execute the kernel, on arguments that
/// are as they were, as far as it reads them. Either the kernel has an operation that cannot be compiled yet, or a doubt
/// has come up that only the interpreter can name; a note says so.
std::optional<Interpretation> runAsNativeCode(CompileJob &job, mlir::ModuleOp ttir,
                                              const InterpreterLaunch &launch,
                                              const InterpreterOptions &options,
                                              const NativeRunOptions &nativeOptions);

} // namespace tilescope::compiler
