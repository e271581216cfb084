// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilescope::ttg {

/// Counts through the slots of rings of one length: arguments of a loop that say which slot is
/// filled and which one is read next.
struct SlotCounter {
  int length = 0;
  mlir::BlockArgument filled, read;
  /// What computes the slots of the next iteration.
  llvm::SmallVector<mlir::Operation *> nextFilled, nextRead;
};

/// Adds a counter for each length to the loop, which is replaced.
llvm::SmallVector<SlotCounter> addSlotCounters(mlir::IRRewriter &rewriter, mlir::scf::ForOp &loop,
                                               llvm::ArrayRef<int> lengths);

} // namespace tilescope::ttg
