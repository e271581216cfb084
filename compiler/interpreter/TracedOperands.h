// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Value.h"

namespace tilescope::compiler::interpreter {

/// The addresses that an operation accesses in global memory, and its mask; null: it has none.
struct TracedOperands {
  mlir::Value pointer, mask;
};
TracedOperands tracedOperands(mlir::Operation *op);

/// The scalars that tell which block a bulk copy moves: its predicate (null: it has none), the
/// tensor, extents, strides, offsets; none where they are not known.
llvm::SmallVector<mlir::Value> tracedNumbers(mlir::Operation *op);

} // namespace tilescope::compiler::interpreter
