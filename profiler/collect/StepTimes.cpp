// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/StepTimes.h"

#include "profiler/analysis/Throughput.h"

#include <chrono>

namespace tilescope::profiler {

using Clock = std::chrono::steady_clock;

static constexpr int kLeastPasses = 3, kMostPasses = 30;
static constexpr std::chrono::seconds kPassesTime{1};

namespace {
/// Passes over the same steps.
class Passes {
public:
  Passes(CudaDriver &driver, const std::vector<TimedStep> &steps)
      : m_driver(driver), m_steps(steps), m_samplesUs(steps.size()) {}

  /// False where the records are not those of the launches.
  Result<bool> byRecords(Cupti &cupti);
  Status byEvents();
  std::vector<std::optional<double>> medians() const;

private:
  Result<bool> recordedPass(Cupti &cupti);
  Status timedPass(const std::vector<EventHandle> &events);

  CudaDriver &m_driver;
  const std::vector<TimedStep> &m_steps;
  std::vector<std::vector<double>> m_samplesUs;
};
} // namespace

/// Calls `pass` a few times, as long as there is time; false, and the end, where it returns false.
static Result<bool> repeat(const std::function<Result<bool>()> &pass) {
  const auto end = Clock::now() + kPassesTime;
  for (int i = 0; i < kMostPasses && (i < kLeastPasses || Clock::now() < end); ++i)
    if (Result<bool> goesOn = pass(); !goesOn || !*goesOn)
      return goesOn;
  return true;
}

/// There must be a record for each launch, in the order of launches.
Result<bool> Passes::recordedPass(Cupti &cupti) {
  for (const TimedStep &step : m_steps)
    if (step.launch)
      if (Status status = step.launch(); !status)
        return status.error();
  if (Status status = m_driver.synchronize(); !status)
    return status.error();
  const auto records = cupti.take();
  if (!records)
    return records.error();
  auto record = records->begin();
  for (size_t step = 0; step < m_steps.size(); ++step) {
    if (!m_steps[step].launch)
      continue;
    if (record == records->end() || record->name != m_steps[step].symbol)
      return false;
    m_samplesUs[step].push_back(double(record->endNs - record->startNs) / 1e3);
    ++record;
  }
  return record == records->end();
}

Result<bool> Passes::byRecords(Cupti &cupti) {
  // Those of earlier launches.
  if (auto dropped = cupti.take(); !dropped)
    return dropped.error();
  return repeat([&] { return recordedPass(cupti); });
}

Status Passes::timedPass(const std::vector<EventHandle> &events) {
  for (size_t step = 0; step < m_steps.size(); ++step) {
    if (Status status = m_driver.recordEvent(events[step]); !status)
      return status;
    if (m_steps[step].launch)
      if (Status status = m_steps[step].launch(); !status)
        return status;
  }
  if (Status status = m_driver.recordEvent(events.back()); !status)
    return status;
  for (size_t step = 0; step < m_steps.size(); ++step) {
    const auto elapsed = m_driver.elapsedUs(events[step], events[step + 1]);
    if (!elapsed)
      return elapsed.error();
    if (m_steps[step].launch)
      m_samplesUs[step].push_back(*elapsed);
  }
  return {};
}

Status Passes::byEvents() {
  m_samplesUs.assign(m_steps.size(), {});
  std::vector<EventHandle> events;
  for (size_t i = 0; i <= m_steps.size(); ++i) {
    const auto event = m_driver.createEvent();
    if (!event)
      return event.error();
    events.push_back(*event);
  }
  const Result<bool> measured = repeat([&]() -> Result<bool> {
    if (Status status = timedPass(events); !status)
      return status.error();
    return true;
  });
  for (const EventHandle event : events)
    if (Status status = m_driver.releaseEvent(event); !status)
      return status;
  return measured ? Status() : Status(measured.error());
}

std::vector<std::optional<double>> Passes::medians() const {
  std::vector<std::optional<double>> medians;
  for (const std::vector<double> &samples : m_samplesUs)
    medians.push_back(samples.empty() ? std::nullopt : std::optional(timeStats(samples).median));
  return medians;
}

Result<StepTimes> measureStepTimes(CudaDriver &driver, Cupti *cupti, const std::string &cuptiReason,
                                   const std::vector<TimedStep> &steps) {
  Passes passes(driver, steps);
  StepTimes times;
  if (cupti) {
    const Result<bool> isComplete = passes.byRecords(*cupti);
    if (!isComplete)
      return isComplete.error();
    if (!*isComplete)
      times.notes.push_back("CUPTI did not return a record of each kernel: times of kernels come "
                            "from CUDA events and include launch overhead");
  } else {
    times.notes.push_back("CUPTI is not available, so times of kernels come from CUDA events and "
                          "include launch overhead: " +
                          cuptiReason);
  }
  if (!times.notes.empty()) {
    times.source = TimeSource::Events;
    if (Status status = passes.byEvents(); !status)
      return status.error();
  }
  times.us = passes.medians();
  return times;
}

} // namespace tilescope::profiler
