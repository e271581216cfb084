// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/DiagramGrid.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

QPointF DiagramGrid::origin(int row, int column) const {
  const int down = blockRows > 0 ? row / blockRows : 0;
  const int across = blockColumns > 0 ? column / blockColumns : 0;
  return {column + gap * across, row + (gap + titleGap) * down};
}

QRectF DiagramGrid::cellRect(int cell) const {
  return {origin(cell / columns, cell % columns), QSizeF(1, 1)};
}

/// Position within blocks of `block` cells that are `gap` apart; -1 in a gap.
static int alongAxis(double at, int count, int block, double gap) {
  if (at < 0)
    return -1;
  if (block <= 0)
    return at < count ? static_cast<int>(at) : -1;
  const double pitch = block + gap;
  const int index = static_cast<int>(at / pitch);
  const double within = at - index * pitch;
  const int result = index * block + static_cast<int>(within);
  return within < block && result < count ? result : -1;
}

int DiagramGrid::cellAt(QPointF point) const {
  const int row = alongAxis(point.y(), rows, blockRows, gap + titleGap);
  const int column = alongAxis(point.x(), columns, blockColumns, gap);
  return row < 0 || column < 0 ? -1 : row * columns + column;
}

QSizeF DiagramGrid::size() const {
  if (rows == 0 || columns == 0)
    return {};
  const QPointF last = origin(rows - 1, columns - 1);
  return {last.x() + 1, last.y() + 1};
}

TensorSlice defaultSlice(const LayoutMap &map) {
  const int rank = static_cast<int>(map.shape().size());
  return {std::max(0, rank - 2), std::max(0, rank - 1), std::vector<int64_t>(rank, 0)};
}

/// A power of two of columns that makes the picture about twice as wide as high.
static int wrapFor(int64_t numElements) {
  int columns = 1;
  while (static_cast<int64_t>(columns) * columns < 2 * numElements)
    columns *= 2;
  return static_cast<int>(std::min<int64_t>(columns, numElements));
}

TensorGrid makeTensorGrid(const LayoutMap &map, const TensorSlice &slice) {
  TensorGrid result;
  const auto &shape = map.shape();
  if (shape.size() <= 1) {
    const int64_t count = map.numElements();
    result.wrap = wrapFor(count);
    result.grid.columns = result.wrap;
    result.grid.rows = static_cast<int>((count + result.wrap - 1) / result.wrap);
    result.elements.resize(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i)
      result.elements[i] = i;
    return result;
  }
  result.grid.rows = static_cast<int>(shape[slice.rowDim]);
  result.grid.columns = static_cast<int>(shape[slice.columnDim]);
  std::vector<int64_t> at = slice.fixed;
  at.resize(shape.size(), 0);
  at[slice.rowDim] = at[slice.columnDim] = 0;
  const int64_t base = map.elementAt(at);
  at[slice.rowDim] = 1;
  const int64_t rowStride = shape[slice.rowDim] > 1 ? map.elementAt(at) - base : 0;
  at[slice.rowDim] = 0;
  at[slice.columnDim] = 1;
  const int64_t columnStride = shape[slice.columnDim] > 1 ? map.elementAt(at) - base : 0;
  result.elements.reserve(static_cast<size_t>(result.grid.numCells()));
  for (int row = 0; row < result.grid.rows; ++row)
    for (int column = 0; column < result.grid.columns; ++column)
      result.elements.push_back(base + row * rowStride + column * columnStride);
  return result;
}

int TensorGrid::cellOf(const LayoutMap &map, const TensorSlice &slice, int64_t element) const {
  if (wrap > 0)
    return static_cast<int>(element);
  const std::vector<int64_t> at = map.coordinates(element);
  for (size_t dim = 0; dim < at.size(); ++dim)
    if (static_cast<int>(dim) != slice.rowDim && static_cast<int>(dim) != slice.columnDim &&
        at[dim] != (dim < slice.fixed.size() ? slice.fixed[dim] : 0))
      return -1;
  return static_cast<int>(at[slice.rowDim]) * grid.columns + static_cast<int>(at[slice.columnDim]);
}

static HardwareGrid makeSharedGrid(const LayoutMap &map, int elementBits) {
  HardwareGrid result;
  const int elementsPerBank = std::max(1, 32 / std::max(1, elementBits));
  const auto count = static_cast<int>(map.numPlaces());
  result.grid.columns = std::min(count, 32 * elementsPerBank);
  result.grid.rows = (count + result.grid.columns - 1) / result.grid.columns;
  // Four groups of eight banks: easier to count than 32 in a row.
  result.grid.blockColumns = 8 * elementsPerBank;
  result.grid.blockRows = result.grid.rows;
  result.grid.gap = 0.5;
  result.places.resize(static_cast<size_t>(count));
  result.cells.resize(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    result.places[i] = static_cast<uint32_t>(i);
    result.cells[i] = i;
  }
  return result;
}

HardwareGrid makeHardwareGrid(const LayoutMap &map, int elementBits, bool shared) {
  if (shared)
    return makeSharedGrid(map, elementBits);
  HardwareGrid result;
  const int registers = map.size("register");
  const int lanes = map.size("lane");
  const int warps = map.size("warp") * map.size("block");
  // A block that is far higher than wide is laid on its side.
  result.lanesAcross = registers * 4 < lanes;
  DiagramGrid &grid = result.grid;
  grid.blockRows = result.lanesAcross ? registers : lanes;
  grid.blockColumns = result.lanesAcross ? lanes : registers;
  // As many warps across as make the picture about 1.6 times as wide as high.
  int across = 1;
  while (across < warps &&
         across * grid.blockColumns * 1.0 / (grid.blockRows * std::ceil(double(warps) / across)) <
             1.1)
    across *= 2;
  across = std::min(across, warps);
  grid.gap = std::clamp(0.05 * std::max(lanes, registers), 1.0, 3.0);
  grid.columns = across * grid.blockColumns;
  grid.rows = (warps + across - 1) / across * grid.blockRows;
  result.places.assign(static_cast<size_t>(result.grid.numCells()), 0);
  result.cells.assign(map.numPlaces(), -1);
  const int warpsPerBlock = map.size("warp");
  for (int w = 0; w < warps; ++w) {
    result.grid.blockTitles.push_back(
        map.size("block") > 1 ? QCoreApplication::translate("DiagramGrid", "block %1 warp %2")
                                    .arg(w / warpsPerBlock)
                                    .arg(w % warpsPerBlock)
                              : QCoreApplication::translate("DiagramGrid", "warp %1").arg(w));
    for (int lane = 0; lane < lanes; ++lane)
      for (int reg = 0; reg < registers; ++reg) {
        const uint32_t place = map.place(reg, lane, w % warpsPerBlock, w / warpsPerBlock);
        const int row = w / across * grid.blockRows + (result.lanesAcross ? reg : lane);
        const int column = w % across * grid.blockColumns + (result.lanesAcross ? lane : reg);
        result.places[row * result.grid.columns + column] = place;
        result.cells[place] = row * result.grid.columns + column;
      }
  }
  return result;
}

} // namespace tilescope::views
