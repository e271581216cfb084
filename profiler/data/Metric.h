// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Profile.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The table of hardware counters: what is asked of which chip, what it is called and counted in,
/// and how it adds up. Collection, command line, reports and views are driven by it.
namespace tilescope::profiler {

enum class MetricSection : uint8_t {
  Overview,
  Memory,
  Compute,
  Scheduler,
  WarpStates,
  Occupancy,
  Roofline,
};
inline constexpr size_t kNumMetricSections = 7;
/// As users read it: `Memory chart`.
std::string_view sectionTitle(MetricSection section);

enum class MetricUnit : uint8_t {
  Nanoseconds,
  Percent,
  Bytes,
  Sectors,
  Requests,
  Wavefronts,
  Instructions,
  Operations,
  Cycles,
  /// Warps of one scheduler.
  Warps,
  /// Cycles in this state between two instructions of a warp.
  CyclesPerInstruction,
  PerCycle,
  Hertz,
};
/// A value with its unit, short: `1.50 MB`, `43.2 %`.
std::string formatMetric(MetricUnit unit, double value);

/// How the values of several launches become one.
enum class MetricSum : uint8_t {
  Adds,
  /// The mean, weighted with the time.
  Averages,
  /// A property of the device: the same for all.
  Constant,
};

/// Chips with the same counters.
enum class ChipFamily : uint16_t {
  Ga100 = 1,
  Ga10x = 2,
  /// Ampere on a board without memory of its own.
  Ga10b = 4,
  Ad10x = 8,
  Gh100 = 16,
  Gb10x = 32,
  Gb110 = 64,
  Gb10b = 128,
  Gb20x = 256,
  Gb20b = 512,
};
/// Nothing for a chip that is older, or newer than this table.
std::optional<ChipFamily> chipFamily(std::string_view chip);

/// A row of the table.
struct Metric {
  MetricSection section{};
  /// Ours, the same on all chips.
  std::string_view id;
  /// CUPTI's, with its way to add up units of the chip.
  std::string_view name;
  /// Bits of `ChipFamily`.
  uint16_t chips = 0;
  MetricUnit unit{};
  MetricSum sum{};
  /// Part of the quick set, which takes two passes.
  bool isQuick = false;
  std::string_view label;
  /// What it means, in a sentence.
  std::string_view description;
};

std::span<const Metric> metricTable();

/// The rows for a chip, in the table's order; of a chip that the table does not know those of the
/// newest one that it resembles.
std::vector<const Metric *> metricsOf(std::string_view chip, bool full);

/// A value by our name; nothing when it was not measured.
std::optional<double> metricValue(const CounterData &counters, std::string_view id);
/// The row that a value was measured with; null when it was not measured.
const Metric *measuredMetric(const CounterData &counters, std::string_view id);

} // namespace tilescope::profiler
