// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/picture/SharedMap.h"

#include <algorithm>
#include <cmath>

namespace tilescope::compiler::access {

/// Of each step: whether something begins, ends or happens in it.
static std::vector<bool> busySteps(const SharedFacts &facts) {
  std::vector<bool> busy(facts.steps.size());
  const auto mark = [&](uint32_t step) {
    if (step < busy.size())
      busy[step] = true;
  };
  for (const SharedBuffer &buffer : facts.buffers)
    // What is needed from beginning to end neither begins nor ends anywhere.
    if (buffer.use != SharedUse::Dispatch) {
      mark(buffer.begin);
      mark(buffer.end - 1);
    }
  for (const SharedAccess &access : facts.accesses)
    mark(access.step);
  return busy;
}

std::vector<SharedRow> SharedMap::rowsOf(const SharedFacts &facts) {
  const std::vector<bool> busy = busySteps(facts);
  std::vector<SharedRow> rows;
  for (uint32_t step = 0; step < busy.size(); ++step) {
    if (!busy[step] && !rows.empty() && rows.back().isFolded)
      rows.back().end = step + 1;
    else
      rows.push_back({step, step + 1, !busy[step]});
  }
  return rows;
}

SharedMap::SharedMap(const SharedFacts &facts, const Size &size)
    : m_size(size), m_total(std::max<int64_t>(facts.total, 1)), m_rows(rowsOf(facts)) {
  m_tops.push_back(0);
  for (const SharedRow &row : m_rows)
    m_tops.push_back(m_tops.back() + (row.isFolded ? size.foldedHeight : size.rowHeight));
  for (const SharedBuffer &buffer : facts.buffers) {
    GridRect &box = m_boxes.emplace_back();
    box.width = std::min(std::max(xOf(buffer.bytes), size.leastBox), size.width);
    box.x = std::min(xOf(buffer.offset), size.width - box.width);
    if (buffer.begin >= buffer.end || m_rows.empty())
      continue;
    box.y = m_tops[rowOf(buffer.begin)];
    box.height = m_tops[rowOf(buffer.end - 1) + 1] - box.y;
  }
}

double SharedMap::fittingRowHeight(const SharedFacts &facts, double height, double foldedHeight,
                                   double least, double most) {
  const std::vector<SharedRow> rows = rowsOf(facts);
  const auto numFolded = std::ranges::count_if(rows, &SharedRow::isFolded);
  const auto numWhole = static_cast<double>(rows.size()) - static_cast<double>(numFolded);
  if (numWhole == 0)
    return most;
  return std::clamp((height - static_cast<double>(numFolded) * foldedHeight) / numWhole, least,
                    most);
}

GridRect SharedMap::row(size_t index) const {
  return {0, m_tops[index], m_size.width, m_tops[index + 1] - m_tops[index]};
}

size_t SharedMap::rowOf(uint32_t step) const {
  const auto behind = std::ranges::upper_bound(m_rows, step, {}, &SharedRow::begin);
  return static_cast<size_t>(std::max<int64_t>(behind - m_rows.begin() - 1, 0));
}

Interval SharedMap::rowsIn(double top, double bottom) const {
  if (m_rows.empty())
    return {0, 0};
  const auto ends = std::span(m_tops).subspan(1);
  const auto first = std::ranges::upper_bound(ends, top) - ends.begin();
  const auto begins = std::span(m_tops).first(m_rows.size());
  const auto last = std::ranges::lower_bound(begins, bottom) - begins.begin();
  return {first, std::max(first, last)};
}

double SharedMap::xOf(int64_t byte) const {
  return m_size.width * static_cast<double>(byte) / static_cast<double>(m_total);
}

int bufferAt(const SharedMap &map, GridPoint point) {
  int found = -1;
  double least = 0;
  for (size_t i = 0; i < map.numBoxes(); ++i) {
    const GridRect &box = map.box(i);
    const double area = box.width * box.height;
    const bool isIn = point.x >= box.x && point.x < box.x + box.width && point.y >= box.y &&
                      point.y < box.y + box.height;
    if (isIn && (found < 0 || area < least)) {
      found = static_cast<int>(i);
      least = area;
    }
  }
  return found;
}

/// How far a box lies from another in a direction; nothing where it lies elsewhere.
static double distance(const GridRect &from, const GridRect &to, Step step) {
  const double right = to.x + to.width / 2 - from.x - from.width / 2;
  const double down = to.y + to.height / 2 - from.y - from.height / 2;
  const bool isAcross = step == Step::Left || step == Step::Right;
  const bool isBack = step == Step::Left || step == Step::Up;
  const double ahead = (isAcross ? right : down) * (isBack ? -1 : 1);
  const double aside = std::abs(isAcross ? down : right);
  return ahead > 0 ? ahead + 2 * aside : INFINITY;
}

int bufferFrom(const SharedMap &map, int buffer, Step step) {
  const int last = static_cast<int>(map.numBoxes()) - 1;
  if (last < 0)
    return -1;
  const int from = std::clamp(buffer, 0, last);
  switch (step) {
  case Step::RowStart:
  case Step::First:
    return 0;
  case Step::RowEnd:
  case Step::Last:
    return last;
  default:
    break;
  }
  int best = from;
  double least = INFINITY;
  for (int i = 0; i <= last; ++i) {
    const double away =
        distance(map.box(static_cast<size_t>(from)), map.box(static_cast<size_t>(i)), step);
    if (i != from && away < least) {
      best = i;
      least = away;
    }
  }
  return best;
}

int64_t offsetStep(int64_t total, int most) {
  int64_t step = 1;
  while (total / step > most)
    step *= 2;
  return step;
}

std::vector<std::vector<RingCell>> ringTable(const SharedFacts &facts, const SharedRing &ring) {
  const auto slots = static_cast<size_t>(facts.buffers[ring.buffer].slots);
  std::vector<std::vector<RingCell>> rows;
  std::vector<RingCell> row(slots);
  for (int iteration = -1; iteration < ring.numIterations; ++iteration) {
    for (RingCell &cell : row)
      cell.isWritten = cell.isRead = false;
    for (const RingTurn &turn : ring.turns) {
      if (turn.iteration != iteration)
        continue;
      RingCell &cell = row[static_cast<size_t>(turn.slot)];
      cell.block = turn.block;
      (turn.isWrite ? cell.isWritten : cell.isRead) = true;
    }
    rows.push_back(row);
  }
  return rows;
}

} // namespace tilescope::compiler::access
