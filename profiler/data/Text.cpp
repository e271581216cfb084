// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Text.h"

#include <array>
#include <cstdint>
#include <cstdio>

namespace tilescope::profiler {

namespace {
/// One code point; `size` 0: its first byte is not part of UTF-8.
struct CodePoint {
  char32_t value = 0;
  size_t size = 0;
};
} // namespace

static CodePoint codePointAt(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return uint8_t(text[at + i]); };
  if (byte(0) < 0x80)
    return {byte(0), 1};
  const size_t size = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() - at < size)
    return {};
  char32_t value = byte(0) & (0xff >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80)
      return {};
    value = value << 6 | (byte(i) & 0x3f);
  }
  const bool isLong = value < (size == 4 ? 0x10000 : size == 3 ? 0x800 : 0x80);
  const bool isSurrogate = value >= 0xd800 && value < 0xe000;
  return isLong || isSurrogate || value > 0x10ffff ? CodePoint{} : CodePoint{value, size};
}

std::optional<size_t> firstInvalidUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t size = codePointAt(text, at).size;
    if (size == 0)
      return at;
    at += size;
  }
  return std::nullopt;
}

static bool isObeyed(char32_t value) {
  return value < 0x20 || (value >= 0x7f && value < 0xa0) || value == 0x2028 || value == 0x2029 ||
         value == 0x200e || value == 0x200f || (value >= 0x202a && value <= 0x202e) ||
         (value >= 0x2066 && value <= 0x2069);
}

static std::string escaped(std::string_view text, bool keepsLines) {
  std::string result;
  result.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = codePointAt(text, at);
    const bool stays = keepsLines && (point.value == '\n' || point.value == '\t');
    if (point.size > 0 && (stays || !isObeyed(point.value))) {
      result += text.substr(at, point.size);
      at += point.size;
      continue;
    }
    std::array<char, 12> code = {};
    if (point.size > 1)
      std::snprintf(code.data(), code.size(), "\\u%04x", unsigned(point.value));
    else
      std::snprintf(code.data(), code.size(), "\\x%02x", unsigned(uint8_t(text[at])));
    result += code.data();
    at += point.size > 1 ? point.size : 1;
  }
  return result;
}

std::string printable(std::string_view text) { return escaped(text, true); }
std::string printableLine(std::string_view text) { return escaped(text, false); }

} // namespace tilescope::profiler
