// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How many elements a thread can move at once, and which of several reasons keeps it from more.
#pragma once

#include "compiler/analysis/AxisInfo.h"
#include "compiler/artifacts/AccessFacts.h"

namespace tilescope::compiler {

/// What bounds the width of an access, in elements along the fastest dimension.
struct WidthLimits {
  mlir::Value pointers = {}, mask = {};
  /// The fastest dimension; -1 for scalars, which have no width.
  int dimension = -1;
  /// Neighbours that are neighbours in memory.
  int64_t contiguity = 1;
  /// Elements to a multiple of which addresses are known to be aligned.
  int64_t alignment = 1;
  /// Neighbours that a thread holds.
  int64_t perThread = 1;
  /// Neighbours of which the mask is the same.
  int64_t maskConstancy = 1;

  int64_t width() const;
};

/// `pointers`: one, or a block with an encoding. `mask` may be null.
WidthLimits widthLimits(const AxisInfoMap &axes, mlir::Value pointers, mlir::Value mask);

/// Why an access is `width` elements wide. The second value is what lacks a multiple, as far back
/// as it can be followed: an argument of the function, the result of an operation, or null. Where
/// neighbours are not known, it is the result of the division or remainder that hides them, or null.
std::pair<WidthLimit, mlir::Value> explainWidth(const AxisInfoMap &axes, const WidthLimits &limits,
                                                int64_t width, int64_t elementBytes);

} // namespace tilescope::compiler
