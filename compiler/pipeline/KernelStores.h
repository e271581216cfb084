// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#include <optional>

namespace tilescope::compiler {

/// A value that the kernel writes through a pointer.
struct Written {
  mlir::Value pointer;
  mlir::Value value;
  /// It is added to what is there.
  bool isAdded = false;
};

/// What an operation writes; nothing: it writes no memory.
std::optional<Written> writtenBy(mlir::Operation *op);

/// The arguments that a value may be written to: all pointers where it cannot be told.
llvm::SmallVector<unsigned> targetsOf(mlir::Value pointer, tt::FuncOp kernel);

/// Whether a program always executes a load before a store, and never again after it.
bool comesBefore(mlir::Operation *load, mlir::Operation *store);

} // namespace tilescope::compiler
