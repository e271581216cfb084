// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/sweep/MergedSweep.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace tilescope::profiler {

/// Works whose pictures a report has, pairs of axes that are drawn for each, and cells of such a
/// picture.
static constexpr size_t kDrawnGroups = 8;
static constexpr size_t kDrawnPairs = 6;
static constexpr size_t kMostCells = 4096;
/// Of each reason, so many failed points stand for all.
static constexpr size_t kFailuresShown = 5;
/// More models than a site has.
static constexpr size_t kMostModels = 64;

namespace {

/// Work and model.
using GroupKey = std::pair<uint32_t, uint32_t>;
/// A result: the number of its point, and its model.
using ResultKey = std::pair<size_t, uint32_t>;

struct Fastest {
  float us = std::numeric_limits<float>::infinity();
  ResultKey key;

  void take(float time, const ResultKey &other) {
    if (time < us) {
      us = time;
      key = other;
    }
  }
};

struct Group {
  Fastest fastest;
  /// The fastest ones, the slowest of them on top.
  std::vector<std::pair<float, ResultKey>> best;
  std::map<int32_t, Fastest> byRegisters;
  std::map<std::pair<size_t, size_t>, Fastest> byCell;
  size_t number = 0;
};

/// The configurations of one model: sums of logarithms, by number of the configuration.
struct Standing {
  std::vector<float> logarithms;
  std::vector<uint32_t> counts;
  uint32_t numGroups = 0;
};

class Reduction {
public:
  Reduction(const MergedSweep &merged, size_t mostPoints)
      : m_merged(merged), m_mostPoints(mostPoints) {}
  Sweep run();

private:
  void findGroups();
  void findBest();
  void keepWinners();
  void keep(const ResultKey &key) { m_kept.insert(key); }
  void takeBest(size_t index, const MergedPoint &point, Group &group);
  size_t configurationOf(size_t index) const;
  size_t valueOf(size_t index, size_t axis) const {
    return index / m_strides[axis] % m_merged.sweep().axes[axis].values.size();
  }
  void planAxes();
  Sweep collect();

  const MergedSweep &m_merged;
  const size_t m_mostPoints;
  size_t m_numResults = 0;
  size_t m_perGroup = 0;
  std::vector<size_t> m_strides;
  std::vector<bool> m_isSize;
  std::vector<std::pair<size_t, size_t>> m_pairs;
  size_t m_numConfigurations = 1;
  std::map<GroupKey, Group> m_groups;
  std::map<uint32_t, Standing> m_standings;
  std::set<uint32_t> m_models;
  std::map<uint32_t, size_t> m_failures;
  std::set<ResultKey> m_kept;
};

} // namespace

static bool hasTime(const MergedPoint &point) { return !std::isnan(point.medianUs); }

void Reduction::planAxes() {
  const std::vector<SweepAxis> &axes = m_merged.sweep().axes;
  const std::vector<std::string> &sizes = m_merged.sweep().sizes;
  m_strides.resize(axes.size());
  size_t step = 1;
  for (size_t a = axes.size(); a-- > 0; step *= axes[a].values.size())
    m_strides[a] = step;
  for (const SweepAxis &axis : axes) {
    m_isSize.push_back(std::ranges::find(sizes, axis.names.front()) != sizes.end());
    if (!m_isSize.back())
      m_numConfigurations *= axis.values.size();
  }
  // As a report chooses them: those with the most values first.
  std::vector<size_t> drawn;
  for (size_t a = 0; a < axes.size(); ++a)
    if (!m_isSize[a] && axes[a].values.size() > 1)
      drawn.push_back(a);
  std::ranges::stable_sort(drawn, std::greater<>(),
                           [&](size_t a) { return axes[a].values.size(); });
  for (size_t i = 0; i < drawn.size(); ++i)
    for (size_t j = i + 1; j < drawn.size() && m_pairs.size() < kDrawnPairs; ++j)
      if (axes[drawn[i]].values.size() * axes[drawn[j]].values.size() <= kMostCells)
        m_pairs.emplace_back(drawn[i], drawn[j]);
}

size_t Reduction::configurationOf(size_t index) const {
  size_t configuration = 0;
  for (size_t a = 0; a < m_strides.size(); ++a)
    if (!m_isSize[a])
      configuration = configuration * m_merged.sweep().axes[a].values.size() + valueOf(index, a);
  return configuration;
}

void Reduction::findGroups() {
  m_merged.forEach([&](size_t index, const MergedPoint &point) {
    ++m_numResults;
    if (point.model != 0 && m_models.size() < kMostModels)
      m_models.insert(point.model);
    if (point.status == SweepStatus::Failed && m_failures[point.reason]++ < kFailuresShown)
      keep({index, point.model});
    if (!hasTime(point))
      return;
    const auto [at, isNew] = m_groups.try_emplace(GroupKey{point.work, point.model});
    if (isNew)
      at->second.number = m_groups.size() - 1;
    at->second.fastest.take(point.medianUs, {index, point.model});
  });
  m_perGroup =
      std::clamp<size_t>(m_mostPoints / (2 * std::max<size_t>(m_groups.size(), 1)), 1, 2000);
}

void Reduction::takeBest(size_t index, const MergedPoint &point, Group &group) {
  const std::pair entry(point.medianUs, ResultKey(index, point.model));
  if (group.best.size() < m_perGroup || entry < group.best.front()) {
    group.best.push_back(entry);
    std::ranges::push_heap(group.best);
    if (group.best.size() > m_perGroup) {
      std::ranges::pop_heap(group.best);
      group.best.pop_back();
    }
  }
  if (group.number >= kDrawnGroups)
    return;
  if (point.registers >= 0)
    group.byRegisters[point.registers].take(point.medianUs, entry.second);
  for (size_t pair = 0; pair < m_pairs.size(); ++pair) {
    const auto [row, column] = m_pairs[pair];
    const size_t cell =
        valueOf(index, row) * m_merged.sweep().axes[column].values.size() + valueOf(index, column);
    group.byCell[{pair, cell}].take(point.medianUs, entry.second);
  }
}

void Reduction::findBest() {
  for (const auto &[key, group] : m_groups)
    if (m_models.contains(key.second) || key.second == 0)
      ++m_standings[key.second].numGroups;
  for (auto &[model, standing] : m_standings) {
    standing.logarithms.resize(m_numConfigurations);
    standing.counts.resize(m_numConfigurations);
  }
  m_merged.forEach([&](size_t index, const MergedPoint &point) {
    if (!hasTime(point))
      return;
    Group &group = m_groups.at({point.work, point.model});
    takeBest(index, point, group);
    const auto standing = m_standings.find(point.model);
    if (standing == m_standings.end())
      return;
    const size_t configuration = configurationOf(index);
    standing->second.logarithms[configuration] += std::log(point.medianUs / group.fastest.us);
    ++standing->second.counts[configuration];
  });
  for (const auto &[key, group] : m_groups) {
    for (const auto &[us, result] : group.best)
      keep(result);
    for (const auto &[registers, fastest] : group.byRegisters)
      keep(fastest.key);
    for (const auto &[cell, fastest] : group.byCell)
      keep(fastest.key);
  }
}

/// The configuration of each model that is the best over all work, with all of its points.
void Reduction::keepWinners() {
  std::map<uint32_t, size_t> winners;
  for (const auto &[model, standing] : m_standings) {
    float least = std::numeric_limits<float>::infinity();
    for (size_t i = 0; i < m_numConfigurations; ++i)
      if (standing.counts[i] == standing.numGroups && standing.logarithms[i] < least) {
        least = standing.logarithms[i];
        winners[model] = i;
      }
  }
  m_merged.forEach([&](size_t index, const MergedPoint &point) {
    const auto winner = winners.find(point.model);
    if (winner != winners.end() && hasTime(point) && configurationOf(index) == winner->second)
      keep({index, point.model});
  });
}

Sweep Reduction::collect() {
  Sweep sweep = m_merged.sweep();
  const bool hasSeveral = m_models.size() > 1;
  for (const uint32_t model : m_models)
    sweep.models.push_back(m_merged.name(model));
  if (!hasSeveral) {
    sweep.device = sweep.models.empty() ? "" : sweep.models.front();
    sweep.models.clear();
    if (const auto copy = sweep.copyByModel.find(sweep.device); copy != sweep.copyByModel.end())
      sweep.copyGbPerS = copy->second;
  }
  const bool keepsAll = m_numResults <= m_mostPoints;
  m_merged.forEach([&](size_t index, const MergedPoint &point) {
    if (keepsAll || m_kept.contains({index, point.model})) {
      sweep.points.push_back(m_merged.point(index, point));
      return;
    }
    SweepLeftOut &left = sweep.leftOut[hasSeveral ? m_merged.name(point.model) : ""];
    ++left.byStatus[point.status];
    if (point.status == SweepStatus::Failed)
      ++left.byReason[m_merged.name(point.reason)];
  });
  return sweep;
}

Sweep Reduction::run() {
  planAxes();
  findGroups();
  if (m_numResults > m_mostPoints) {
    findBest();
    keepWinners();
  }
  return collect();
}

Sweep reducedSweep(const MergedSweep &merged, size_t mostPoints) {
  return Reduction(merged, mostPoints).run();
}

} // namespace tilescope::profiler
