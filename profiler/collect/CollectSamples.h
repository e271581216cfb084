// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/collect/CollectCounters.h"
#include "profiler/driver/PcSampler.h"

namespace tilescope::profiler {

/// How often and how long to sample.
struct SamplingPlan {
  int launches = 1;
  uint32_t periodExponent = 12;
};

/// A plan for some 10^5 samples of a kernel that takes so long, in microseconds: enough for shares
/// of a line to be known to a few tenths of a percent, and few enough for the buffer.
SamplingPlan samplingPlan(double durationUs, const DeviceInfo &device);

/// Samples launches of the kernel, the cache cold before each. A buffer that overflows leads to a
/// longer period. The error is as that of `collectCounters`.
Result<Grant<SampleData>> collectSamples(CudaDriver &driver, PcSampler &sampler,
                                         const KernelPackage &package, const RunOptions &options);

/// What the sampler recorded of a function; `names` are CUPTI's by the numbers of the reasons.
/// Reasons that end in `_not_issued` are parts of others and are not added to them.
SampleData sumSamples(const PcRecords &records, const std::map<uint32_t, std::string> &names,
                      const std::string &function);

} // namespace tilescope::profiler
