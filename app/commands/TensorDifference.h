// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Tensor.h"

namespace tilescope::app {

/// How far a tensor is from another one with as many elements of the same type.
struct TensorDifference {
  /// ‖found − wanted‖ / ‖wanted‖, or ‖found − wanted‖ where all that is wanted is 0. Infinite where one side is
  /// NaN, or infinite, and the other is not so.
  double inNorm = 0;
  /// The largest |found − wanted|, and |found − wanted| / |wanted| there; where they are.
  double largest = 0, largestRelative = 0;
  int64_t at = 0;
  /// The largest number of steps between neighboring numbers of the type from one to the other; 0 for integers.
  double ulps = 0;

  /// Whether it is what rounding may do: at most `relative` in norm for real numbers, nothing for integers.
  bool isWithin(double relative) const { return inNorm <= relative; }
};

/// `found` and `wanted` have the same type and as many elements.
TensorDifference differenceOf(const profiler::Tensor &found, const profiler::Tensor &wanted);

} // namespace tilescope::app
