// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/ForeignComment.h"

#include <algorithm>
#include <iterator>

namespace tilescope::compiler::ast {

static constexpr std::string_view kSpaces = " \t", kLineEnds = "\r\n";

static bool isWordPart(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Takes a word, and the blanks behind it, off the beginning.
static std::string_view takeWord(std::string_view &text) {
  const auto end = std::ranges::find_if_not(text, isWordPart);
  const std::string_view word = text.substr(0, static_cast<size_t>(end - text.begin()));
  text.remove_prefix(word.size());
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  return word;
}

/// Whether a word may follow the divisor of a quotient.
static bool goesOn(std::string_view word) {
  static constexpr std::string_view kKeywords[] = {"and", "as", "async", "else", "for",
                                                   "if",  "in", "is",    "not",  "or"};
  return std::ranges::find(kKeywords, word) != std::end(kKeywords);
}

/// Whether two words follow each other, of which no divisor consists.
static bool beginsProse(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  const std::string_view first = takeWord(text), second = takeWord(text);
  return !first.empty() && !second.empty() && !goesOn(first) && !goesOn(second);
}

/// Each line of what stands between `/*` and `*/` with a `#`.
static std::string linesInPython(std::string_view text) {
  std::string lines;
  bool isFirst = true;
  while (!text.empty() || isFirst) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t indent = std::min(line.find_first_not_of(kSpaces), line.size());
    const std::string_view blanks = line.substr(0, indent);
    if (!isFirst) {
      lines += '\n' + std::string(blanks);
      line.remove_prefix(indent);
      // Boxes of comments have one in each line.
      if (line.starts_with('*'))
        line.remove_prefix(1);
    }
    const size_t last = line.find_last_not_of(" \t\r*");
    line = line.substr(0, last == std::string_view::npos ? 0 : last + 1);
    lines += '#' + std::string(isFirst || line.starts_with(' ') || line.empty() ? "" : " ") +
             std::string(line);
    isFirst = false;
  }
  return lines;
}

std::optional<ForeignComment> foreignComment(std::string_view code, bool beginsStatement) {
  if (code.starts_with("//")) {
    const std::string_view text = code.substr(2, code.find_first_of(kLineEnds) - 2);
    if (!beginsStatement && !beginsProse(text))
      return std::nullopt;
    return ForeignComment{text.size() + 2, '#' + std::string(text)};
  }
  if (!code.starts_with("/*"))
    return std::nullopt;
  const size_t close = code.find("*/", 2);
  const size_t textEnd = std::min(close, code.size());
  ForeignComment comment{close == std::string_view::npos ? code.size() : close + 2, {}};
  const std::string_view behind = code.substr(comment.size);
  const size_t next = behind.find_first_not_of(kSpaces);
  if (next == std::string_view::npos || kLineEnds.find(behind[next]) != std::string_view::npos)
    comment.inPython = linesInPython(code.substr(2, textEnd - 2));
  return comment;
}

} // namespace tilescope::compiler::ast
