// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/TensorMemory.h"

#include <algorithm>

namespace tilescope::compiler {

namespace {
/// Collects the images of the bits of row and column.
class PlaceBits {
public:
  explicit PlaceBits(Shape shape) : m_rows(shape[0]), m_columns(shape[1]) {}

  /// The next bit of `place` moves the element by that much; beyond the block, not at all.
  void add(Dim place, int64_t down, int64_t right) {
    const uint64_t image = down < m_rows && right < m_columns ? down * m_columns + right : 0;
    (place == Dim::Row ? m_ofRow : m_ofColumn).push_back(image);
  }
  void addUnused(Dim place) { add(place, 0, 0); }
  /// Bits that move the element by [begin, 2 * begin, …, end / 2] rows or columns.
  void addDown(Dim place, int64_t begin, int64_t end) {
    for (int64_t down = begin; down < end; down *= 2)
      add(place, down, 0);
  }
  void addRight(Dim place, int64_t begin, int64_t end) {
    for (int64_t right = begin; right < end; right *= 2)
      add(place, 0, right);
  }

  LinearLayout layout() const {
    LinearLayout::Columns all = m_ofRow;
    for (uint64_t image : m_ofColumn)
      all.push_back(image);
    return {{DimBits{Dim::Row, static_cast<uint8_t>(m_ofRow.size())},
             DimBits{Dim::Column, static_cast<uint8_t>(m_ofColumn.size())}},
            {{tensorDim(1), log2Exact(m_columns)}, {tensorDim(0), log2Exact(m_rows)}},
            all};
  }

private:
  int64_t m_rows, m_columns;
  LinearLayout::Columns m_ofRow, m_ofColumn;
};
} // namespace

LinearLayout tensorMemoryLayout(Shape shape, const TensorMemoryParameters &parameters) {
  const int64_t blockRows = parameters.blockRows;
  const int64_t blockColumns = std::min(parameters.blockColumns, shape[1]);
  // From where on rows and columns of the block are in further columns.
  int64_t nextRows = blockRows, nextColumns = blockColumns;
  PlaceBits bits(shape);
  if (blockRows == kTensorMemoryRows) {
    bits.addDown(Dim::Row, 1, blockRows);
  } else {
    constexpr int64_t kStripRows = 16;
    bits.addDown(Dim::Row, 1, kStripRows);
    if (shape[0] > blockRows) {
      bits.add(Dim::Row, blockRows, 0);
      nextRows *= 2;
    } else if (shape[1] > blockColumns) {
      bits.add(Dim::Row, 0, blockColumns);
      nextColumns *= 2;
    } else {
      bits.addUnused(Dim::Row);
    }
    bits.addDown(Dim::Row, kStripRows, blockRows);
  }
  for (int64_t step = 1; step < parameters.columnStride; step *= 2)
    bits.addUnused(Dim::Column);
  bits.addRight(Dim::Column, 1, blockColumns);
  bits.addDown(Dim::Column, nextRows, shape[0]);
  bits.addRight(Dim::Column, nextColumns, shape[1]);
  return bits.layout();
}

LinearLayout tensorMemoryScalesLayout(Shape shape, bool depthFirst) {
  constexpr int64_t kStripRows = 32, kStripColumns = 4;
  PlaceBits bits(shape);
  bits.addDown(Dim::Row, 1, kStripRows);
  for (int64_t rows = kStripRows; rows < kTensorMemoryRows; rows *= 2)
    bits.addUnused(Dim::Row);
  bits.addRight(Dim::Column, 1, kStripColumns);
  const int64_t blockRows = depthFirst ? std::min<int64_t>(shape[0], kTensorMemoryRows) : shape[0];
  bits.addDown(Dim::Column, kStripRows, blockRows);
  bits.addRight(Dim::Column, kStripColumns, shape[1]);
  bits.addDown(Dim::Column, blockRows, shape[0]);
  return bits.layout();
}

} // namespace tilescope::compiler
