// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ChangeBetween.h"

#include <algorithm>

namespace tilescope::app {

static Position positionAt(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const size_t feed = before.rfind('\n');
  return {static_cast<uint32_t>(std::ranges::count(before, '\n')),
          static_cast<uint32_t>(feed == std::string_view::npos ? offset : offset - feed - 1)};
}

compiler::DiagnosticFix changeBetween(std::string_view before, std::string_view after,
                                      std::string title) {
  const auto begin = static_cast<size_t>(std::ranges::mismatch(before, after).in1 - before.begin());
  size_t tail = 0;
  while (tail < std::min(before.size(), after.size()) - begin &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  return {{positionAt(before, begin), positionAt(before, before.size() - tail)},
          std::string(after.substr(begin, after.size() - tail - begin)),
          std::move(title)};
}

} // namespace tilescope::app
