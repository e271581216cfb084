// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/FocusState.h"

#include <algorithm>

namespace tilescope::views {

/// How much text a range covers: of two that fit, the smaller one is meant.
inline int64_t textExtent(const SourceRange &range) {
  constexpr int64_t kLine = 100000;
  return (static_cast<int64_t>(range.end.line) - range.begin.line) * kLine + range.end.column -
         range.begin.column;
}

/// Whether the focus is the expression with this range, or lies in it.
inline bool isAtFocus(const SourceRange &range, const Focus &focus) {
  const bool isMeant = std::ranges::any_of(focus.sources, [&](const SourceRange &source) {
    return source.begin == range.begin && (source.end == range.end || source.empty());
  });
  return isMeant ||
         (!focus.stage && (range.contains(focus.position) || range.end == focus.position));
}

/// Whether the focus is on a line of the range.
inline bool isOnFocusLine(const SourceRange &range, const Focus &focus) {
  if (focus.stage && focus.sources.empty())
    return false;
  const uint32_t line = focus.stage ? focus.sources.front().begin.line : focus.position.line;
  return range.begin.line <= line && line <= range.end.line;
}

} // namespace tilescope::views
