// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/ConsistentBias.h"

#include "profiler/analysis/TensorNumbers.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tilescope::profiler {

/// Fewer different numbers have roundings of their own, which may all go one way.
static constexpr size_t kFewest = 8;
/// So many standard deviations are no chance.
static constexpr double kCertain = 10;
/// A constant that is rounded once, as 0.1 in the coarsest type, is off by at most half an epsilon.
static constexpr double kOfEpsilon = 0.45;
/// Functions are approximated, constants are written with six digits, and an `eps` is added under a root.
static constexpr double kLeast = 1e-5;

namespace {
/// Sums over elements, of what is expected (x) and of errors (e).
struct Sums {
  double xx = 0, xe = 0, xxxx = 0, xxxe = 0, xxee = 0;
  std::set<double> different = {};
};
} // namespace

static Sums sumsOf(const Tensor &actual, const Tensor &expected) {
  Sums sums;
  const TensorNumbers actualNumbers(actual), expectedNumbers(expected);
  const int64_t count = std::min(actual.numElements(), expected.numElements());
  for (int64_t i = 0; i < count; ++i) {
    const double x = expectedNumbers[i], e = actualNumbers[i] - x;
    if (!std::isfinite(x) || !std::isfinite(e))
      continue;
    sums.xx += x * x;
    sums.xe += x * e;
    sums.xxxx += x * x * x * x;
    sums.xxxe += x * x * x * e;
    sums.xxee += x * x * e * e;
    if (sums.different.size() < kFewest)
      sums.different.insert(x);
  }
  return sums;
}

std::optional<double> consistentBias(const Tensor &actual, const Tensor &expected, double epsilon) {
  const Sums sums = sumsOf(actual, expected);
  // A few large elements decide nothing.
  if (sums.different.size() < kFewest || sums.xxxx * double(kFewest) > sums.xx * sums.xx)
    return std::nullopt;
  // The share that makes what is left of the errors least, and how far chance moves it.
  const double share = sums.xe / sums.xx;
  const double left = sums.xxee - 2 * share * sums.xxxe + share * share * sums.xxxx;
  const double deviation = std::sqrt(std::max(left, 0.0)) / sums.xx;
  if (std::fabs(share) < std::max(kOfEpsilon * epsilon, kLeast) ||
      std::fabs(share) < kCertain * deviation)
    return std::nullopt;
  return share;
}

} // namespace tilescope::profiler
