// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which kernels native code can tell to be free of races and undefined values. It looks at who has stored to each
// element, and at what masks leave out; not at who has read an element, nor at what atomic operations order.
#pragma once

#include "compiler/interpreter/ArgumentUses.h"
#include "compiler/interpreter/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tilescope::compiler {

/// What native code would need to know of the arguments, and why it does not.
struct DoubtCoverage {
  /// Empty: native code notes all doubts. Otherwise a clause such as "`x_ptr` is both read and changed".
  std::string gap;
  /// One for each argument.
  std::vector<interpreter::ArgumentUse> uses;
  /// Of an element as the kernel stores it, by argument; 0: it stores to none.
  std::vector<size_t> storedBytes;
  /// Of an element as the kernel's signature has it, by argument; 0: it is not a pointer.
  std::vector<size_t> elementBytes;
};

DoubtCoverage coverDoubts(mlir::ModuleOp ttir, const InterpreterLaunch &launch,
                          const InterpreterOptions &options);

} // namespace tilescope::compiler
