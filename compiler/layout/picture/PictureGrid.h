// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/picture/CellMap.h"

#include <utility>
#include <vector>

namespace tilescope::compiler {

struct GridPoint {
  double x = 0;
  double y = 0;
};

struct GridRect {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
  bool operator==(const GridRect &) const = default;
};

/// Half-open ranges of rows and columns.
struct CellRange {
  int64_t firstRow = 0;
  int64_t lastRow = 0;
  int64_t firstColumn = 0;
  int64_t lastColumn = 0;
  bool operator==(const CellRange &) const = default;
};

/// A grid of unit cells, cut into blocks with gaps and titles between them. Content coordinates: a
/// cell is 1 x 1, the grid's upper left corner is the origin, row and column labels lie at negative
/// places. Cells are numbered row by row.
struct PictureGrid {
  int64_t rows = 0;
  int64_t columns = 0;
  /// The last row may have fewer cells than columns.
  int64_t numCells = 0;
  /// Cells per block; 0: the grid is one block.
  int64_t blockRows = 0;
  int64_t blockColumns = 0;
  /// Space between blocks, in cells.
  double gap = 0;
  /// Further space above each row of blocks but the first, for its titles, in cells. It depends on
  /// the scale at which the grid is drawn.
  double titleGap = 0;
  bool hasTitles = false;
  /// Rows within a block that a line sets apart from the next; 1: none.
  int64_t groupRows = 1;

  int64_t number(Cell cell) const { return cell.row * columns + cell.column; }
  Cell cell(int64_t number) const { return {number / columns, number % columns}; }
  bool contains(Cell cell) const {
    return cell.row >= 0 && cell.column >= 0 && cell.column < columns && number(cell) < numCells;
  }
  int64_t numBlocksDown() const;
  int64_t numBlocksAcross() const;

  /// Upper left corner of a cell.
  GridPoint origin(Cell cell) const;
  /// The number of the cell at a point, or -1 in gaps and outside.
  int64_t cellAt(GridPoint point) const;
  double width() const;
  double height() const;
  /// The cells that a rectangle touches.
  CellRange touching(const GridRect &rect) const;
};

/// One interval of rows or columns.
using Interval = std::pair<int64_t, int64_t>;

/// Cuts columns (or rows) into the intervals within which `members` does not change; none reaches
/// across blocks of `block` cells (0: there is one block).
std::vector<Interval> tileIntervals(const CellMap &members, Dim axis, int64_t block, int64_t first,
                                    int64_t last);

} // namespace tilescope::compiler
