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
  /// How often all slots have been read before, as an odd or an even number: 1 or 0.
  mlir::BlockArgument parity;
  /// What computes the slots of the next iteration; the parity with the slot that is read.
  llvm::SmallVector<mlir::Operation *> nextFilled, nextRead;
};

/// Adds a counter for each length to the loop, which is replaced. `withParity`: else they have none.
llvm::SmallVector<SlotCounter> addSlotCounters(mlir::IRRewriter &rewriter, mlir::scf::ForOp &loop,
                                               llvm::ArrayRef<int> lengths, bool withParity);

} // namespace tilescope::ttg
