// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <vector>

namespace tilescope::views {

/// An arrow beside a text, from a line to another.
struct LineArrow {
  int32_t from = 0;
  int32_t to = 0;
  /// 0 is next to the text; arrows in one lane have no line in common.
  int lane = 0;

  int32_t first() const { return from < to ? from : to; }
  int32_t last() const { return from < to ? to : from; }
  bool covers(int32_t line) const { return first() <= line && line <= last(); }
  bool operator==(const LineArrow &) const = default;
};

inline constexpr int kMostLanes = 4;

/// Gives each arrow a lane, the short ones next to the text. What finds no lane of the few that
/// there are is left out.
std::vector<LineArrow> assignLanes(std::vector<LineArrow> arrows, int mostLanes = kMostLanes);

} // namespace tilescope::views
