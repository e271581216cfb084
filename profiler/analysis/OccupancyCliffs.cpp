// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/OccupancyCliffs.h"

namespace tilescope::profiler {

/// Tries the values below and above the one that the kernel has.
static OccupancyCliffs findCliffs(const SmLimits &limits, KernelResources kernel,
                                  int64_t KernelResources::*what, int64_t least, int64_t most,
                                  int64_t step) {
  const int64_t now = kernel.*what;
  const int32_t blocks = occupancy(limits, kernel).blocksPerSm;
  const auto tryValue = [&](int64_t value) {
    kernel.*what = value;
    return occupancy(limits, kernel).blocksPerSm;
  };
  OccupancyCliffs cliffs;
  for (int64_t value = (now - 1) / step * step; value >= least && !cliffs.better; value -= step)
    if (const int32_t fits = tryValue(value); fits > blocks)
      cliffs.better = OccupancyCliffs::Step{value, fits};
  for (int64_t value = now + 1; value <= most && !cliffs.worse;
       value = (value + step) / step * step)
    if (const int32_t fits = tryValue(value); fits < blocks)
      cliffs.worse = OccupancyCliffs::Step{value, fits};
  return cliffs;
}

OccupancyCliffs registerCliffs(const SmLimits &limits, const KernelResources &kernel) {
  return findCliffs(limits, kernel, &KernelResources::registersPerThread, 1, 255, 1);
}

OccupancyCliffs sharedCliffs(const SmLimits &limits, const KernelResources &kernel) {
  constexpr int64_t kUnit = 128;
  return findCliffs(limits, kernel, &KernelResources::sharedBytes, 0, limits.sharedBytes, kUnit);
}

} // namespace tilescope::profiler
