// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Sweep.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilescope::profiler {

const char *sweepStatusName(SweepStatus status) {
  switch (status) {
  case SweepStatus::Open:
    return "open";
  case SweepStatus::Compiled:
    return "compiled";
  case SweepStatus::Measured:
    return "measured";
  case SweepStatus::StoppedEarly:
    return "stopped early";
  case SweepStatus::Failed:
    return "failed";
  }
  return "";
}

size_t countPoints(const std::vector<SweepAxis> &axes, size_t limit) {
  size_t count = 1;
  for (const SweepAxis &axis : axes) {
    if (axis.values.size() > limit / std::max<size_t>(count, 1))
      return limit + 1;
    count *= axis.values.size();
  }
  return count;
}

std::vector<SweepPoint> sweepPoints(const std::vector<SweepAxis> &axes,
                                    const std::vector<std::string> &models) {
  std::vector<SweepPoint> points(1);
  for (const SweepAxis &axis : axes) {
    std::vector<SweepPoint> next;
    for (const SweepPoint &point : points)
      for (const std::vector<std::string> &values : axis.values) {
        next.push_back(point);
        for (size_t i = 0; i < axis.names.size(); ++i)
          if (!values[i].empty())
            next.back().values[axis.names[i]] = values[i];
      }
    points = std::move(next);
  }
  if (models.empty())
    return points;
  std::vector<SweepPoint> all;
  for (const std::string &model : models)
    for (const SweepPoint &point : points) {
      all.push_back(point);
      all.back().model = model;
    }
  return all;
}

std::vector<Sweep> sweepsByModel(const Sweep &sweep) {
  if (sweep.models.empty())
    return {sweep};
  std::vector<std::string> models = sweep.models;
  models.emplace_back();
  std::vector<Sweep> sweeps;
  for (const std::string &model : models) {
    Sweep part;
    part.file = sweep.file;
    part.launch = sweep.launch;
    part.kernel = sweep.kernel;
    part.target = sweep.target;
    part.device = model;
    part.axes = sweep.axes;
    part.sizes = sweep.sizes;
    for (const SweepPoint &point : sweep.points)
      if (point.model == model)
        part.points.push_back(point);
    if (const auto copy = sweep.copyByModel.find(model); copy != sweep.copyByModel.end())
      part.copyGbPerS = copy->second;
    if (const auto left = sweep.leftOut.find(model); left != sweep.leftOut.end())
      part.leftOut[""] = left->second;
    if (!part.points.empty() || !part.leftOut.empty())
      sweeps.push_back(std::move(part));
  }
  if (!sweeps.empty())
    sweeps.back().notes = sweep.notes;
  return sweeps;
}

std::map<std::string, std::string> configurationOf(const Sweep &sweep, const SweepPoint &point) {
  std::map<std::string, std::string> configuration = point.values;
  for (const std::string &size : sweep.sizes)
    configuration.erase(size);
  return configuration;
}

std::string valuesText(const std::map<std::string, std::string> &values) {
  std::string text;
  for (const auto &[name, value] : values)
    text += (text.empty() ? "" : ", ") + name + " = " + value;
  return text;
}

std::vector<std::vector<size_t>> sweepGroups(const Sweep &sweep) {
  std::vector<std::vector<size_t>> groups;
  std::map<std::pair<std::string, std::string>, size_t> known;
  for (size_t i = 0; i < sweep.points.size(); ++i) {
    // A point that did not compile is of no work.
    if (sweep.points[i].work.empty())
      continue;
    const SweepPoint &point = sweep.points[i];
    const auto [at, isNew] = known.try_emplace(
        {sweep.models.empty() ? std::string() : point.model, point.work}, groups.size());
    if (isNew)
      groups.emplace_back();
    groups[at->second].push_back(i);
  }
  return groups;
}

std::optional<size_t> fastestOf(const Sweep &sweep, const std::vector<size_t> &points) {
  std::optional<size_t> best;
  for (const size_t i : points)
    if (sweep.points[i].hasTime() &&
        (!best || *sweep.points[i].medianUs < *sweep.points[*best].medianUs))
      best = i;
  return best;
}

std::vector<size_t> paretoFront(const Sweep &sweep, const std::vector<size_t> &points) {
  std::vector<size_t> sorted;
  for (const size_t i : points)
    if (sweep.points[i].hasTime() && sweep.points[i].registers)
      sorted.push_back(i);
  std::ranges::sort(sorted, {}, [&](size_t i) {
    return std::pair(*sweep.points[i].registers, *sweep.points[i].medianUs);
  });
  std::vector<size_t> front;
  for (const size_t i : sorted)
    if (front.empty() || *sweep.points[i].medianUs < *sweep.points[front.back()].medianUs)
      front.push_back(i);
  return front;
}

std::optional<SweepWinner> sweepWinner(const Sweep &sweep) {
  if (!sweep.models.empty())
    return std::nullopt;
  struct Candidate {
    double logarithms = 0;
    std::vector<size_t> points;
  };
  std::map<std::map<std::string, std::string>, Candidate> candidates;
  size_t numTimed = 0;
  for (const std::vector<size_t> &group : sweepGroups(sweep)) {
    const std::optional<size_t> fastest = fastestOf(sweep, group);
    if (!fastest)
      continue;
    ++numTimed;
    for (const size_t i : group)
      if (sweep.points[i].hasTime()) {
        Candidate &candidate = candidates[configurationOf(sweep, sweep.points[i])];
        candidate.logarithms +=
            std::log(*sweep.points[i].medianUs / *sweep.points[*fastest].medianUs);
        candidate.points.push_back(i);
      }
  }
  std::optional<SweepWinner> winner;
  for (const auto &[configuration, candidate] : candidates) {
    if (candidate.points.size() != numTimed)
      continue;
    const double slowdown = std::exp(candidate.logarithms / double(numTimed));
    if (!winner || slowdown < winner->slowdown)
      winner = SweepWinner{configuration, slowdown, candidate.points};
  }
  return winner;
}

} // namespace tilescope::profiler
