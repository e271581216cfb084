// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/collect/RunPackage.h"

#include <functional>
#include <string>
#include <vector>

namespace tilescope::profiler {

/// What `measureTimes` needs to know about a launch.
struct TimedLaunch {
  std::string symbol;
  /// Puts one launch into the device's queue.
  std::function<Status()> launch;
};

/// Times of many launches, with the clock that measured them.
struct TimedRuns {
  std::vector<double> samplesUs;
  TimeSource source = TimeSource::Cupti;
  /// False also when the device has no memory left to flush its cache with.
  bool coldL2 = true;
  int64_t launches = 0;
  std::vector<std::string> notes;
};

/// Warms up, then launches until the median is stable, the time is used up or there are enough.
Result<TimedRuns> measureTimes(CudaDriver &driver, Cupti *cupti, const std::string &cuptiReason,
                               const DeviceInfo &device, const TimedLaunch &launch,
                               const RunOptions &options);

/// Durations of the records of one kernel, in microseconds; other kernels' records are left out.
std::vector<double> durationsUs(const std::vector<KernelRecord> &records,
                                const std::string &symbol);

/// GB/s of a device-to-device copy, reads and writes counted; the best of a few.
Result<double> measureCopy(CudaDriver &driver, const DeviceInfo &device);

} // namespace tilescope::profiler
