// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/LineTints.h"

#include "compiler/support/Text.h"

#include <algorithm>
#include <functional>

namespace tilescope::views {

/// Unlike those of both neighbors.
static int32_t freshTint(int32_t before, int32_t after) {
  const int32_t next = (before + 1) % LineTints::kNumTints;
  return next == after ? (next + 1) % LineTints::kNumTints : next;
}

void LineTints::follow(std::string_view text) {
  auto now = std::make_shared<Lines>();
  for (const std::string_view line : splitLines(text))
    now->hashes.push_back(std::hash<std::string_view>()(line));
  const Lines &before = *m_lines;
  if (now->hashes == before.hashes)
    return;
  const size_t numBefore = before.hashes.size(), num = now->hashes.size();
  const size_t most = std::min(numBefore, num);
  size_t first = 0, last = 0;
  while (first < most && before.hashes[first] == now->hashes[first])
    ++first;
  while (last < most - first && before.hashes[numBefore - 1 - last] == now->hashes[num - 1 - last])
    ++last;
  // Between what is equal above and below, a line is taken for an edit of the one in its place.
  const int32_t below = last > 0 ? before.tints[numBefore - last] : -1;
  for (size_t i = 0; i < num; ++i)
    now->tints.push_back(i >= num - last        ? before.tints[numBefore - (num - i)]
                         : i < numBefore - last ? before.tints[i]
                                                : freshTint(i > 0 ? now->tints.back() : -1, below));
  m_lines = std::move(now);
}

int32_t LineTints::of(int32_t line) const {
  const auto at = static_cast<size_t>(line);
  return line >= 0 && at < m_lines->tints.size() ? m_lines->tints[at] : -1;
}

std::vector<int32_t> LineTints::of(std::vector<int32_t> lines) const {
  for (int32_t &line : lines)
    line = of(line);
  return lines;
}

} // namespace tilescope::views
