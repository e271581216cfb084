// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/layout/LayoutMap.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <vector>

namespace tilescope::views {

/// A grid of unit cells, cut into blocks with gaps and titles between them. Content coordinates: a
/// cell is 1 x 1, the grid's upper left corner is the origin, row and column labels lie at negative
/// places.
struct DiagramGrid {
  int rows = 0;
  int columns = 0;
  /// Cells per block; 0: the grid is one block.
  int blockRows = 0;
  int blockColumns = 0;
  /// Space between blocks, in cells.
  double gap = 0;
  /// Further space above each row of blocks but the first, for its titles, in cells. It depends on
  /// the scale: see `DiagramCanvas`.
  double titleGap = 0;
  std::vector<QString> blockTitles;

  int numCells() const { return rows * columns; }
  /// Upper left corner of a cell.
  QPointF origin(int row, int column) const;
  QRectF cellRect(int cell) const;
  /// The cell at a point, or -1 in gaps and outside.
  int cellAt(QPointF point) const;
  QSizeF size() const;
};

/// Which dimensions of a tensor are drawn downwards and across, and where the others are cut.
struct TensorSlice {
  int rowDim = 0;
  int columnDim = 1;
  std::vector<int64_t> fixed;
  bool operator==(const TensorSlice &) const = default;
};

/// The tensor's elements. A tensor of one dimension is wrapped into rows that are easy to look at.
struct TensorGrid {
  DiagramGrid grid;
  /// Element shown in each cell, row-major.
  std::vector<int64_t> elements;
  /// For 1-D tensors: elements per row.
  int wrap = 0;

  /// Cell of an element, or -1 when the slice does not show it.
  int cellOf(const LayoutMap &map, const TensorSlice &slice, int64_t element) const;
};

TensorGrid makeTensorGrid(const LayoutMap &map, const TensorSlice &slice);
/// The default cut: the last two dimensions, the others at 0.
TensorSlice defaultSlice(const LayoutMap &map);

/// The hardware's places: for each warp a block with a row per lane and a column per register, or
/// the other way round when there are few registers; for shared memory, rows of 32 banks of 4
/// bytes.
struct HardwareGrid {
  DiagramGrid grid;
  /// Lanes are columns, registers rows.
  bool lanesAcross = false;
  /// Place shown in each cell.
  std::vector<uint32_t> places;
  /// Cell of each place.
  std::vector<int> cells;
};

HardwareGrid makeHardwareGrid(const LayoutMap &map, int elementBits, bool shared);

} // namespace tilescope::views
