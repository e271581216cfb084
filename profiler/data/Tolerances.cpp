// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Tolerances.h"

#include <algorithm>
#include <cmath>

namespace tilescope::profiler {

double relativeTolerance(Dtype dtype) {
  switch (dtype) {
  case Dtype::Fp64:
    return 1e-10;
  case Dtype::Fp32:
    return 1e-4;
  default:
    // Two roundings of the type apart, and as much again for what went in.
    return 4 * dtypeEpsilon(dtype);
  }
}

double termShare(Dtype dtype) {
  if (!isFloat(dtype))
    return 0;
  const bool isWide = dtype == Dtype::Fp64 || dtype == Dtype::Fp32;
  return (isWide ? 8 : 0.4) * dtypeEpsilon(dtype);
}

double extremeOf(Dtype dtype, int64_t numElements) {
  if (dtypeEpsilon(dtype) <= dtypeEpsilon(Dtype::Fp32) || numElements < 1)
    return 1;
  // Where there are a few, `termShare` covers the most extreme.
  constexpr double kCovered = 2.4;
  return std::max(1.0, std::sqrt(2 * std::log(static_cast<double>(numElements))) / kCovered);
}

double smallestNormal(Dtype dtype) {
  return isFloat(dtype) ? std::ldexp(1.0, 1 - compiler::scalarInfo(dtype).exponentBias) : 0;
}

} // namespace tilescope::profiler
