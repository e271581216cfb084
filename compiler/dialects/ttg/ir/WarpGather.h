// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// `tt.gather` within warps: where all elements along the axis are held by the lanes of one warp, and results lie as the
// source does, each lane asks the one that has its element. No memory and no barrier is needed.
//
//     16 × 8, a lane for each element, four rows in a warp; along axis 1:
//     lane bits 0 to 2 are the column, bits 3 and 4 the row: lane = lane & 0b11000 | index & 0b111
#pragma once

#include "compiler/dialects/ttg/ir/Dialect.h"

#include <optional>

namespace tilescope::ttg {

/// Which lane and which register has an element.
struct WarpGather {
  /// A bit of the index, and the bit of the lane or of the register that steps as far along the axis.
  struct Step {
    int ofIndex, ofPlace;
  };
  llvm::SmallVector<Step> lanes, registers;

  /// The lane's bits that step along the axis.
  uint32_t laneMask() const;
};

/// Nothing: elements along the axis are in several warps, in too many registers, or lie otherwise than the results.
std::optional<WarpGather> planWarpGather(tt::GatherOp op);
/// The same for a source of a type, if the results had its layout.
std::optional<WarpGather> planWarpGather(mlir::RankedTensorType source, unsigned axis);

} // namespace tilescope::ttg
