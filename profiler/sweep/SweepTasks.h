// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/Sweep.h"

/// How the points of a sweep are shared by tasks that know nothing of each other.
///
/// Points are ordered by sizes first, so that a task has points of equal work, which it measures against
/// each other. With `n = 1, 2` a size and `BLOCK = 8, 16, 32`, two tasks have
///
///     task 0: points 0 1 2    n = 1, BLOCK = 8, 16, 32
///     task 1: points 3 4 5    n = 2, BLOCK = 8, 16, 32
///
/// whichever of the two axes is the first. Nothing here takes room for all points.
namespace tilescope::profiler {

/// The point with a number in the order of the product, the last axis fastest, without a result.
SweepPoint sweepPointAt(const std::vector<SweepAxis> &axes, size_t index);

/// How many points all tasks have together; at most `limit` + 1.
inline size_t numTaskPoints(const Sweep &sweep, size_t limit) {
  return countPoints(sweep.axes, limit);
}

/// How many points a task has.
size_t taskSize(size_t numPoints, size_t task, size_t numTasks);
/// Their numbers, in the order in which the task measures them. `sweep.points` is not looked at.
std::vector<size_t> taskPoints(const Sweep &sweep, size_t task, size_t numTasks);
/// The task that has a point.
size_t taskOfPoint(const Sweep &sweep, size_t point, size_t numTasks);

} // namespace tilescope::profiler
