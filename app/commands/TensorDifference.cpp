// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/TensorDifference.h"

#include "profiler/data/Tolerances.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilescope::app {

using profiler::Tensor;

static constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// The distance of two elements; infinite where one is no finite number and the other is another one.
static double distance(double found, double wanted) {
  if (found == wanted || (std::isnan(found) && std::isnan(wanted)))
    return 0;
  const double apart = std::abs(found - wanted);
  return std::isnan(apart) ? kInfinite : apart;
}

/// The distance of a number of the type from the next one.
static double spacing(profiler::Dtype dtype, double value) {
  const double size = std::max(std::abs(value), profiler::smallestNormal(dtype));
  return std::ldexp(profiler::dtypeEpsilon(dtype), std::ilogb(size));
}

TensorDifference differenceOf(const Tensor &found, const Tensor &wanted) {
  TensorDifference difference;
  const bool isReal = profiler::isFloat(wanted.dtype);
  double apart = 0, size = 0;
  for (int64_t i = 0; i < wanted.numElements(); ++i) {
    const double own = found.at(i), right = wanted.at(i);
    const double each = distance(own, right);
    apart += each * each;
    size += std::isfinite(right) ? right * right : 0;
    if (each > difference.largest) {
      difference.largest = each;
      difference.largestRelative = right == 0 ? kInfinite : each / std::abs(right);
      difference.at = i;
    }
    if (isReal && each > 0)
      difference.ulps = std::max(
          difference.ulps, std::isfinite(each) ? each / spacing(wanted.dtype, right) : kInfinite);
  }
  difference.inNorm = size > 0 ? std::sqrt(apart / size) : std::sqrt(apart);
  // Whole numbers are right or wrong.
  if (!isReal && apart > 0)
    difference.inNorm = kInfinite;
  return difference;
}

} // namespace tilescope::app
