// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Tolerances.h"

#include "profiler/data/PowerOfTwo.h"

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

Dtype computedIn(Dtype dtype) { return dtype == Dtype::Fp64 ? Dtype::Fp64 : Dtype::Fp32; }

double termShare(Dtype dtype) { return 8 * dtypeEpsilon(computedIn(dtype)); }

double smallestNormal(Dtype dtype) {
  return isFloat(dtype) ? powerOfTwo(1 - compiler::scalarInfo(dtype).exponentBias) : 0;
}

} // namespace tilescope::profiler
