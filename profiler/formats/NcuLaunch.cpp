// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/NcuLaunch.h"

#include "compiler/support/Counted.h"

#include <cmath>
#include <map>

namespace tilescope::profiler {

const Metric *ncuMetric(std::string_view name) {
  static const auto kRows = [] {
    std::map<std::string_view, const Metric *> rows;
    for (const Metric &metric : metricTable())
      rows.emplace(metric.name, &metric);
    return rows;
  }();
  const auto found = kRows.find(name);
  return found == kRows.end() ? nullptr : found->second;
}

std::string chipOfCapability(std::string_view capability) {
  static constexpr std::pair<std::string_view, std::string_view> kChips[] = {
      {"8.0", "GA100"},  {"8.6", "GA102"},  {"8.7", "GA10B"},  {"8.9", "AD102"},
      {"9.0", "GH100"},  {"10.0", "GB100"}, {"10.3", "GB110"}, {"11.0", "GB10B"},
      {"12.0", "GB202"}, {"12.1", "GB20B"}};
  for (const auto &[version, chip] : kChips)
    if (version == capability)
      return std::string(chip);
  return "";
}

void NcuLaunch::add(std::string_view name, double value) {
  const bool isCount = value >= 0 && value < 1e15;
  if (ncuMetric(name))
    counters.values[std::string(name)] = value;
  else if (name == "launch__registers_per_thread" && isCount)
    measurement.registers = std::llround(value);
  else if ((name == "launch__shared_mem_per_block_dynamic" ||
            name == "launch__shared_mem_per_block_static") &&
           isCount)
    measurement.sharedBytes = measurement.sharedBytes.value_or(0) + std::llround(value);
  else
    ++numLeftOut;
}

Measurement NcuLaunch::end(std::string_view origin) && {
  if (const auto ns = metricValue(counters, "duration"))
    measurement.timeUs = TimeStats{*ns / 1000, *ns / 1000, *ns / 1000, 1, 0, {*ns / 1000}};
  if (!counters.values.empty()) {
    const size_t numQuick = metricsOf(counters.chip, false).size();
    counters.isFull = counters.values.size() > numQuick;
    measurement.counters = std::move(counters);
  }
  measurement.notes.push_back("read from " + std::string(origin));
  if (numLeftOut > 0)
    measurement.notes.push_back(counted(numLeftOut, "metric") +
                                " left out: this program has no description of them");
  return std::move(measurement);
}

} // namespace tilescope::profiler
