// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Tensor.h"

#include <cmath>
#include <limits>
#include <optional>

namespace tilescope::profiler {

/// What passes of each element, both ends included, of fp64 and in the shape of the elements. NaN: the
/// element is left out.
struct ElementRanges {
  Tensor least;
  Tensor most;
};

/// An element passes when it is within `absolute + relative * |expected|`.
struct Tolerance {
  /// Of all elements, or where they have their own, of none.
  double absolute = 0;
  double relative = 0;
  /// What passes of each element; null: all have the same tolerance.
  const ElementRanges *ofElements = nullptr;

  /// `error`: the absolute one, infinity where a NaN is; 0 passes always, infinity never.
  bool excludes(double error, double expected) const { return excludes(error, expected, absolute); }
  /// `own`: the absolute tolerance of the element.
  bool excludes(double error, double expected, double own) const {
    // Written so that a tolerance that is NaN fails.
    return error > 0 && !(error <= own + relative * std::fabs(expected) &&
                          error <= std::numeric_limits<double>::max());
  }

  /// How many times larger an error is than what passes: above 1 it is excluded. Where only equal
  /// elements pass, the error itself. `own`: the absolute tolerance of the element.
  double excess(double error, double expected, double own) const {
    if (!(error > 0))
      return 0;
    const double allowed = own + relative * std::fabs(expected);
    const double times = error / (isExact() ? 1 : allowed);
    // Infinity is as far from infinity as it can be.
    return std::isnan(times) ? std::numeric_limits<double>::infinity() : times;
  }

  bool isExact() const { return !ofElements && absolute == 0 && relative == 0; }
};

/// What two tensors of one type and shape, or segments of them, differ by.
struct Differences {
  double maxAbsError = 0;
  double maxRelError = 0;
  int64_t mismatches = 0;
  int64_t unwritten = 0;
  int64_t undefined = 0;
  /// Flat index of the first mismatch; −1: there is none.
  int64_t first = -1;
  /// Of those that exceed the tolerance most, all within about 1 %, the one that is off by most: where
  /// every element is a third too large, the rounding of its limits would decide. −1: there is none.
  int64_t worst = -1;
  /// Of the worst, see `excessGrade` and `Tolerance`; −1: there is none.
  double worstGrade = -1;
  double worstError = -1;
  /// Sums where the expected element is finite.
  double differenceSquares = 0;
  double expectedSquares = 0;

  /// Adds a segment behind this one.
  void append(const Differences &next);
};

/// An excess, rounded down to a power of 1.01.
double excessGrade(double excess);

/// Compares element by element, at the speed of memory. `poisoned`: elements that hold poison on
/// both sides are counted as `unwritten` and nothing else.
Differences findDifferences(const Tensor &actual, const Tensor &expected,
                            const Tolerance &tolerance, bool poisoned);

/// Of the finite elements; 0 when there are none.
double rootMeanSquare(const Tensor &tensor);

/// The median of the absolute values of finite elements that are not zero, rounded up to a power of
/// two; nothing where they are few. A few large elements do not change it.
std::optional<double> typicalMagnitude(const Tensor &tensor);

} // namespace tilescope::profiler
