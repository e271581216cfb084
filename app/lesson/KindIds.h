// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tilescope::app {

/// The kind that lesson.toml calls `id`, of a table with a `kind` and an `id` in each row. Nothing:
/// there is no such kind.
template <class Table>
auto findKind(const Table &table, std::string_view id) -> std::optional<decltype(table[0].kind)> {
  for (const auto &each : table)
    if (each.id == id)
      return each.kind;
  return std::nullopt;
}

/// All ids, separated by commas.
template <class Table> std::string kindIds(const Table &table) {
  std::string ids;
  for (const auto &each : table)
    ids.append(ids.empty() ? "" : ", ").append(each.id);
  return ids;
}

} // namespace tilescope::app
