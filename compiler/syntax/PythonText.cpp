// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/PythonText.h"

#include "compiler/syntax/Unicode.h"

#include <charconv>
#include <cmath>

namespace tilescope::compiler {

std::string pythonRepr(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  char buffer[40];
  auto [end, error] =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  std::string_view scientific(buffer, end - buffer);
  size_t exponentAt = scientific.find('e');
  std::string digits;
  for (char c : scientific.substr(0, exponentAt))
    if (c >= '0' && c <= '9')
      digits += c;
  int exponent = std::stoi(std::string(scientific.substr(exponentAt + 1)));
  std::string result = std::signbit(value) ? "-" : "";
  int numDigits = static_cast<int>(digits.size());
  if (exponent < -4 || exponent >= 16) {
    result += digits[0];
    if (numDigits > 1)
      result += "." + digits.substr(1);
    std::string magnitude = std::to_string(std::abs(exponent));
    result += exponent < 0 ? "e-" : "e+";
    return result + (magnitude.size() < 2 ? "0" + magnitude : magnitude);
  }
  if (exponent < 0)
    return result + "0." + std::string(-exponent - 1, '0') + digits;
  if (numDigits <= exponent + 1)
    return result + digits + std::string(exponent + 1 - numDigits, '0') + ".0";
  return result + digits.substr(0, exponent + 1) + "." + digits.substr(exponent + 1);
}

static void appendHex(std::string &out, uint32_t value, int width) {
  static constexpr char kDigits[] = "0123456789abcdef";
  for (int shift = 4 * (width - 1); shift >= 0; shift -= 4)
    out += kDigits[(value >> shift) & 15];
}

/// What `repr` writes the same way for str and bytes; false when the caller has to.
static bool appendCommonEscape(std::string &out, char32_t c, char quote) {
  switch (c) {
  case '\\':
    out += "\\\\";
    return true;
  case '\n':
    out += "\\n";
    return true;
  case '\r':
    out += "\\r";
    return true;
  case '\t':
    out += "\\t";
    return true;
  default:
    if (c == static_cast<unsigned char>(quote)) {
      out += '\\';
      out += quote;
      return true;
    }
    if (c >= ' ' && c < 0x7f) {
      out += static_cast<char>(c);
      return true;
    }
    return false;
  }
}

static char reprQuote(std::string_view text) {
  bool hasSingle = text.find('\'') != std::string_view::npos;
  bool hasDouble = text.find('"') != std::string_view::npos;
  return hasSingle && !hasDouble ? '"' : '\'';
}

std::string pythonRepr(std::string_view text) {
  char quote = reprQuote(text);
  std::string result(1, quote);
  for (size_t offset = 0; offset < text.size();) {
    char32_t c = decodeUtf8(text, offset);
    if (appendCommonEscape(result, c, quote))
      continue;
    if (isPrintable(c)) {
      appendUtf8(result, c);
    } else if (c < 0x100) {
      result += "\\x";
      appendHex(result, c, 2);
    } else if (c < 0x10000) {
      result += "\\u";
      appendHex(result, c, 4);
    } else {
      result += "\\U";
      appendHex(result, c, 8);
    }
  }
  return result + quote;
}

std::string pythonBytesRepr(std::string_view bytes) {
  char quote = reprQuote(bytes);
  std::string result = std::string("b") + quote;
  for (unsigned char c : bytes) {
    if (appendCommonEscape(result, c, quote))
      continue;
    result += "\\x";
    appendHex(result, c, 2);
  }
  return result + quote;
}

void appendUtf8(std::string &text, char32_t c) {
  auto put = [&](uint32_t byte) { text += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

char32_t decodeUtf8(std::string_view text, size_t &offset) {
  static constexpr char32_t kReplacement = 0xFFFD;
  unsigned char lead = text[offset++];
  if (lead < 0x80)
    return lead;
  int numMore = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  if (lead < 0xC2 || lead > 0xF4 || offset + numMore > text.size())
    return kReplacement;
  char32_t value = lead & (0x3F >> numMore);
  for (int i = 0; i < numMore; ++i) {
    unsigned char next = text[offset + i];
    if ((next & 0xC0) != 0x80)
      return kReplacement;
    value = (value << 6) | (next & 0x3F);
  }
  static constexpr char32_t kMinimum[] = {0, 0x80, 0x800, 0x10000};
  if (value < kMinimum[numMore] || value > 0x10FFFF)
    return kReplacement;
  offset += numMore;
  return value;
}

} // namespace tilescope::compiler
