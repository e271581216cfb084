// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace tilescope::views {

/// Where two texts differ, in bytes: what is from `begin` to `oldEnd` in one is from `newBegin` to
/// `newEnd` in the other. No character of UTF-8 is cut.
struct DifferingPart {
  size_t begin = 0;
  size_t oldEnd = 0;
  size_t newBegin = 0;
  size_t newEnd = 0;
  bool operator==(const DifferingPart &) const = default;
};

/// The parts that edits would replace to make `after` of `before`, from first to last: lines that
/// both texts have stay between them.
///
/// Example: from `a1\nb\nc\n` to `a2\nb\nc\nd\n` the parts are `1` to `2`, and `d\n` at the end.
std::vector<DifferingPart> differingParts(std::string_view before, std::string_view after);

} // namespace tilescope::views
