// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/DebugPath.h"

#include <charconv>
#include <cstdint>

namespace tilescope::compiler {

std::string encodeDebugPath(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string result;
  for (char c : path) {
    const auto byte = uint8_t(c);
    if (byte > 0x20 && byte < 0x7f && std::string_view("\"\\%[]").find(c) == std::string_view::npos)
      result += c;
    else
      (result += '%').append({kDigits[byte >> 4], kDigits[byte & 15]});
  }
  return result;
}

std::string decodeDebugPath(std::string_view encoded) {
  std::string result;
  for (size_t i = 0; i < encoded.size(); ++i) {
    uint8_t byte = 0;
    const char *digits = encoded.data() + i + 1;
    const bool isCode = encoded[i] == '%' && encoded.size() - i > 2 &&
                        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    result += isCode ? char(byte) : encoded[i];
    i += isCode ? 2 : 0;
  }
  return result;
}

} // namespace tilescope::compiler
