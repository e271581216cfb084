// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/SweepWords.h"

#include "compiler/support/Counted.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace tilescope::profiler {

std::vector<std::string> sweepNames(const Sweep &sweep) {
  std::vector<std::string> names;
  for (const SweepAxis &axis : sweep.axes)
    names.insert(names.end(), axis.names.begin(), axis.names.end());
  return names;
}

std::vector<size_t> pointsByTime(const Sweep &sweep, std::vector<size_t> points) {
  std::erase_if(points, [&](size_t i) { return !sweep.points[i].hasTime(); });
  std::ranges::stable_sort(points, {}, [&](size_t i) { return *sweep.points[i].medianUs; });
  return points;
}

std::vector<size_t> tableOrder(const Sweep &sweep) {
  std::vector<size_t> order;
  for (const std::vector<size_t> &group : sweepGroups(sweep)) {
    const std::vector<size_t> sorted = pointsByTime(sweep, group);
    order.insert(order.end(), sorted.begin(), sorted.end());
  }
  std::set<size_t> placed(order.begin(), order.end());
  const auto place = [&](size_t i) {
    if (placed.insert(i).second)
      order.push_back(i);
  };
  for (std::vector<size_t> group : sweepGroups(sweep)) {
    std::erase_if(group, [&](size_t i) { return !sweep.points[i].predictedUs; });
    std::ranges::stable_sort(group, {}, [&](size_t i) { return *sweep.points[i].predictedUs; });
    std::ranges::for_each(group, place);
  }
  for (size_t i = 0; i < sweep.points.size(); ++i)
    place(i);
  return order;
}

static int64_t countStatus(const Sweep &sweep, SweepStatus status) {
  auto count = static_cast<int64_t>(std::ranges::count(sweep.points, status, &SweepPoint::status));
  for (const auto &[model, left] : sweep.leftOut)
    if (const auto more = left.byStatus.find(status); more != left.byStatus.end())
      count += static_cast<int64_t>(more->second);
  return count;
}

size_t numPointsLeftOut(const Sweep &sweep) {
  size_t count = 0;
  for (const auto &[model, left] : sweep.leftOut)
    for (const auto &[status, number] : left.byStatus)
      count += number;
  return count;
}

std::string sweepCountsText(const Sweep &sweep) {
  std::string text = counted(sweep.points.size() + numPointsLeftOut(sweep), "point");
  for (const SweepStatus status : {SweepStatus::Measured, SweepStatus::StoppedEarly,
                                   SweepStatus::Compiled, SweepStatus::Failed, SweepStatus::Open})
    if (const int64_t count = countStatus(sweep, status); count > 0)
      text += fmt::format(", {} {}", count, sweepStatusName(status));
  return text;
}

std::string sweepWinnerText(const SweepWinner &winner, size_t numGroups) {
  std::string text =
      winner.configuration.empty() ? "the launch as it is" : valuesText(winner.configuration);
  if (numGroups > 1)
    text += winner.slowdown < 1.0005
                ? " (the fastest for every size)"
                : fmt::format(" ({:.1f} % slower than the fastest of each size, on average)",
                              (winner.slowdown - 1) * 100);
  return text;
}

std::string groupName(const Sweep &sweep, const std::vector<size_t> &group) {
  std::map<std::string, std::string> sizes;
  for (const std::string &name : sweep.sizes)
    if (const auto value = sweep.points[group.front()].values.find(name);
        value != sweep.points[group.front()].values.end())
      sizes[name] = value->second;
  const std::string text = valuesText(sizes);
  // Times of several models are never compared.
  const std::string &model = sweep.points[group.front()].model;
  if (sweep.models.size() < 2 || model.empty())
    return text;
  return text.empty() ? model : model + ", " + text;
}

std::string pointText(const SweepPoint &point) {
  std::string text = valuesText(point.values);
  if (point.medianUs)
    text += fmt::format(": {:.2f} µs", *point.medianUs);
  if (point.registers)
    text += fmt::format(", {} registers", *point.registers);
  return text;
}

} // namespace tilescope::profiler
