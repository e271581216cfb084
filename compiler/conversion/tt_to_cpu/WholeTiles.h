// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Masks keep the last program of a grid, or the end of a row, inside of memory; nearly all tiles lie under masks that
// hold for each of their lanes. How many do is a few operations on scalars, in front of the loops:
//
//     mask = first + range(0, 4096) < n          holds for the first n - first elements
//
//     for i in 0 .. whole:                       no mask: neither is it computed, nor are accesses masked
//     for i in whole .. 4096:                    with the mask, as ever
//
// Loops over more dimensions than one, and over patches, are emitted twice: for the case that all conditions hold for all
// elements, and for the others.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Value.h"

#include <cstdint>
#include <optional>

namespace tilescope::cpu {

/// Elements of a block of integers: `start`, `start + 1`, … below `start + extent`, each added to the sum of what is
/// the same for all elements.
struct Ramp {
  /// Blocks of integers.
  llvm::SmallVector<mlir::Value, 2> uniform;
  int64_t start = 0, extent = 0;
};

/// Nothing: the elements are not known to be one.
std::optional<Ramp> rampOf(mlir::Value block);

/// A condition `ramp < bound`, or `ramp <= bound`, whose bound is the same for all elements.
struct RampBound {
  Ramp ramp;
  mlir::Value bound;
  bool isInclusive = false;
};

std::optional<RampBound> rampBoundOf(mlir::Value condition);

/// What the loops over a block know in front of them.
struct WholeTiles {
  /// Blocks of truth values; none: there is nothing to know.
  llvm::SmallVector<mlir::Value> conditions;
  /// i64, a multiple of the lanes: the conditions hold for the elements in front of it. It is the extent of the loops
  /// or 0 where they have several dimensions.
  mlir::Value end;
  /// i1: it is the extent.
  mlir::Value isAll;
};

} // namespace tilescope::cpu
