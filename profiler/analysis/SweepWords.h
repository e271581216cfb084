// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/Sweep.h"

#include <string>
#include <vector>

/// A sweep in words, and as rows: what reports, the command line and the window say of it.
namespace tilescope::profiler {

/// The names that change, in the order of the axes.
std::vector<std::string> sweepNames(const Sweep &sweep);
/// Those of some points that have times, the fastest first.
std::vector<size_t> pointsByTime(const Sweep &sweep, std::vector<size_t> points);
/// All points: those with times first, for each work the fastest on top; then the others.
std::vector<size_t> tableOrder(const Sweep &sweep);

/// Points that the sweep had, and that are not in its list.
size_t numPointsLeftOut(const Sweep &sweep);
/// `16 points, 14 measured, 2 failed`
std::string sweepCountsText(const Sweep &sweep);
/// `BLOCK = 128 (the fastest for every size)`; `numGroups`: how many works there are.
std::string sweepWinnerText(const SweepWinner &winner, size_t numGroups);
/// The sizes of points of equal work, where the sweep changes them: `n = 1024`.
std::string groupName(const Sweep &sweep, const std::vector<size_t> &group);
/// `BLOCK = 128, num_warps = 4: 28.40 µs, 32 registers`.
std::string pointText(const SweepPoint &point);

} // namespace tilescope::profiler
