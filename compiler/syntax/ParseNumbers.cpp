// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Literals of numbers.
#include "compiler/syntax/ParserImpl.h"

#include <charconv>
#include <limits>

namespace tilescope::compiler::ast {

/// Whether a decimal number, too large or too small for a double, is too large.
static bool overflows(std::string_view text) {
  size_t exponentAt = text.find_first_of("eE");
  long exponent = 0;
  if (exponentAt != std::string_view::npos) {
    bool negative = text[exponentAt + 1] == '-';
    for (char c : text.substr(exponentAt + 1))
      if (c >= '0' && c <= '9' && exponent < 100000)
        exponent = exponent * 10 + (c - '0');
    exponent = negative ? -exponent : exponent;
  }
  std::string_view mantissa = text.substr(0, exponentAt);
  size_t firstDigit = mantissa.find_first_not_of("0.");
  if (firstDigit == std::string_view::npos)
    return false;
  size_t point = std::min(mantissa.find('.'), mantissa.size());
  return static_cast<long>(point) - static_cast<long>(firstDigit) + exponent > 0;
}

static double readDouble(std::string_view text) {
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range)
    return overflows(text) ? std::numeric_limits<double>::infinity() : 0.0;
  return value;
}

static std::optional<int64_t> readInt(std::string_view text) {
  int base = 10;
  if (text.size() > 2 && text[0] == '0') {
    char marker = static_cast<char>(text[1] | 0x20);
    base = marker == 'x' ? 16 : marker == 'o' ? 8 : marker == 'b' ? 2 : 10;
    if (base != 10)
      text.remove_prefix(2);
  }
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc())
    return std::nullopt;
  return value;
}

const Expr *Parser::parseNumber() {
  Begin begin = here();
  std::string digits;
  for (char c : m_lexer.text(advance()))
    if (c != '_')
      digits += c;
  Constant *node = make<Constant>();
  bool isHex = digits.size() > 1 && (digits[1] | 0x20) == 'x';
  if (!isHex && (digits.back() | 0x20) == 'j') {
    node->constantKind = ConstantKind::Complex;
    digits.pop_back();
    node->floatValue = readDouble(digits);
  } else if (!isHex && digits.find_first_of(".eE") != std::string::npos) {
    node->constantKind = ConstantKind::Float;
    node->floatValue = readDouble(digits);
  } else {
    node->constantKind = ConstantKind::Int;
    node->intValue = readInt(digits);
  }
  node->text = m_tree.arena.copy(std::string_view(digits));
  return finish(node, begin);
}

} // namespace tilescope::compiler::ast
