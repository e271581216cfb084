// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Lines and their indentation, as a user sees them while typing.
#include "compiler/syntax/BracketLines.h"
#include "compiler/syntax/EditorServices.h"

#include <algorithm>

namespace tilescope::compiler::ast {

static constexpr uint32_t kIndent = 4;

SourceRange EditorDocument::statementLines(uint32_t line) const {
  std::vector<std::pair<uint32_t, uint32_t>> joins = bracketLines(tokens());
  for (const Token &token : tokens())
    joins.emplace_back(token.beginLine, token.endLine);
  std::erase_if(joins, [](const auto &join) { return join.first == join.second; });
  uint32_t first = line;
  uint32_t last = line;
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto &[begin, end] : joins)
      if (begin <= last && end >= first && (begin < first || end > last)) {
        first = std::min(first, begin);
        last = std::max(last, end);
        grew = true;
      }
  }
  return {{first, 0}, {last + 1, 0}, 0};
}

static bool endsBlock(TokenKind kind) {
  return kind == TokenKind::KwReturn || kind == TokenKind::KwPass || kind == TokenKind::KwBreak ||
         kind == TokenKind::KwContinue || kind == TokenKind::KwRaise;
}

/// In columns; a tab leads to the next stop.
static uint32_t indentationOf(std::string_view line) {
  uint32_t columns = 0;
  for (const char c : line) {
    if (c != ' ' && c != '\t')
      break;
    columns = c == ' ' ? columns + 1 : (columns / kIndent + 1) * kIndent;
  }
  return columns;
}

uint32_t EditorDocument::indentationBelow(Position cursor) const {
  const std::vector<Token> &tokens = this->tokens();
  const uint32_t offset = offsetOf(cursor);
  const uint32_t own = indentationOf(lineText(cursor.line).substr(0, cursor.column));
  std::vector<Token> open;
  const Token *last = nullptr;
  for (const Token &token : tokens) {
    // In the middle of a string's text.
    if (token.begin < offset && offset < token.end)
      return own;
    if (token.end > offset)
      break;
    if (opensBracket(token.kind))
      open.push_back(token);
    else if (closesBracket(token.kind) && !open.empty())
      open.pop_back();
    last = &token;
  }
  // A blank line, or a comment alone on its line.
  if (!last || last->endLine != cursor.line)
    return own;
  if (!open.empty()) {
    const Token &bracket = open.back();
    if (last->begin == bracket.begin)
      return indentationOf(lineText(bracket.beginLine)) + kIndent;
    if (bracket.beginLine != cursor.line)
      return own;
    const std::string_view line = lineText(cursor.line);
    const size_t numBytes = std::min(line.find_first_not_of(" \t"), line.size());
    return rangeOf(bracket).end.column - static_cast<uint32_t>(numBytes) + indentationOf(line);
  }
  const uint32_t first = statementLines(cursor.line).begin.line;
  const uint32_t indentation = first == cursor.line ? own : indentationOf(lineText(first));
  if (last->kind == TokenKind::Colon)
    return indentation + kIndent;
  const auto begins = std::find_if(tokens.begin(), tokens.end(), [&](const Token &token) {
    return token.beginLine == first && token.startsLine;
  });
  const bool leaves = begins != tokens.end() && endsBlock(begins->kind);
  return leaves ? indentation - std::min(indentation, kIndent) : indentation;
}

} // namespace tilescope::compiler::ast
