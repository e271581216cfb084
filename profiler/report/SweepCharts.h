// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/Sweep.h"

#include <string>
#include <vector>

/// Inline SVG of sweeps. Colors are CSS classes of the page; each point says on hovering what it is.
namespace tilescope::profiler {

/// What a line plot shows of a point.
struct SweepQuantity {
  /// `GB/s`.
  std::string name;
  std::optional<double> SweepPoint::*value;
  /// What a line across the plot stands for; nothing without one.
  std::optional<double> ceiling = std::nullopt;
  std::string ceilingName = {};
};

/// A quantity over a size: of the fastest point at each, and of the winner's configuration. Empty
/// when the axis is not of numbers, or has less than two.
std::string sweepLineChart(const Sweep &sweep, const SweepAxis &axis,
                           const SweepQuantity &quantity);

/// Time over the values of two names for points of equal work: the fastest of what the other names
/// leave, as a multiple of the fastest of all. Empty when there is no time.
std::string sweepHeatMap(const Sweep &sweep, const std::vector<size_t> &points,
                         const std::string &columnName, const std::string &rowName);

/// The values that a name takes at some points, in the order of the points.
std::vector<std::string> valuesAt(const Sweep &sweep, const std::vector<size_t> &points,
                                  const std::string &name);

/// Time over registers for points of equal work, with the Pareto front. Empty when less than two
/// points have both.
std::string sweepScatter(const Sweep &sweep, const std::vector<size_t> &points);

} // namespace tilescope::profiler
