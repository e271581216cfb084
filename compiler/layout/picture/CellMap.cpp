// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/picture/CellMap.h"

#include "compiler/layout/Gf2.h"

#include <algorithm>
#include <bit>

namespace tilescope::compiler {

CellMap::CellMap(const LinearLayout &layout, uint64_t base)
    : m_layout(layout), m_base(base), m_columnBits(layout.inBits(Dim::Column)) {
  assert(layout.ins().size() == 2 && layout.ins()[0].dim == Dim::Column &&
         layout.ins()[1].dim == Dim::Row);
}

uint64_t CellMap::ofRow(int64_t row) const {
  return m_base ^ m_layout.applyPacked(static_cast<uint64_t>(row) << m_columnBits);
}

uint64_t CellMap::ofColumn(int64_t column) const {
  return m_layout.applyPacked(static_cast<uint64_t>(column) & ((uint64_t(1) << m_columnBits) - 1));
}

std::optional<Cell> CellMap::find(uint64_t image) const {
  gf2::Basis basis;
  for (uint64_t column : m_layout.columns())
    basis.insert(column);
  const std::optional<uint64_t> packed = basis.solve(image ^ m_base);
  if (!packed)
    return std::nullopt;
  return Cell{static_cast<int64_t>(*packed >> m_columnBits),
              static_cast<int64_t>(*packed & ((uint64_t(1) << m_columnBits) - 1))};
}

CellMap CellMap::then(const LinearLayout &outer) const {
  return CellMap(m_layout.compose(outer), outer.applyPacked(m_base));
}

std::vector<int64_t> CellMap::edges(Dim axis, int64_t first, int64_t last) const {
  // From `at - 1` to `at` the trailing bits of `at` flip: up to its lowest set bit.
  std::vector<bool> changes;
  uint64_t flipped = 0;
  for (uint64_t column : m_layout.columns(axis))
    changes.push_back((flipped ^= column) != 0);
  std::vector<int64_t> result;
  for (int64_t at = first + 1; at < last; ++at)
    if (const auto bit = static_cast<size_t>(std::countr_zero(static_cast<uint64_t>(at)));
        bit < changes.size() && changes[bit])
      result.push_back(at);
  return result;
}

} // namespace tilescope::compiler
