// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/Occupancy.h"

namespace tilescope::profiler {

/// How much of one thing a kernel may take before the number of blocks on a multiprocessor changes,
/// everything else as it is.
struct OccupancyCliffs {
  /// The most with which one block more fits at least, and how many do; nothing: none ever does.
  struct Step {
    int64_t value = 0;
    int32_t blocks = 0;
    bool operator==(const Step &) const = default;
  };
  std::optional<Step> better;
  /// The least with which fewer blocks fit, and how many do.
  std::optional<Step> worse;
};

/// For registers of a thread, from 1 to 255.
OccupancyCliffs registerCliffs(const SmLimits &limits, const KernelResources &kernel);
/// For bytes of shared memory, from 0 to what a multiprocessor has.
OccupancyCliffs sharedCliffs(const SmLimits &limits, const KernelResources &kernel);

} // namespace tilescope::profiler
