// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Metric.h"

#include <optional>
#include <string>
#include <string_view>

/// Numbers and units as Nsight Compute prints them.
namespace tilescope::profiler {

/// A number, with commas between groups of three digits or without. Nothing: it is none, or not in
/// this notation.
std::optional<double> ncuNumber(std::string_view text);

/// By what a value in this unit is to be multiplied, so that it is in seconds, bytes and hertz:
/// 1e6 for `Mbyte`, 1e-9 for `ns`, 1e9 for `cycle/nsecond`. 1 for what it only counts.
double ncuUnitFactor(std::string_view unit);

/// The same for a value of a metric in our table, which has times in nanoseconds.
double ncuUnitFactor(std::string_view unit, MetricUnit metric);

/// As Nsight Compute calls the unit, without prefixes.
std::string_view ncuUnitName(MetricUnit unit);

} // namespace tilescope::profiler
