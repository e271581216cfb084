// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/access/AccessChoice.h"

#include <algorithm>
#include <tuple>

namespace tilescope::views {

using compiler::AccessFacts;

static int64_t extent(const SourceRange &range) {
  constexpr int64_t kLine = 100000;
  return (static_cast<int64_t>(range.end.line) - range.begin.line) * kLine + range.end.column -
         range.begin.column;
}

/// Whether the place is the access's expression, or lies in it.
static bool isAt(const SourceRange &range, const Focus &focus) {
  const bool isMeant = std::ranges::any_of(focus.sources, [&](const SourceRange &source) {
    return source.begin == range.begin && (source.end == range.end || source.empty());
  });
  return isMeant ||
         (!focus.stage && (range.contains(focus.position) || range.end == focus.position));
}

static bool isOnLine(const SourceRange &range, const Focus &focus) {
  if (focus.stage && focus.sources.empty())
    return false;
  const uint32_t line = focus.stage ? focus.sources.front().begin.line : focus.position.line;
  return range.begin.line <= line && line <= range.end.line;
}

int chooseAccess(const std::vector<AccessFacts> &accesses, const Focus &focus, int current) {
  // The least is the best.
  const auto rank = [&](int index) {
    const AccessFacts &access = accesses[static_cast<size_t>(index)];
    return std::tuple(extent(access.range), index != current, isShared(access.action),
                      ~std::max(access.counts.bytesFetched, access.counts.wavefronts));
  };
  for (const auto &fits : {isAt, isOnLine}) {
    int best = -1;
    for (int i = 0; i < static_cast<int>(accesses.size()); ++i) {
      const SourceRange &range = accesses[static_cast<size_t>(i)].range;
      if (range.file == 0 && !range.empty() && fits(range, focus) &&
          (best < 0 || rank(i) < rank(best)))
        best = i;
    }
    if (best >= 0)
      return best;
  }
  return -1;
}

} // namespace tilescope::views
