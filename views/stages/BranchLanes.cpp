// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/stages/BranchLanes.h"

#include <algorithm>

namespace tilescope::views {

std::vector<LineArrow> assignLanes(std::vector<LineArrow> arrows, int mostLanes) {
  std::ranges::stable_sort(arrows, {},
                           [](const LineArrow &arrow) { return arrow.last() - arrow.first(); });
  std::vector<LineArrow> placed;
  for (LineArrow arrow : arrows) {
    const auto isFree = [&](int lane) {
      return std::ranges::none_of(placed, [&](const LineArrow &other) {
        return other.lane == lane && other.first() <= arrow.last() && arrow.first() <= other.last();
      });
    };
    arrow.lane = 0;
    while (arrow.lane < mostLanes && !isFree(arrow.lane))
      ++arrow.lane;
    if (arrow.lane < mostLanes)
      placed.push_back(arrow);
  }
  std::ranges::stable_sort(placed, {}, &LineArrow::from);
  return placed;
}

} // namespace tilescope::views
