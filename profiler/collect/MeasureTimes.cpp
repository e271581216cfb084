// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/MeasureTimes.h"

#include "profiler/analysis/Throughput.h"
#include "profiler/collect/ColdCache.h"

#include <algorithm>

namespace tilescope::profiler {

using Clock = std::chrono::steady_clock;

std::vector<double> durationsUs(const std::vector<KernelRecord> &records,
                                const std::string &symbol) {
  std::vector<double> result;
  for (const KernelRecord &record : records)
    if (record.name == symbol && record.endNs >= record.startNs)
      result.push_back(double(record.endNs - record.startNs) / 1e3);
  return result;
}

namespace {
/// One series of launches.
struct Series {
  CudaDriver &driver;
  Cupti *cupti;
  const TimedLaunch &timed;
  const RunOptions &options;
  /// Unless it is ready, the cache is left alone.
  ColdCache &cache;
  TimedRuns runs;

  Status warmUp();
  Status batchByRecords(int launches);
  Status batchByEvents(int launches);
  Status batch(int launches);
  Status untilStable();
};
} // namespace

Status Series::warmUp() {
  auto end = Clock::now() + options.warmUpTime;
  do {
    if (Status status = cache.flush(); !status)
      return status;
    if (Status status = timed.launch(); !status)
      return status;
    ++runs.launches;
    if (Status status = driver.synchronize(); !status)
      return status;
  } while (Clock::now() < end);
  if (cupti)
    if (auto dropped = cupti->take(); !dropped)
      return dropped.error();
  return {};
}

Status Series::batchByRecords(int launches) {
  for (int i = 0; i < launches; ++i) {
    if (Status status = cache.flush(); !status)
      return status;
    if (Status status = timed.launch(); !status)
      return status;
  }
  runs.launches += launches;
  if (Status status = driver.synchronize(); !status)
    return status;
  auto records = cupti->take();
  if (!records)
    return records.error();
  std::vector<double> samples = durationsUs(*records, timed.symbol);
  if (samples.empty()) {
    // Seen where another profiler is attached: the launches are fine, only their records are
    // missing.
    runs.notes.push_back("CUPTI returned no records of the kernel: times come from CUDA events and "
                         "include launch overhead");
    cupti = nullptr;
    runs.source = TimeSource::Events;
    return batchByEvents(launches);
  }
  runs.samplesUs.insert(runs.samplesUs.end(), samples.begin(), samples.end());
  return {};
}

Status Series::batchByEvents(int launches) {
  auto begin = driver.createEvent();
  if (!begin)
    return begin.error();
  auto end = driver.createEvent();
  if (!end)
    return end.error();
  for (int i = 0; i < launches; ++i) {
    if (Status status = cache.flush(); !status)
      return status;
    if (Status status = driver.recordEvent(*begin); !status)
      return status;
    if (Status status = timed.launch(); !status)
      return status;
    if (Status status = driver.recordEvent(*end); !status)
      return status;
    auto elapsed = driver.elapsedUs(*begin, *end);
    if (!elapsed)
      return elapsed.error();
    runs.samplesUs.push_back(*elapsed);
  }
  runs.launches += launches;
  if (Status status = driver.releaseEvent(*begin); !status)
    return status;
  return driver.releaseEvent(*end);
}

Status Series::batch(int launches) {
  return cupti ? batchByRecords(launches) : batchByEvents(launches);
}

Status Series::untilStable() {
  auto deadline = Clock::now() + options.maxMeasureTime;
  auto enough = [&] {
    int n = int(runs.samplesUs.size());
    if (n < options.minLaunches)
      return n > 0 && Clock::now() >= deadline;
    return n >= options.maxLaunches || Clock::now() >= deadline ||
           timeStats(runs.samplesUs).spread <= options.targetSpread;
  };
  // One first: a kernel of seconds must not be launched ten times before the clock is read.
  int next = 1;
  while (!enough()) {
    if (Status status = batch(next); !status)
      return status;
    if (options.betweenBatches)
      options.betweenBatches();
    next = 10;
    double slowest = *std::max_element(runs.samplesUs.begin(), runs.samplesUs.end());
    if (slowest * next > 2e5)
      next = 1;
  }
  return {};
}

Result<TimedRuns> measureTimes(CudaDriver &driver, Cupti *cupti, const std::string &cuptiReason,
                               const DeviceInfo &device, const TimedLaunch &launch,
                               const RunOptions &options) {
  ColdCache cache(driver, device);
  Status cold;
  if (options.coldL2)
    cold = cache.prepare();
  Series series{driver, cupti, launch, options, cache, {}};
  series.runs.coldL2 = cache.isReady();
  if (!cold)
    series.runs.notes.push_back(
        "the L2 cache cannot be flushed, so the times are for a warm cache: " +
        cold.error().message);
  if (!cupti) {
    series.runs.source = TimeSource::Events;
    series.runs.notes.push_back("CUPTI is not available, so times come from CUDA events and "
                                "include launch overhead: " +
                                cuptiReason);
  }
  if (Status status = series.warmUp(); !status)
    return status.error();
  if (Status status = series.untilStable(); !status)
    return status.error();
  return std::move(series.runs);
}

Result<double> measureCopy(CudaDriver &driver, const DeviceInfo &device) {
  size_t bytes = flushSize(device);
  auto from = driver.allocate(bytes);
  if (!from)
    return from.error();
  DeviceBuffer fromOwner(driver, *from);
  auto to = driver.allocate(bytes);
  if (!to)
    return to.error();
  DeviceBuffer toOwner(driver, *to);
  auto begin = driver.createEvent(), end = driver.createEvent();
  if (!begin || !end)
    return begin ? end.error() : begin.error();
  double best = 0;
  constexpr int kCopies = 8;
  for (int i = 0; i < kCopies; ++i) {
    if (Status status = driver.recordEvent(*begin); !status)
      return status.error();
    if (Status status = driver.copyAsync(*to, *from, bytes); !status)
      return status.error();
    if (Status status = driver.recordEvent(*end); !status)
      return status.error();
    auto elapsed = driver.elapsedUs(*begin, *end);
    if (!elapsed)
      return elapsed.error();
    if (*elapsed > 0)
      best = std::max(best, 2.0 * double(bytes) / *elapsed / 1e3);
  }
  for (EventHandle event : {*begin, *end})
    if (Status status = driver.releaseEvent(event); !status)
      return status.error();
  return best;
}

} // namespace tilescope::profiler
