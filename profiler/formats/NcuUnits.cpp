// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/NcuUnits.h"

#include <charconv>
#include <cmath>
#include <utility>

namespace tilescope::profiler {

/// The text without the commas between its groups of three digits; nothing when they stand
/// elsewhere.
static std::optional<std::string> ungrouped(std::string_view text) {
  const size_t end = std::min(text.find('.'), text.size());
  std::string digits;
  // Digits since the last comma.
  size_t run = 0;
  bool isGrouped = false;
  for (size_t i = 0; i < end; ++i) {
    if (text[i] != ',') {
      digits += text[i];
      run += text[i] != '-' ? 1 : 0;
      continue;
    }
    if (run == 0 || run > 3 || (isGrouped && run != 3))
      return std::nullopt;
    isGrouped = true;
    run = 0;
  }
  if (isGrouped && run != 3)
    return std::nullopt;
  return digits.append(text.substr(end));
}

std::optional<double> ncuNumber(std::string_view text) {
  const std::optional<std::string> digits = ungrouped(text);
  double value = 0;
  if (!digits || digits->empty())
    return std::nullopt;
  const char *end = digits->data() + digits->size();
  const auto [last, error] = std::from_chars(digits->data(), end, value);
  if (error != std::errc() || last != end || !std::isfinite(value))
    return std::nullopt;
  return value;
}

/// Of one side of a fraction.
static double prefixFactor(std::string_view word) {
  static constexpr std::pair<std::string_view, double> kWords[] = {
      {"ns", 1e-9},      {"us", 1e-6},    {"ms", 1e-3},    {"nsecond", 1e-9}, {"usecond", 1e-6},
      {"msecond", 1e-3}, {"Kbyte", 1e3},  {"Mbyte", 1e6},  {"Gbyte", 1e9},    {"Tbyte", 1e12},
      {"Khz", 1e3},      {"Mhz", 1e6},    {"Ghz", 1e9},    {"KHz", 1e3},      {"MHz", 1e6},
      {"GHz", 1e9},      {"Kcycle", 1e3}, {"Mcycle", 1e6}, {"Kinst", 1e3},    {"Minst", 1e6}};
  for (const auto &[name, factor] : kWords)
    if (word == name)
      return factor;
  return 1;
}

double ncuUnitFactor(std::string_view unit) {
  const size_t slash = std::min(unit.find('/'), unit.size());
  const double above = prefixFactor(unit.substr(0, slash));
  return slash == unit.size() ? above : above / prefixFactor(unit.substr(slash + 1));
}

double ncuUnitFactor(std::string_view unit, MetricUnit metric) {
  const double factor = ncuUnitFactor(unit);
  return metric == MetricUnit::Nanoseconds ? factor * 1e9 : factor;
}

std::string_view ncuUnitName(MetricUnit unit) {
  switch (unit) {
  case MetricUnit::Nanoseconds:
    return "ns";
  case MetricUnit::Percent:
    return "%";
  case MetricUnit::Bytes:
    return "byte";
  case MetricUnit::Sectors:
    return "sector";
  case MetricUnit::Instructions:
    return "inst";
  case MetricUnit::Cycles:
    return "cycle";
  case MetricUnit::Warps:
    return "warp";
  case MetricUnit::Hertz:
    return "hz";
  case MetricUnit::Requests:
  case MetricUnit::Wavefronts:
  case MetricUnit::Operations:
  case MetricUnit::CyclesPerInstruction:
  case MetricUnit::PerCycle:
    break;
  }
  return "";
}

} // namespace tilescope::profiler
