// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Blocks whose elements are neighbors along one dimension where they come from, and along another one where they go:
// element after element, each would take a load or a store of its own. So a square patch of such a block is loaded as
// it lies, row after row, and turned in registers:
//
//     a0 a1 a2 a3          a0 b0 a2 b2          a0 b0 c0 d0
//     b0 b1 b2 b3    ──►   a1 b1 a3 b3    ──►   a1 b1 c1 d1     elements of each square of 2 × 2 change places,
//     c0 c1 c2 c3          c0 d0 c2 d2          a2 b2 c2 d2     then squares in those of 4 × 4, and so on
//     d0 d1 d2 d3          c1 d1 c3 d3          a3 b3 c3 d3
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Builders.h"

namespace tilescope::cpu {

/// A block of which a patch is turned.
struct TurnedBlock {
  mlir::Value block;
  /// The block's dimension for each dimension of the loops.
  llvm::SmallVector<unsigned, 4> dims;
};

/// Loops that go by squares of `extent` × `extent` elements.
struct Patches {
  /// The dimensions of the loops along which the elements are neighbors where they go, and where they come from.
  unsigned along = 0, across = 0;
  int64_t extent = 0;
  llvm::SmallVector<TurnedBlock, 2> blocks;
};

/// As many tiles as each has lanes, a power of two: lane j of tile i becomes lane i of tile j.
llvm::SmallVector<mlir::Value> turnTiles(mlir::OpBuilder &b, mlir::Location loc,
                                         llvm::SmallVector<mlir::Value> tiles);

} // namespace tilescope::cpu
