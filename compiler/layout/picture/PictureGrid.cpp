// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/picture/PictureGrid.h"

#include <algorithm>
#include <cmath>

namespace tilescope::compiler {

static int64_t numBlocks(int64_t count, int64_t block) {
  return block > 0 ? (count + block - 1) / block : 1;
}

int64_t PictureGrid::numBlocksDown() const { return numBlocks(rows, blockRows); }
int64_t PictureGrid::numBlocksAcross() const { return numBlocks(columns, blockColumns); }

GridPoint PictureGrid::origin(Cell cell) const {
  const int64_t down = blockRows > 0 ? cell.row / blockRows : 0;
  const int64_t across = blockColumns > 0 ? cell.column / blockColumns : 0;
  return {static_cast<double>(cell.column) + gap * static_cast<double>(across),
          static_cast<double>(cell.row) + (gap + titleGap) * static_cast<double>(down)};
}

/// A position along one axis: the cell it lies in, or behind which a gap begins.
static std::pair<int64_t, bool> alongAxis(double at, int64_t count, int64_t block, double gap) {
  const double end = 2.0 * static_cast<double>(count) * (1 + gap) + 1;
  at = std::clamp(at, -1.0, end);
  if (at < 0)
    return {-1, false};
  if (block <= 0)
    return {static_cast<int64_t>(at), at < static_cast<double>(count)};
  const double pitch = static_cast<double>(block) + gap;
  const auto index = static_cast<int64_t>(at / pitch);
  const double within = at - static_cast<double>(index) * pitch;
  const bool isInside = within < static_cast<double>(block);
  const int64_t result = index * block + std::min(static_cast<int64_t>(within), block - 1);
  return {result, isInside && result < count};
}

int64_t PictureGrid::cellAt(GridPoint point) const {
  const auto [row, isInRow] = alongAxis(point.y, rows, blockRows, gap + titleGap);
  const auto [column, isInColumn] = alongAxis(point.x, columns, blockColumns, gap);
  return isInRow && isInColumn && contains({row, column}) ? number({row, column}) : -1;
}

double PictureGrid::width() const { return columns > 0 ? origin({0, columns - 1}).x + 1 : 0; }
double PictureGrid::height() const { return rows > 0 ? origin({rows - 1, 0}).y + 1 : 0; }

CellRange PictureGrid::touching(const GridRect &rect) const {
  const auto range = [](double low, double high, int64_t count, int64_t block,
                        double between) -> Interval {
    const int64_t first = alongAxis(low, count, block, between).first;
    const int64_t last = alongAxis(high, count, block, between).first + 1;
    return {std::clamp<int64_t>(first, 0, count), std::clamp<int64_t>(last, 0, count)};
  };
  const Interval down = range(rect.y, rect.y + rect.height, rows, blockRows, gap + titleGap);
  const Interval across = range(rect.x, rect.x + rect.width, columns, blockColumns, gap);
  return {down.first, down.second, across.first, across.second};
}

std::vector<Interval> tileIntervals(const CellMap &members, Dim axis, int64_t block, int64_t first,
                                    int64_t last) {
  std::vector<int64_t> ends = members.edges(axis, first, last);
  if (block > 0) {
    const size_t numEdges = ends.size();
    for (int64_t at = (first / block + 1) * block; at < last; at += block)
      ends.push_back(at);
    std::inplace_merge(ends.begin(), ends.begin() + static_cast<long>(numEdges), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  }
  std::vector<Interval> result;
  if (first < last)
    ends.push_back(last);
  for (int64_t end : ends) {
    result.emplace_back(first, end);
    first = end;
  }
  return result;
}

} // namespace tilescope::compiler
