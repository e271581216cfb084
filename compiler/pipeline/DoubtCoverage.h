// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which kernels native code can tell to be free of races and undefined values. It looks at who has stored to each
// element and who has read it, and at what masks leave out; not at what atomic operations order.
#pragma once

#include "compiler/interpreter/ArgumentUses.h"
#include "compiler/interpreter/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tilescope::compiler {

/// What native code would need to know of the arguments, and why it does not.
struct DoubtCoverage {
  /// Empty: native code notes all doubts. Otherwise a clause such as "the kernel calls functions that are not inlined".
  std::string gap;
  /// One for each argument.
  std::vector<interpreter::ArgumentUse> uses;
  /// Of an element as the kernel stores it, by argument; 0: it stores to none.
  std::vector<size_t> storedBytes;
  /// Of an element as the kernel's signature has it, by argument; 0: it is not a pointer.
  std::vector<size_t> elementBytes;

  /// Whether the kernel both loads and stores to an argument, by plain operations.
  bool isChangedInPlace(size_t argument) const {
    return uses[argument].isLoaded && uses[argument].isStored;
  }
};

DoubtCoverage coverDoubts(mlir::ModuleOp ttir, const InterpreterLaunch &launch,
                          const InterpreterOptions &options);

} // namespace tilescope::compiler
