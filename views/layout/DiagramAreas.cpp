// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/DiagramAreas.h"

#include <algorithm>
#include <cmath>

namespace tilescope::views {

/// Pixels between the lines of a pattern.
static constexpr double kHatchPx = 6;

/// The end of the block in which a row or column lies.
static int blockEnd(int at, int block, int count) {
  return block > 0 ? std::min(count, (at / block + 1) * block) : count;
}

std::vector<DiagramArea> diagramAreas(const DiagramGrid &grid, const std::vector<uint16_t> &members,
                                      const CellRange &range) {
  std::vector<DiagramArea> areas;
  const auto memberAt = [&](int row, int column) -> int {
    const size_t cell = static_cast<size_t>(row) * grid.columns + column;
    return cell < members.size() ? members[cell] : -1;
  };
  // Areas that end at the row before, sorted by column.
  std::vector<size_t> open;
  for (int row = range.firstRow; row < range.lastRow; ++row) {
    const bool beginsBlock = grid.blockRows > 0 && row % grid.blockRows == 0;
    std::vector<size_t> now;
    size_t above = 0;
    for (int column = range.firstColumn; column < range.lastColumn;) {
      const int member = memberAt(row, column);
      const int limit =
          std::min(range.lastColumn, blockEnd(column, grid.blockColumns, grid.columns));
      int end = column + 1;
      while (end < limit && memberAt(row, end) == member)
        ++end;
      while (above < open.size() && areas[open[above]].column < column)
        ++above;
      DiagramArea *over = above < open.size() ? &areas[open[above]] : nullptr;
      if (member >= 0 && over && !beginsBlock && over->column == column &&
          over->columns == end - column && over->member == member) {
        ++over->rows;
        now.push_back(open[above]);
      } else if (member >= 0) {
        now.push_back(areas.size());
        areas.push_back({row, column, 1, end - column, member});
      }
      column = end;
    }
    open = std::move(now);
  }
  return areas;
}

static void addHorizontal(QList<QLineF> &lines, const QRectF &area) {
  for (double y = std::ceil(area.top() / kHatchPx) * kHatchPx; y < area.bottom(); y += kHatchPx)
    lines << QLineF(area.left(), y, area.right(), y);
}

static void addVertical(QList<QLineF> &lines, const QRectF &area) {
  for (double x = std::ceil(area.left() / kHatchPx) * kHatchPx; x < area.right(); x += kHatchPx)
    lines << QLineF(x, area.top(), x, area.bottom());
}

/// Lines on which x + slope · y is a multiple of the distance, cut at the area's edges.
static void addDiagonal(QList<QLineF> &lines, const QRectF &area, int slope) {
  const double step = kHatchPx * std::sqrt(2.0);
  const double corners[] = {area.left() + slope * area.top(), area.right() + slope * area.top(),
                            area.left() + slope * area.bottom(),
                            area.right() + slope * area.bottom()};
  const auto [low, high] = std::minmax_element(std::begin(corners), std::end(corners));
  for (double sum = std::ceil(*low / step) * step; sum < *high; sum += step) {
    // x at the upper and at the lower edge, then moved along the line to within the area.
    const auto at = [&](double y) {
      const double x = std::clamp(sum - slope * y, area.left(), area.right());
      return QPointF(x, (sum - x) / slope);
    };
    lines << QLineF(at(area.top()), at(area.bottom()));
  }
}

QList<QLineF> hatchLines(const QRectF &area, int member) {
  QList<QLineF> lines;
  const int pattern = member % 8;
  if (pattern == 1 || pattern == 4 || pattern == 7)
    addDiagonal(lines, area, 1);
  if (pattern == 2 || pattern == 4)
    addDiagonal(lines, area, -1);
  if (pattern == 3 || pattern == 6 || pattern == 7)
    addHorizontal(lines, area);
  if (pattern == 5 || pattern == 6)
    addVertical(lines, area);
  return lines;
}

} // namespace tilescope::views
