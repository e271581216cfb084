// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/Interleave.h"

#include "profiler/analysis/Comparison.h"
#include "profiler/analysis/Throughput.h"
#include "profiler/collect/ColdCache.h"
#include "profiler/collect/MeasureTimes.h"
#include "profiler/collect/PackageRun.h"
#include "profiler/data/Random.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace tilescope::profiler {

using Clock = std::chrono::steady_clock;

/// After which the first kernels may be given up: before, one disturbance decides.
static constexpr size_t kRoundsBeforeStop = 3;
/// A launch that takes longer is made once in a round.
static constexpr double kLongLaunchUs = 5e4;

namespace {
/// The kernels with what they are launched by.
class Interleaving {
public:
  Interleaving(CudaDriver &driver, Cupti *cupti, const InterleaveOptions &options)
      : m_driver(driver), m_cupti(cupti), m_options(options), m_pool(options.run.inputFolder) {}

  Status startAll(const std::vector<KernelPackage> &packages);
  Status measure(const std::string &cuptiReason);
  InterleavedRun take();

private:
  void start(const KernelPackage &package);
  void compareOutputs(Measurement &measurement, const std::vector<RunTensor> &tensors);
  std::vector<size_t> active() const;
  std::vector<size_t> drawOrder(const std::vector<size_t> &kernels, size_t round);
  Status launchOnce(size_t kernel);
  Status warmUp();
  Status round(size_t number);
  Status byRecords(const std::vector<size_t> &order);
  Status byEvents(const std::vector<size_t> &order);
  void useEvents(const std::string &why);
  void stopHopeless(size_t round);
  double medianOf(size_t kernel) const;
  bool isEnough(size_t numRounds, Clock::time_point start) const;
  void finish();

  CudaDriver &m_driver;
  Cupti *m_cupti;
  const InterleaveOptions &m_options;
  TensorPool m_pool;
  /// Of each run, which refers to them.
  std::deque<RunOptions> m_runOptions;
  std::vector<std::unique_ptr<PackageRun>> m_runs;
  InterleavedRun m_result;
  /// Outputs of the first kernel that ran.
  std::vector<RunTensor> m_reference;
  std::optional<ColdCache> m_cache;
  TimeSource m_source = TimeSource::Cupti;
  std::vector<std::string> m_notes;
};
} // namespace

void Interleaving::compareOutputs(Measurement &measurement, const std::vector<RunTensor> &tensors) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    const auto reference = std::ranges::find(m_reference, tensors[i].name, &RunTensor::name);
    if (reference == m_reference.end() || reference->after.shape != tensors[i].after.shape ||
        reference->after.dtype != tensors[i].after.dtype)
      continue;
    // An input of both.
    if (!measurement.outputs[i].changed && reference->after.data == reference->before.data)
      continue;
    ComparisonOptions options;
    // Both began with the same contents; what neither wrote is no difference.
    options.poisoned = true;
    measurement.outputs[i].comparison = compareTensors(tensors[i].after, reference->after, options);
  }
}

void Interleaving::start(const KernelPackage &package) {
  const size_t number = m_result.kernels.size();
  InterleavedKernel &kernel = m_result.kernels.emplace_back();
  RunOptions &options = m_runOptions.emplace_back(m_options.run);
  options.progress = [this, number](const RunState &state) {
    if (m_options.progress)
      m_options.progress(state, number);
  };
  PackageRun &run =
      *m_runs.emplace_back(std::make_unique<PackageRun>(m_driver, package, options, &m_pool));
  if (Status status = run.start(); !status) {
    kernel.error = status.error();
    if (run.hasLaunched())
      m_result.fault = number;
    return;
  }
  if (run.isEmpty()) {
    kernel.error = run.inKernel({ErrorCode::InvalidInput, "its grid is empty: nothing runs", ""});
    return;
  }
  std::vector<RunTensor> tensors = run.takeTensors();
  if (m_reference.empty())
    m_reference = std::move(tensors);
  else
    compareOutputs(run.measurement(), tensors);
}

Status Interleaving::startAll(const std::vector<KernelPackage> &packages) {
  if (m_cupti)
    if (Status status = m_cupti->enable(); !status)
      return status;
  for (const KernelPackage &package : packages) {
    start(package);
    if (m_result.fault)
      return {};
  }
  return {};
}

std::vector<size_t> Interleaving::active() const {
  std::vector<size_t> kernels;
  for (size_t i = 0; i < m_result.kernels.size(); ++i)
    if (!m_result.kernels[i].error && !m_result.kernels[i].isStoppedEarly)
      kernels.push_back(i);
  return kernels;
}

/// Every kernel as often as a round asks for, shuffled (R. A. Fisher and F. Yates).
std::vector<size_t> Interleaving::drawOrder(const std::vector<size_t> &kernels, size_t round) {
  std::vector<size_t> order;
  for (const size_t kernel : kernels) {
    const bool isLong = round > 0 && medianOf(kernel) > kLongLaunchUs;
    order.insert(order.end(), isLong || round == 0 ? 1 : size_t(m_options.launchesPerRound),
                 kernel);
  }
  uint64_t drawn = uint64_t(round) << 32;
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[randomBits(m_options.seed, drawn++) % i]);
  return order;
}

Status Interleaving::launchOnce(size_t kernel) {
  if (Status status = m_cache->flush(); !status)
    return status;
  ++m_runs[kernel]->measurement().launches;
  return m_runs[kernel]->launch();
}

Status Interleaving::warmUp() {
  const auto end = Clock::now() + m_options.run.warmUpTime;
  do {
    for (const size_t kernel : active()) {
      if (Status status = launchOnce(kernel); !status)
        return status;
      if (Status status = m_driver.synchronize(); !status)
        return m_runs[kernel]->inKernel(status.error());
    }
  } while (Clock::now() < end);
  if (m_cupti)
    if (auto dropped = m_cupti->take(); !dropped)
      return dropped.error();
  return {};
}

void Interleaving::useEvents(const std::string &why) {
  m_notes.push_back(why);
  m_cupti = nullptr;
  m_source = TimeSource::Events;
}

/// Records come in the order of the launches, so they need no names: both may have the same.
Status Interleaving::byRecords(const std::vector<size_t> &order) {
  for (const size_t kernel : order)
    if (Status status = launchOnce(kernel); !status)
      return status;
  if (Status status = m_driver.synchronize(); !status)
    return status;
  auto records = m_cupti->take();
  if (!records)
    return records.error();
  std::erase_if(*records, [](const KernelRecord &each) { return each.name == kFlushSymbol; });
  const bool areComplete =
      records->size() == order.size() &&
      std::ranges::equal(*records, order, [&](const KernelRecord &record, size_t kernel) {
        return record.name == m_runs[kernel]->package().symbol && record.endNs >= record.startNs;
      });
  if (!areComplete) {
    useEvents("CUPTI's records are not those of the launches: times come from CUDA events and "
              "include launch overhead");
    return byEvents(order);
  }
  for (size_t i = 0; i < order.size(); ++i)
    m_result.kernels[order[i]].rounds.back().push_back(
        double((*records)[i].endNs - (*records)[i].startNs) / 1e3);
  return {};
}

Status Interleaving::byEvents(const std::vector<size_t> &order) {
  auto begin = m_driver.createEvent(), end = m_driver.createEvent();
  if (!begin || !end)
    return begin ? end.error() : begin.error();
  for (const size_t kernel : order) {
    if (Status status = m_cache->flush(); !status)
      return status;
    if (Status status = m_driver.recordEvent(*begin); !status)
      return status;
    ++m_runs[kernel]->measurement().launches;
    if (Status status = m_runs[kernel]->launch(); !status)
      return status;
    if (Status status = m_driver.recordEvent(*end); !status)
      return status;
    auto elapsed = m_driver.elapsedUs(*begin, *end);
    if (!elapsed)
      return m_runs[kernel]->inKernel(elapsed.error());
    m_result.kernels[kernel].rounds.back().push_back(*elapsed);
  }
  for (const EventHandle event : {*begin, *end})
    if (Status status = m_driver.releaseEvent(event); !status)
      return status;
  return {};
}

double Interleaving::medianOf(size_t kernel) const {
  std::vector<double> times;
  for (const std::vector<double> &round : m_result.kernels[kernel].rounds)
    times.insert(times.end(), round.begin(), round.end());
  return times.empty() ? 0 : timeStats(std::move(times)).median;
}

void Interleaving::stopHopeless(size_t round) {
  if (m_options.hopeless <= 0 || round < kRoundsBeforeStop)
    return;
  double best = std::numeric_limits<double>::infinity();
  for (const size_t kernel : active())
    best = std::min(best, medianOf(kernel));
  for (const size_t kernel : active()) {
    double fastest = std::numeric_limits<double>::infinity();
    for (const std::vector<double> &times : m_result.kernels[kernel].rounds)
      for (const double time : times)
        fastest = std::min(fastest, time);
    m_result.kernels[kernel].isStoppedEarly = fastest > best * m_options.hopeless;
  }
}

Status Interleaving::round(size_t number) {
  const std::vector<size_t> kernels = active();
  for (const size_t kernel : kernels)
    m_result.kernels[kernel].rounds.emplace_back();
  const std::vector<size_t> order = drawOrder(kernels, number);
  return m_cupti ? byRecords(order) : byEvents(order);
}

/// `numRounds`: the first one included.
bool Interleaving::isEnough(size_t numRounds, Clock::time_point start) const {
  if (numRounds < 2)
    return false;
  const auto taken = Clock::now() - start;
  return numRounds > size_t(m_options.maxRounds) || taken > 4 * m_options.maxTime ||
         (numRounds > kLeastRounds && taken > m_options.maxTime);
}

Status Interleaving::measure(const std::string &cuptiReason) {
  if (active().empty() || m_result.fault)
    return {};
  const DeviceInfo device = m_runs[active().front()]->device();
  m_cache.emplace(m_driver, device);
  if (m_options.run.coldL2)
    if (Status status = m_cache->prepare(); !status)
      m_notes.push_back("the L2 cache cannot be flushed, so the times are for a warm cache: " +
                        status.error().message);
  if (!m_cupti)
    useEvents(
        "CUPTI is not available, so times come from CUDA events and include launch overhead: " +
        cuptiReason);
  m_runs[active().front()]->announce({"measure"});
  if (Status status = warmUp(); !status)
    return status;
  const auto start = Clock::now();
  auto told = start;
  // The first round, of one launch each, says how long they take, and does not count.
  for (size_t number = 0; !isEnough(number, start); ++number) {
    if (Status status = round(number); !status)
      return status;
    if (m_options.run.betweenBatches)
      m_options.run.betweenBatches();
    stopHopeless(number);
    if (Clock::now() - told > std::chrono::seconds(1)) {
      m_runs[active().front()]->announce({"measure"});
      told = Clock::now();
    }
  }
  finish();
  return {};
}

void Interleaving::finish() {
  // The ceiling is a comfort: without it (no memory for two buffers) the times still stand.
  const auto copy = measureCopy(m_driver, m_runs[active().front()]->device());
  for (size_t i = 0; i < m_result.kernels.size(); ++i) {
    InterleavedKernel &kernel = m_result.kernels[i];
    if (kernel.error)
      continue;
    kernel.rounds.erase(kernel.rounds.begin());
    Measurement &measurement = m_runs[i]->measurement();
    measurement.timeSource = m_source;
    measurement.coldL2 = m_cache->isReady();
    measurement.notes.insert(measurement.notes.end(), m_notes.begin(), m_notes.end());
    std::vector<double> times;
    for (const std::vector<double> &round : kernel.rounds)
      times.insert(times.end(), round.begin(), round.end());
    if (!times.empty())
      measurement.timeUs = timeStats(std::move(times));
    if (copy && *copy > 0)
      measurement.copyGbPerS = *copy;
    deriveThroughput(measurement);
  }
}

InterleavedRun Interleaving::take() {
  for (size_t i = 0; i < m_result.kernels.size(); ++i)
    m_result.kernels[i].measurement = std::move(m_runs[i]->measurement());
  return std::move(m_result);
}

Result<InterleavedRun> interleave(CudaDriver &driver, Cupti *cupti, const std::string &cuptiReason,
                                  const std::vector<KernelPackage> &packages,
                                  const InterleaveOptions &options) {
  Interleaving interleaving(driver, cupti, options);
  if (Status status = interleaving.startAll(packages); !status)
    return status.error();
  if (Status status = interleaving.measure(cuptiReason); !status)
    return status.error();
  return interleaving.take();
}

} // namespace tilescope::profiler
