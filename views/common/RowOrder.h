// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <algorithm>
#include <vector>

namespace tilescope::views {

/// Which item each row of a table shows.
class RowOrder {
public:
  RowOrder() = default;
  explicit RowOrder(std::vector<size_t> items) : m_items(std::move(items)) {}

  int size() const { return static_cast<int>(m_items.size()); }
  /// -1: no item's row.
  int itemAt(int row) const {
    return row >= 0 && row < size() ? static_cast<int>(m_items[static_cast<size_t>(row)]) : -1;
  }
  /// -1: not shown.
  int rowOf(int item) const {
    const auto found = std::ranges::find(m_items, static_cast<size_t>(item));
    return item < 0 || found == m_items.end() ? -1 : static_cast<int>(found - m_items.begin());
  }

private:
  std::vector<size_t> m_items;
};

} // namespace tilescope::views
