// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/LinearLayout.h"

#include <optional>
#include <vector>

namespace tilescope::compiler {

/// A cell of a grid.
struct Cell {
  int64_t row = 0;
  int64_t column = 0;
  bool operator==(const Cell &) const = default;
};

/// What the cells of a grid stand for (elements, places, or their owners) as a map over the field
/// of two elements, so that nothing has to be stored for each cell:
///
///     at(row, column) = base xor L(row, column) = ofRow(row) xor ofColumn(column)
///
/// Worked example, the 4 x 4 tensor of LinearLayout.h and its lanes (columns: bit 1 -> 1; rows:
/// bit 0 -> 2, bit 1 -> 4):
///
///     0 0 1 1        The step from one column to the next changes the same bits in every row, so
///     2 2 3 3        tiles of equal cells are the products of intervals of rows and of columns.
///     4 4 5 5        Here both edges are global: columns change at 2, rows at 1, 2 and 3.
///     6 6 7 7
class CellMap {
public:
  CellMap() = default;
  /// The inputs of `layout` are `Dim::Column` and `Dim::Row` (here: of cells), in this order.
  explicit CellMap(const LinearLayout &layout, uint64_t base = 0);

  uint64_t at(Cell cell) const { return ofRow(cell.row) ^ ofColumn(cell.column); }
  uint64_t ofRow(int64_t row) const;
  uint64_t ofColumn(int64_t column) const;
  /// A cell with the given image, in a grid without end; none when there is none.
  std::optional<Cell> find(uint64_t image) const;

  /// What `outer` makes of the images. Its inputs begin with the outputs of this map.
  CellMap then(const LinearLayout &outer) const;

  /// Rows or columns between `first` and `last`, both excluded, whose image differs from that of
  /// the one before.
  std::vector<int64_t> edges(Dim axis, int64_t first, int64_t last) const;

  const LinearLayout &layout() const { return m_layout; }

private:
  LinearLayout m_layout;
  uint64_t m_base = 0;
  int m_columnBits = 0;
};

} // namespace tilescope::compiler
