// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/OperatorCalls.h"

#include "profiler/package/PythonForms.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace tilescope::app {

std::string_view operatorOf(std::string_view function) {
  static constexpr std::pair<std::string_view, std::string_view> kOperators[] = {
      {"add", "+"},           {"subtract", "-"},  {"sub", "-"}, {"multiply", "*"},
      {"mul", "*"},           {"divide", "/"},    {"div", "/"}, {"true_divide", "/"},
      {"floor_divide", "//"}, {"remainder", "%"}, {"mod", "%"}};
  const size_t dot = function.rfind('.');
  const std::string_view name = function.substr(dot == function.npos ? 0 : dot + 1);
  for (const auto &[each, sign] : kOperators)
    if (each == name)
      return sign;
  return {};
}

static bool isNamePart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}

/// An operand that binds at least as tight as an operator: `x`, `f(x)`, `(x + y)`.
static std::string operand(std::string code) {
  const bool isPlain = std::ranges::none_of(code, [](char c) {
    return std::string_view("+-*/%<>=&|^~ ").find(c) != std::string_view::npos;
  });
  return isPlain ? code : "(" + code + ")";
}

/// The place behind the bracket that is closed which is opened at `open`; 0: it is not.
static size_t behindBracket(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0)
      return i + 1;
  }
  return 0;
}

static std::string rewritten(std::string_view text) {
  std::string result;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && isNamePart(text[end]))
      ++end;
    const std::string_view function = text.substr(begin, end - begin);
    const size_t behind = end < text.size() && text[end] == '(' ? behindBracket(text, end) : 0;
    const std::string_view sign = behind > 0 ? operatorOf(function) : std::string_view();
    const std::vector<std::string_view> items =
        sign.empty() ? std::vector<std::string_view>()
                     : profiler::itemsOf(text.substr(end + 1, behind - end - 2));
    if (items.size() == 2 && items[1].find('=') == std::string_view::npos) {
      const bool isWhole = begin == 0 && behind == text.size();
      const std::string code = operand(rewritten(items[0])) + " " + std::string(sign) + " " +
                               operand(rewritten(items[1]));
      result += isWhole ? code : "(" + code + ")";
      begin = behind;
      continue;
    }
    end = std::max(end, begin + 1);
    result += text.substr(begin, end - begin);
    begin = end;
  }
  return result;
}

std::string withOperators(const std::string &expected) {
  std::string result = rewritten(expected);
  return result == expected ? std::string() : result;
}

} // namespace tilescope::app
