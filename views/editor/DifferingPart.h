// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace tilescope::views {

/// Where two texts differ, in bytes: what is from `begin` to `oldEnd` in one is from `begin` to
/// `newEnd` in the other. No character of UTF-8 is cut.
struct DifferingPart {
  size_t begin = 0;
  size_t oldEnd = 0;
  size_t newEnd = 0;
};

inline DifferingPart differingPart(std::string_view before, std::string_view after) {
  const auto isInside = [](std::string_view text, size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  const size_t shorter = std::min(before.size(), after.size());
  size_t begin = 0;
  while (begin < shorter && before[begin] == after[begin])
    ++begin;
  while (begin > 0 && (isInside(before, begin) || isInside(after, begin)))
    --begin;
  size_t numSame = 0;
  while (numSame < shorter - begin &&
         before[before.size() - 1 - numSame] == after[after.size() - 1 - numSame])
    ++numSame;
  while (numSame > 0 && isInside(before, before.size() - numSame))
    --numSame;
  return {begin, before.size() - numSame, after.size() - numSame};
}

} // namespace tilescope::views
