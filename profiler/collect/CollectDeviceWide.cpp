// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/CollectDeviceWide.h"

#include "profiler/collect/PackageRun.h"

#include <algorithm>

namespace tilescope::profiler {

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// So many launches, one behind the other, until the last one has ended.
static Status launchBatch(PackageRun &run, int64_t launches) {
  for (int64_t i = 0; i < launches; ++i)
    if (Status status = run.launch(); !status)
      return run.inKernel(status.error());
  if (Status status = run.driver().synchronize(); !status)
    return run.inKernel(status.error());
  return {};
}

/// Launches that take about 50 ms: so rarely the device waits for the host.
static Result<int64_t> batchSize(PackageRun &run) {
  constexpr double kBatchSeconds = 0.05;
  constexpr int64_t kMost = 2000;
  const Clock::time_point begin = Clock::now();
  if (Status status = launchBatch(run, 1); !status)
    return status.error();
  const double seconds = std::max(secondsSince(begin), kBatchSeconds / kMost);
  return std::clamp(static_cast<int64_t>(kBatchSeconds / seconds), int64_t{1}, kMost);
}

Result<Grant<DeviceWideData>> collectDeviceWide(CudaDriver &driver, Nvml &nvml,
                                                const KernelPackage &package,
                                                const RunOptions &options,
                                                std::chrono::milliseconds time) {
  PackageRun run(driver, package, options);
  if (Status status = run.start(); !status)
    return status.error();
  if (run.isEmpty())
    return Grant<DeviceWideData>(
        DriverRefusal{RefusalKind::Other, "an empty grid keeps no part of the device busy"});
  if (Status status = run.restore(); !status)
    return status.error();
  run.announce({"measure"});
  const Result<int64_t> size = batchSize(run);
  if (!size)
    return size.error();
  if (Granted begun = nvml.beginActivity(); !begun)
    return Grant<DeviceWideData>(begun.refusal());
  DeviceWideData data;
  const Clock::time_point begin = Clock::now();
  const double wanted = std::chrono::duration<double>(time).count();
  while (data.launches == 0 || secondsSince(begin) < wanted) {
    if (Status status = launchBatch(run, *size); !status)
      return status.error();
    data.launches += *size;
    run.announce({"measure"});
  }
  auto values = nvml.activity();
  data.seconds = secondsSince(begin);
  if (!values)
    return Grant<DeviceWideData>(values.refusal());
  data.values = *std::move(values);
  if (data.values.empty())
    return Grant<DeviceWideData>(
        DriverRefusal{RefusalKind::DeviceUnsupported, "the device returned none of its counters"});
  return Grant<DeviceWideData>(std::move(data));
}

} // namespace tilescope::profiler
