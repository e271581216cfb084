// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/sweep/SweepTasks.h"

#include <algorithm>
#include <limits>

namespace tilescope::profiler {

static constexpr size_t kNoLimit = std::numeric_limits<uint32_t>::max();

SweepPoint sweepPointAt(const std::vector<SweepAxis> &axes, size_t index) {
  SweepPoint point;
  for (size_t a = axes.size(); a-- > 0;) {
    const SweepAxis &axis = axes[a];
    const std::vector<std::string> &values = axis.values[index % axis.values.size()];
    index /= axis.values.size();
    for (size_t i = 0; i < axis.names.size(); ++i)
      if (!values[i].empty())
        point.values[axis.names[i]] = values[i];
  }
  return point;
}

/// The axes in the order of tasks: those of sizes first.
static std::vector<size_t> taskOrder(const Sweep &sweep) {
  std::vector<size_t> order(sweep.axes.size());
  for (size_t a = 0; a < order.size(); ++a)
    order[a] = a;
  std::ranges::stable_partition(order, [&](size_t a) {
    return std::ranges::find(sweep.sizes, sweep.axes[a].names.front()) != sweep.sizes.end();
  });
  return order;
}

/// How far apart neighbors on each axis are in the order of the product.
static std::vector<size_t> strides(const std::vector<SweepAxis> &axes) {
  std::vector<size_t> steps(axes.size());
  size_t step = 1;
  for (size_t a = axes.size(); a-- > 0; step *= axes[a].values.size())
    steps[a] = step;
  return steps;
}

static size_t beginOf(size_t numPoints, size_t task, size_t numTasks) {
  return task * (numPoints / numTasks) + std::min(task, numPoints % numTasks);
}

size_t taskSize(size_t numPoints, size_t task, size_t numTasks) {
  return beginOf(numPoints, task + 1, numTasks) - beginOf(numPoints, task, numTasks);
}

std::vector<size_t> taskPoints(const Sweep &sweep, size_t task, size_t numTasks) {
  const std::vector<size_t> order = taskOrder(sweep), steps = strides(sweep.axes);
  const size_t numPoints = countPoints(sweep.axes, kNoLimit);
  const size_t begin = beginOf(numPoints, task, numTasks);
  std::vector<size_t> points(taskSize(numPoints, task, numTasks));
  for (size_t i = 0; i < points.size(); ++i) {
    size_t position = begin + i;
    for (size_t k = order.size(); k-- > 0;) {
      const size_t count = sweep.axes[order[k]].values.size();
      points[i] += position % count * steps[order[k]];
      position /= count;
    }
  }
  return points;
}

size_t taskOfPoint(const Sweep &sweep, size_t point, size_t numTasks) {
  const std::vector<size_t> order = taskOrder(sweep), steps = strides(sweep.axes);
  size_t position = 0;
  for (const size_t a : order)
    position =
        position * sweep.axes[a].values.size() + point / steps[a] % sweep.axes[a].values.size();
  const size_t numPoints = countPoints(sweep.axes, kNoLimit);
  // The first tasks have one point more.
  const size_t least = numPoints / numTasks, numLarger = numPoints % numTasks;
  const size_t larger = numLarger * (least + 1);
  return position < larger ? position / (least + 1) : numLarger + (position - larger) / least;
}

} // namespace tilescope::profiler
