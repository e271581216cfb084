// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tilescope {

/// An integer in decimal digits; nothing where there is anything else.
inline std::optional<int64_t> wholeNumber(std::string_view text) {
  int64_t number = 0;
  const char *end = text.data() + text.size();
  const auto [next, fault] = std::from_chars(text.data(), end, number);
  return fault == std::errc() && next == end ? std::optional(number) : std::nullopt;
}

} // namespace tilescope
