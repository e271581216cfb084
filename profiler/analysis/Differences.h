// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Tensor.h"

#include <cmath>
#include <limits>

namespace tilescope::profiler {

/// An element passes when it is within `absolute + relative * |expected|`.
struct Tolerance {
  double absolute = 0;
  double relative = 0;

  /// `error`: the absolute one, infinity where a NaN is; 0 passes always, infinity never.
  bool excludes(double error, double expected) const {
    // Written so that a tolerance that is NaN fails.
    return error > 0 && !(error <= absolute + relative * std::fabs(expected) &&
                          error <= std::numeric_limits<double>::max());
  }
};

/// What two tensors of one type and shape, or segments of them, differ by.
struct Differences {
  double maxAbsError = 0;
  double maxRelError = 0;
  int64_t mismatches = 0;
  int64_t unwritten = 0;
  /// Flat index of the first mismatch, and of the first of the largest errors; −1: there is none.
  int64_t first = -1;
  int64_t worst = -1;
  /// Sums where the expected element is finite.
  double differenceSquares = 0;
  double expectedSquares = 0;

  /// Adds a segment behind this one.
  void append(const Differences &next);
};

/// Compares element by element, at the speed of memory. `poisoned`: elements that hold poison on
/// both sides are counted as `unwritten` and nothing else.
Differences findDifferences(const Tensor &actual, const Tensor &expected,
                            const Tolerance &tolerance, bool poisoned);

/// Of the finite elements; 0 when there are none.
double rootMeanSquare(const Tensor &tensor);

} // namespace tilescope::profiler
