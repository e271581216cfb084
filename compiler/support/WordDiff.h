// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace tilescope {

/// A part of a line, in bytes, half-open.
struct TextSpan {
  int32_t begin = 0;
  int32_t end = 0;
  bool operator==(const TextSpan &) const = default;
};

/// The words that two versions of a line do not share: those of the old one, and those of the new
/// one. Both are empty when the lines have so little in common that marks would not help.
///
/// Example: `a = load p` and `a = load q, m` differ in `p` and in `q, m`.
std::pair<std::vector<TextSpan>, std::vector<TextSpan>> changedWords(std::string_view before,
                                                                     std::string_view after);

} // namespace tilescope
