// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/LaunchCost.h"

#include "profiler/analysis/Throughput.h"
#include "profiler/collect/ColdCache.h"

namespace tilescope::profiler {

using Clock = std::chrono::steady_clock;

static constexpr int kLaunches = 60, kUncounted = 10;
/// Times of longer kernels vary by more than a launch costs.
static constexpr double kLongestUs = 2000;

static double microseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

Result<std::optional<LaunchOverhead>> measureLaunchCost(PackageRun &run, double kernelUs,
                                                        bool coldL2) {
  if (kernelUs > kLongestUs)
    return std::optional<LaunchOverhead>();
  CudaDriver &driver = run.driver();
  ColdCache cache(driver, run.device());
  if (coldL2)
    if (Status status = cache.prepare(); !status)
      return status.error();
  std::vector<double> calls, whole;
  for (int i = 0; i < kUncounted + kLaunches; ++i) {
    if (Status status = cache.flush(); !status)
      return status.error();
    if (Status status = driver.synchronize(); !status)
      return run.inKernel(status.error());
    const auto start = Clock::now();
    if (Status status = run.launch(); !status)
      return status.error();
    const auto launched = Clock::now();
    if (Status status = driver.synchronize(); !status)
      return run.inKernel(status.error());
    const auto done = Clock::now();
    if (i < kUncounted)
      continue;
    calls.push_back(microseconds(launched - start));
    whole.push_back(microseconds(done - start));
  }
  run.measurement().launches += kUncounted + kLaunches;
  LaunchOverhead overhead;
  overhead.callUs = timeStats(std::move(calls)).median;
  overhead.aloneUs = timeStats(std::move(whole)).median - kernelUs;
  overhead.n = kLaunches;
  return overhead.aloneUs > 0 ? std::optional(overhead) : std::nullopt;
}

} // namespace tilescope::profiler
