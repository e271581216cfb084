// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/ForeignChoice.h"

namespace tilescope::compiler::ast {

/// Without blanks at its ends.
static std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  return begin == std::string_view::npos
             ? std::string_view()
             : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// The first place of `wanted` outside of brackets; `npos` too where brackets do not match, or a text begins.
static size_t findOutside(std::string_view text, char wanted) {
  size_t found = std::string_view::npos;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if (depth < 0 || c == '"' || c == '\'')
      return std::string_view::npos;
    if (depth == 0 && c == wanted && found == std::string_view::npos)
      found = i;
  }
  return depth == 0 ? found : std::string_view::npos;
}

/// The place behind the `=` of an assignment; 0: there is none.
static size_t behindEqual(std::string_view line) {
  for (size_t i = 1; i + 1 < line.size(); ++i)
    if (line[i] == '=' && line[i + 1] != '=' &&
        std::string_view("=<>!").find(line[i - 1]) == std::string_view::npos)
      return i + 1;
  return 0;
}

std::optional<ForeignChoice> foreignChoice(std::string_view line, size_t question) {
  line = line.substr(0, line.find('#'));
  const size_t begin = question < line.size() ? behindEqual(line.substr(0, question)) : 0;
  if (begin == 0 || line.find('?', question + 1) != std::string_view::npos)
    return std::nullopt;
  const std::string_view condition = trimmed(line.substr(begin, question - begin));
  const std::string_view values = line.substr(question + 1);
  const size_t colon = findOutside(values, ':');
  // Its brackets must match, whatever is looked for.
  if (colon == std::string_view::npos || condition.empty() ||
      findOutside(std::string(condition) + ":", ':') == std::string_view::npos)
    return std::nullopt;
  std::string_view one = trimmed(values.substr(0, colon)),
                   other = trimmed(values.substr(colon + 1));
  // As C ends a statement.
  if (other.ends_with(';'))
    other = trimmed(other.substr(0, other.size() - 1));
  if (one.empty() || other.empty())
    return std::nullopt;
  return ForeignChoice{static_cast<size_t>(condition.data() - line.data()),
                       line.find_last_not_of(' ') + 1,
                       "tl.where(" + std::string(condition) + ", " + std::string(one) + ", " +
                           std::string(other) + ")"};
}

void explainChoice(std::string_view line, Diagnostic &diagnostic) {
  const std::optional<ForeignChoice> choice = foreignChoice(line, diagnostic.range.begin.column);
  diagnostic.message = "Python has no `c ? a : b`: `" +
                       (choice ? choice->meant : std::string("tl.where(c, a, b)")) +
                       "` chooses for each element of a block, and `a if c else b` for numbers";
  if (!choice)
    return;
  SourceRange range = diagnostic.range;
  range.begin.column = static_cast<uint32_t>(choice->begin);
  range.end.column = static_cast<uint32_t>(choice->end);
  diagnostic.fixes.push_back({range, choice->meant, "write `" + choice->meant + "`"});
}

} // namespace tilescope::compiler::ast
