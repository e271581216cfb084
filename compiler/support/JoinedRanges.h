// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <algorithm>
#include <vector>

namespace tilescope {

/// Sorted half-open ranges, with those that overlap or follow each other joined.
template <class Range, class Number>
std::vector<Range> joinedRanges(std::vector<Range> ranges, Number Range::*begin,
                                Number Range::*end) {
  std::ranges::sort(ranges, {}, begin);
  std::vector<Range> joined;
  for (const Range &range : ranges)
    if (!joined.empty() && range.*begin <= joined.back().*end)
      joined.back().*end = std::max(joined.back().*end, range.*end);
    else
      joined.push_back(range);
  return joined;
}

} // namespace tilescope
