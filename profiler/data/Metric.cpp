// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Metric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace tilescope::profiler {

std::string_view sectionTitle(MetricSection section) {
  static constexpr std::array<std::string_view, kNumMetricSections> kTitles = {
      "Overview",  "Memory chart", "Compute pipes and tensor cores", "Scheduler", "Warp states",
      "Occupancy", "Roofline"};
  return kTitles[static_cast<size_t>(section)];
}

static std::string print(const char *format, double value) {
  std::array<char, 64> text = {};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

/// With three digits and a factor: `1.50 M`.
static std::string scaled(double value, const char *unit) {
  static constexpr std::array<const char *, 5> kFactors = {"", "k", "M", "G", "T"};
  size_t factor = 0;
  for (; std::abs(value) >= 1000 && factor + 1 < kFactors.size(); ++factor)
    value /= 1000;
  const bool isWhole = factor == 0 && value == std::floor(value);
  const char *format = isWhole                 ? "%.0f"
                       : std::abs(value) < 10  ? "%.2f"
                       : std::abs(value) < 100 ? "%.1f"
                                               : "%.0f";
  const std::string suffix = std::string(kFactors[factor]) + unit;
  return print(format, value) + (suffix.empty() ? "" : " " + suffix);
}

std::string formatMetric(MetricUnit unit, double value) {
  switch (unit) {
  case MetricUnit::Nanoseconds:
    return print("%.2f µs", value / 1000);
  case MetricUnit::Percent:
    return print("%.1f %%", value);
  case MetricUnit::Bytes:
    return scaled(value, "B");
  case MetricUnit::Hertz:
    return scaled(value, "Hz");
  case MetricUnit::Warps:
  case MetricUnit::CyclesPerInstruction:
  case MetricUnit::PerCycle:
    return print("%.2f", value);
  case MetricUnit::Sectors:
  case MetricUnit::Requests:
  case MetricUnit::Wavefronts:
  case MetricUnit::Instructions:
  case MetricUnit::Operations:
  case MetricUnit::Cycles:
    return scaled(value, "");
  }
  return print("%g", value);
}

std::optional<ChipFamily> chipFamily(std::string_view chip) {
  using enum ChipFamily;
  static constexpr std::pair<std::string_view, ChipFamily> kFamilies[] = {
      {"GA100", Ga100}, {"GA102", Ga10x}, {"GA103", Ga10x}, {"GA104", Ga10x}, {"GA106", Ga10x},
      {"GA107", Ga10x}, {"GA10B", Ga10b}, {"AD102", Ad10x}, {"AD103", Ad10x}, {"AD104", Ad10x},
      {"AD106", Ad10x}, {"AD107", Ad10x}, {"GH100", Gh100}, {"GB100", Gb10x}, {"GB102", Gb10x},
      {"GB110", Gb110}, {"GB10B", Gb10b}, {"GB202", Gb20x}, {"GB203", Gb20x}, {"GB205", Gb20x},
      {"GB206", Gb20x}, {"GB207", Gb20x}, {"GB20B", Gb20b}};
  for (const auto &[name, family] : kFamilies)
    if (name == chip)
      return family;
  return std::nullopt;
}

std::vector<const Metric *> metricsOf(std::string_view chip, bool full) {
  const ChipFamily family =
      chipFamily(chip).value_or(chip.starts_with("GB2") ? ChipFamily::Gb20x : ChipFamily::Gb10x);
  std::vector<const Metric *> rows;
  for (const Metric &metric : metricTable())
    if ((metric.chips & static_cast<uint16_t>(family)) != 0 && (full || metric.isQuick))
      rows.push_back(&metric);
  return rows;
}

const Metric *measuredMetric(const CounterData &counters, std::string_view id) {
  for (const Metric &metric : metricTable())
    if (metric.id == id && counters.values.contains(std::string(metric.name)))
      return &metric;
  return nullptr;
}

std::optional<double> metricValue(const CounterData &counters, std::string_view id) {
  const Metric *metric = measuredMetric(counters, id);
  if (metric == nullptr)
    return std::nullopt;
  return counters.values.at(std::string(metric->name));
}

} // namespace tilescope::profiler
