// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/MeasureTimes.h"

#include "profiler/analysis/Throughput.h"

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
/// Device memory that is given back at the end of the scope.
class DeviceBuffer {
public:
  DeviceBuffer(CudaDriver &driver, DeviceAddress address) : m_driver(driver), m_address(address) {}
  ~DeviceBuffer() {
    // The memory goes with the context in any case.
    if (m_address)
      (void)m_driver.release(m_address);
  }
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;
  DeviceAddress address() const { return m_address; }

private:
  CudaDriver &m_driver;
  DeviceAddress m_address;
};

/// One series of launches.
struct Series {
  CudaDriver &driver;
  Cupti *cupti;
  const TimedLaunch &timed;
  const RunOptions &options;
  /// 0: the cache is left alone.
  DeviceAddress flushBuffer;
  size_t flushBytes;
  TimedRuns runs;

  Status flushL2();
  Status warmUp();
  Status batchByRecords(int launches);
  Status batchByEvents(int launches);
  Status batch(int launches);
  Status untilStable();
};
} // namespace

/// Writing more than the cache holds leaves nothing of the kernel's data in it.
Status Series::flushL2() {
  return flushBuffer ? driver.fillAsync(flushBuffer, 0, flushBytes) : Status();
}

Status Series::warmUp() {
  auto end = Clock::now() + options.warmUpTime;
  do {
    if (Status status = flushL2(); !status)
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
    if (Status status = flushL2(); !status)
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
    if (Status status = flushL2(); !status)
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
    next = 10;
    double slowest = *std::max_element(runs.samplesUs.begin(), runs.samplesUs.end());
    if (slowest * next > 2e5)
      next = 1;
  }
  return {};
}

static size_t flushSize(const DeviceInfo &device) {
  constexpr size_t kLeast = 256 << 20;
  return std::max(kLeast, 4 * size_t(std::max<int64_t>(device.l2Bytes, 0)));
}

Result<TimedRuns> measureTimes(CudaDriver &driver, Cupti *cupti, const std::string &cuptiReason,
                               const DeviceInfo &device, const TimedLaunch &launch,
                               const RunOptions &options) {
  size_t flushBytes = flushSize(device);
  DeviceAddress flushBuffer = 0;
  if (options.coldL2)
    if (auto allocated = driver.allocate(flushBytes))
      flushBuffer = *allocated;
  DeviceBuffer owner(driver, flushBuffer);
  Series series{driver, cupti, launch, options, flushBuffer, flushBytes, {}};
  series.runs.coldL2 = flushBuffer != 0;
  if (options.coldL2 && !flushBuffer)
    series.runs.notes.push_back(
        "the device does not have enough memory left to flush its L2 cache: the "
        "times are for a warm cache");
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
