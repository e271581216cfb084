// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/ClockWatch.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilescope::profiler {

using Clock = std::chrono::steady_clock;

ClockWatch::ClockWatch(Nvml &nvml) : m_nvml(nvml) {
  const NvmlLimits limits = nvml.limits();
  m_conditions.maxSmClockMhz = limits.maxSmClockMhz;
  m_conditions.powerLimitW = limits.powerLimitW;
}

static void widen(std::optional<ValueRange> &range, const std::optional<double> &value) {
  if (!value)
    return;
  if (!range)
    range = ValueRange{*value, *value};
  range->least = std::min(range->least, *value);
  range->most = std::max(range->most, *value);
}

void ClockWatch::read() {
  const Clock::time_point now = Clock::now();
  if (m_conditions.readings > 0 && now - m_last < kInterval)
    return;
  m_last = now;
  const NvmlReading reading = m_nvml.read();
  ++m_conditions.readings;
  widen(m_conditions.smClockMhz, reading.smClockMhz);
  widen(m_conditions.memoryClockMhz, reading.memoryClockMhz);
  widen(m_conditions.powerW, reading.powerW);
  widen(m_conditions.temperatureC, reading.temperatureC);
  std::vector<std::string> &known = m_conditions.throttleReasons;
  for (const std::string &reason : throttleReasons(reading.throttleBits))
    if (std::ranges::find(known, reason) == known.end())
      known.insert(std::ranges::upper_bound(known, reason), reason);
}

std::vector<std::string> throttleReasons(uint64_t bits) {
  static constexpr std::pair<uint64_t, const char *> kReasons[] = {
      {0x2, "clocks set by an administrator"},
      {0x4, "power limit"},
      {0x8, "hardware slowdown"},
      {0x10, "kept in step with other devices"},
      {0x20, "temperature limit"},
      {0x40, "hardware temperature limit"},
      {0x80, "power brake"},
      {0x100, "display clocks"}};
  std::vector<std::string> names;
  for (const auto &[bit, name] : kReasons)
    if (bits & bit)
      names.emplace_back(name);
  std::ranges::sort(names);
  return names;
}

static std::string whole(double value) { return std::to_string(std::lround(value)); }

std::vector<std::string> conditionNotes(const DeviceConditions &conditions) {
  std::vector<std::string> notes;
  if (conditions.hasUnstableClock())
    notes.push_back(
        "the clock of the multiprocessors was unstable: " + whole(conditions.smClockMhz->least) +
        " to " + whole(conditions.smClockMhz->most) +
        " MHz between batches, so times vary with it");
  std::string reasons;
  for (const std::string &reason : conditions.throttleReasons)
    reasons += (reasons.empty() ? "" : ", ") + reason;
  if (!reasons.empty())
    notes.push_back("the device held its clocks back: " + reasons);
  return notes;
}

} // namespace tilescope::profiler
