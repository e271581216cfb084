// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/FocusState.h"

namespace tilescope::views {

/// Whether the place that the user points at is the expression, or lies in it.
bool isAt(const SourceRange &range, const Focus &focus);
/// Whether it lies in a line of the expression.
bool isOnLine(const SourceRange &range, const Focus &focus);
/// How much text a range covers, to choose the smaller one.
int64_t extentOf(const SourceRange &range);

/// Of `count` expressions of the document the best at the place that the user points at, or else in
/// its line; -1: none. `rangeOf` and `rank` take an index; the least rank is the best.
template <typename RangeOf, typename Rank>
int bestAt(const Focus &focus, size_t count, const RangeOf &rangeOf, const Rank &rank) {
  for (const auto &fits : {isAt, isOnLine}) {
    int best = -1;
    for (int i = 0; i < static_cast<int>(count); ++i) {
      const SourceRange &range = rangeOf(i);
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
