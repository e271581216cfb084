// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/model/LayeredGraph.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilescope::views {

using Numbers = std::vector<uint32_t>;

/// How often order and heights go through the columns, to and fro: beyond it, little changes.
static constexpr int kNumSweeps = 6;
/// Lines may pass this often for each box; where they would more often, the longest ones jump.
static constexpr size_t kMostPassesPerBox = 6, kFewPasses = 4000;
/// A line that passes bends less willingly than a box moves.
static constexpr double kPassWeight = 4;
/// Of the height of a box.
static constexpr double kPassHeight = 0.2;

/// Each box stands behind the last one that it reads. One that reads nothing stands right before the first
/// one that reads it, which keeps its line short.
static Numbers columnsOf(const std::vector<Numbers> &sources, const std::vector<Numbers> &readers) {
  Numbers columns(sources.size(), 0);
  for (size_t i = 0; i < sources.size(); ++i)
    for (const uint32_t source : sources[i])
      columns[i] = std::max(columns[i], columns[source] + 1);
  for (size_t i = 0; i < sources.size(); ++i) {
    if (!sources[i].empty() || readers[i].empty())
      continue;
    uint32_t first = UINT32_MAX;
    for (const uint32_t reader : readers[i])
      first = std::min(first, columns[reader]);
    columns[i] = first - 1;
  }
  return columns;
}

/// The most columns that a line crosses without jumping.
static uint32_t longestLine(const std::vector<Numbers> &readers, const Numbers &columns) {
  // How many lines lead that far.
  std::vector<size_t> counts;
  for (size_t i = 0; i < readers.size(); ++i)
    for (const uint32_t reader : readers[i]) {
      const size_t length = columns[reader] - columns[i];
      counts.resize(std::max(counts.size(), length + 1));
      ++counts[length];
    }
  size_t room = std::max(kFewPasses, kMostPassesPerBox * readers.size());
  for (size_t length = 2; length < counts.size(); ++length) {
    const size_t passes = counts[length] * (length - 1);
    if (passes > room)
      return static_cast<uint32_t>(length - 1);
    room -= passes;
  }
  return UINT32_MAX;
}

namespace {
/// Places by number, in the order in which they were made, and the numbers of each column from top to bottom.
struct Draft {
  std::vector<GraphPlace> places;
  std::vector<Numbers> before;
  std::vector<Numbers> columns;
  const GraphMetrics *metrics = nullptr;

  uint32_t add(uint32_t box, bool isPass, uint32_t column);
  void join(uint32_t from, uint32_t to);
  void orderBy(size_t column, bool byBefore, const std::vector<double> &ranks);
  void order();
  void placeBy(size_t column, bool byBefore, bool byBehind);
  void place();
  double heightOf(const GraphPlace &place) const {
    return metrics->boxHeight * (place.isPass ? kPassHeight : 1);
  }
};
} // namespace

uint32_t Draft::add(uint32_t box, bool isPass, uint32_t column) {
  const auto number = static_cast<uint32_t>(places.size());
  places.push_back({box, isPass, column, 0, {}});
  before.emplace_back();
  columns.resize(std::max<size_t>(columns.size(), column + 1));
  columns[column].push_back(number);
  return number;
}

void Draft::join(uint32_t from, uint32_t to) {
  places[from].next.push_back(to);
  before[to].push_back(from);
}

static double meanOf(const Numbers &numbers, const auto &valueOf) {
  double sum = 0;
  for (const uint32_t number : numbers)
    sum += valueOf(number);
  return sum / static_cast<double>(numbers.size());
}

void Draft::orderBy(size_t column, bool byBefore, const std::vector<double> &ranks) {
  std::vector<std::pair<double, uint32_t>> keys;
  for (const uint32_t number : columns[column]) {
    const Numbers &neighbors = byBefore ? before[number] : places[number].next;
    keys.emplace_back(neighbors.empty()
                          ? ranks[number]
                          : meanOf(neighbors, [&](uint32_t each) { return ranks[each]; }),
                      number);
  }
  std::ranges::stable_sort(keys, {}, &std::pair<double, uint32_t>::first);
  std::ranges::transform(keys, columns[column].begin(), &std::pair<double, uint32_t>::second);
}

void Draft::order() {
  // From 0 to 1 in each column, so that those of columns of other sizes compare.
  std::vector<double> ranks(places.size());
  const auto rank = [&](size_t column) {
    const Numbers &numbers = columns[column];
    for (size_t i = 0; i < numbers.size(); ++i)
      ranks[numbers[i]] = (static_cast<double>(i) + 0.5) / static_cast<double>(numbers.size());
  };
  for (size_t column = 0; column < columns.size(); ++column)
    rank(column);
  for (int sweep = 0; sweep < kNumSweeps; ++sweep)
    for (size_t i = 1; i < columns.size(); ++i) {
      const bool isBack = sweep % 2 == 1;
      const size_t column = isBack ? columns.size() - 1 - i : i;
      orderBy(column, !isBack, ranks);
      rank(column);
    }
}

/// The heights nearest to the wanted ones, by weighted least squares, of places that keep their order and
/// their distances (the pool adjacent violators algorithm).
void Draft::placeBy(size_t column, bool byBefore, bool byBehind) {
  struct Pool {
    double sum, weight;
    size_t count;
    double mean() const { return sum / weight; }
  };
  std::vector<Pool> pools;
  std::vector<double> offsets;
  double offset = 0, above = 0;
  const auto heightAt = [&](uint32_t each) { return places[each].y; };
  for (const uint32_t number : columns[column]) {
    const GraphPlace &place = places[number];
    const double half = heightOf(place) / 2;
    offset += offsets.empty() ? 0 : above + half + metrics->rowGap;
    above = half;
    offsets.push_back(offset);
    double wanted = 0;
    int numSides = 0;
    const auto wantBeside = [&](const Numbers &neighbors) {
      if (neighbors.empty())
        return;
      wanted += meanOf(neighbors, heightAt);
      ++numSides;
    };
    if (byBefore)
      wantBeside(before[number]);
    if (byBehind)
      wantBeside(place.next);
    const double weight = place.isPass ? kPassWeight : 1;
    const double height = (numSides == 0 ? place.y : wanted / numSides) - offset;
    pools.push_back({height * weight, weight, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().weight += last.weight;
      pools.back().count += last.count;
    }
  }
  size_t i = 0;
  for (const Pool &pool : pools)
    for (size_t each = 0; each < pool.count; ++each, ++i)
      places[columns[column][i]].y = pool.mean() + offsets[i];
}

void Draft::place() {
  for (size_t column = 0; column < columns.size(); ++column)
    placeBy(column, true, false);
  for (int sweep = 0; sweep < kNumSweeps; ++sweep)
    for (size_t i = 0; i < columns.size(); ++i) {
      const bool isBack = sweep % 2 == 0;
      placeBy(isBack ? columns.size() - 1 - i : i, true, true);
    }
}

LayeredGraph::LayeredGraph(std::vector<Numbers> sources, const GraphMetrics &metrics)
    : m_metrics(metrics), m_sources(std::move(sources)), m_readers(m_sources.size()) {
  for (uint32_t i = 0; i < m_sources.size(); ++i)
    for (const uint32_t source : m_sources[i])
      m_readers[source].push_back(i);
  const Numbers columns = columnsOf(m_sources, m_readers);
  const uint32_t longest = longestLine(m_readers, columns);

  Draft draft;
  draft.metrics = &m_metrics;
  for (uint32_t i = 0; i < m_sources.size(); ++i)
    draft.add(i, false, columns[i]);
  for (uint32_t i = 0; i < m_sources.size(); ++i) {
    // One line leads to all readers, as far as it is shared.
    Numbers way{i};
    for (const uint32_t reader : m_readers[i]) {
      const uint32_t length = columns[reader] - columns[i];
      if (length > longest) {
        m_jumps.push_back({i, reader});
        continue;
      }
      while (way.size() < length) {
        way.push_back(draft.add(i, true, columns[i] + static_cast<uint32_t>(way.size())));
        draft.join(way[way.size() - 2], way.back());
      }
      draft.join(way[length - 1], reader);
    }
  }
  draft.order();
  draft.place();

  // Numbered in the order in which they stand.
  Numbers positions(draft.places.size());
  for (const Numbers &column : draft.columns) {
    m_firsts.push_back(static_cast<uint32_t>(m_places.size()));
    for (const uint32_t number : column) {
      positions[number] = static_cast<uint32_t>(m_places.size());
      m_places.push_back(std::move(draft.places[number]));
    }
  }
  m_firsts.push_back(static_cast<uint32_t>(m_places.size()));
  m_placeOf.assign(positions.begin(),
                   positions.begin() + static_cast<std::ptrdiff_t>(m_sources.size()));
  double top = 0, bottom = 0;
  for (const GraphPlace &place : m_places) {
    const double half = draft.heightOf(place) / 2;
    top = std::min(top, place.y - half);
    bottom = std::max(bottom, place.y + half);
  }
  for (GraphPlace &place : m_places) {
    place.y -= top;
    for (uint32_t &next : place.next)
      next = positions[next];
  }
  m_height = bottom - top;
}

double LayeredGraph::width() const {
  return numColumns() == 0 ? 0 : columnX(numColumns() - 1) + m_metrics.boxWidth;
}

GridRect LayeredGraph::boxRect(size_t box) const {
  const GraphPlace &place = m_places[m_placeOf[box]];
  return {columnX(place.column), place.y - m_metrics.boxHeight / 2, m_metrics.boxWidth,
          m_metrics.boxHeight};
}

Interval LayeredGraph::columnsIn(double left, double right) const {
  const double step = m_metrics.boxWidth + m_metrics.columnGap;
  const auto end = static_cast<int64_t>(numColumns());
  const int64_t first = std::clamp<int64_t>(static_cast<int64_t>(std::floor(left / step)), 0, end);
  const int64_t behind =
      std::clamp<int64_t>(static_cast<int64_t>(std::floor(right / step)) + 1, first, end);
  return {first, behind};
}

std::vector<uint32_t> LayeredGraph::wayTo(uint32_t from, uint32_t to) const {
  Numbers way{m_placeOf[from]};
  const uint32_t target = m_placeOf[to];
  while (way.back() != target) {
    const Numbers &next = m_places[way.back()].next;
    if (std::ranges::find(next, target) != next.end()) {
      way.push_back(target);
      break;
    }
    const auto pass =
        std::ranges::find_if(next, [&](uint32_t each) { return m_places[each].isPass; });
    if (pass == next.end())
      return {};
    way.push_back(*pass);
  }
  return way;
}

int LayeredGraph::boxAt(GridPoint point) const {
  const auto [first, behind] = columnsIn(point.x, point.x);
  for (int64_t column = first; column < behind; ++column) {
    if (point.x >= columnX(static_cast<size_t>(column)) + m_metrics.boxWidth)
      continue;
    const auto [begin, end] = placesIn(static_cast<size_t>(column));
    for (int64_t i = begin; i < end; ++i) {
      const GraphPlace &place = m_places[static_cast<size_t>(i)];
      if (!place.isPass && std::abs(place.y - point.y) <= m_metrics.boxHeight / 2)
        return static_cast<int>(place.box);
    }
  }
  return -1;
}

uint32_t LayeredGraph::neighbor(uint32_t box, int by) const {
  const auto [begin, end] = placesIn(columnOf(box));
  for (int64_t i = int64_t(m_placeOf[box]) + by; i >= begin && i < end; i += by)
    if (!m_places[static_cast<size_t>(i)].isPass)
      return m_places[static_cast<size_t>(i)].box;
  return box;
}

} // namespace tilescope::views
