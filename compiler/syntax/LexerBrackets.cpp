// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Brackets that were never closed: what is said of them, and where they are closed.
#include "compiler/syntax/Lexer.h"

#include <algorithm>

namespace tilescope::compiler::ast {

const Token *Lexer::headEnd(uint32_t open, const Token &end) const {
  const auto bracket = std::ranges::lower_bound(m_tokens, open, {}, &Token::begin);
  if (bracket == m_tokens.end())
    return nullptr;
  const Token *first = nullptr, *last = nullptr;
  for (auto at = bracket; at->beginLine == bracket->beginLine; --at) {
    if (at->kind != TokenKind::Indent && at->kind != TokenKind::Dedent &&
        at->kind != TokenKind::Newline)
      first = &*at;
    if (at == m_tokens.begin())
      break;
  }
  for (auto at = bracket; at != m_tokens.end() && at->beginLine == bracket->beginLine; ++at)
    if (at->kind != TokenKind::Newline)
      last = &*at;
  static constexpr TokenKind kHeads[] = {TokenKind::KwDef,  TokenKind::KwClass, TokenKind::KwIf,
                                         TokenKind::KwElif, TokenKind::KwFor,   TokenKind::KwWhile,
                                         TokenKind::KwWith};
  const bool isHead = first && std::ranges::find(kHeads, first->kind) != std::end(kHeads);
  // The head may have several lines.
  if (isHead && end.kind == TokenKind::Colon && end.begin > open)
    return &end;
  return isHead && last && last->kind == TokenKind::Colon && last->begin > open ? last : nullptr;
}

static bool isCloser(TokenKind kind) {
  return kind == TokenKind::RParen || kind == TokenKind::RBracket || kind == TokenKind::RBrace;
}

const Token &Lexer::lastInside(uint32_t open, const Token &last) const {
  const auto bracket = std::ranges::find_if(
      std::ranges::lower_bound(m_tokens, open, {}, &Token::begin), m_tokens.end(),
      [](const Token &token) { return token.begin < token.end; });
  if (bracket == m_tokens.end())
    return last;
  auto first = bracket;
  while (!first->startsLine && first != m_tokens.begin())
    --first;
  const uint32_t column = position(first->begin, first->beginLine).column;
  for (auto at = bracket + 1; at != m_tokens.end() && at->begin <= last.begin; ++at)
    if (at->startsLine && !isCloser(at->kind) &&
        position(at->begin, at->beginLine).column <= column)
      return *(at - 1);
  return last;
}

std::vector<DiagnosticFix> Lexer::closingFix(uint32_t open, const Token &before,
                                             const std::string &closers) const {
  const Token &last = lastInside(open, before);
  if (const Token *colon = headEnd(open, before); colon && !closers.empty()) {
    const Position at = position(colon->begin, colon->beginLine);
    return {{{at, at, m_file}, closers, "add `" + closers + "`"}};
  }
  switch (last.kind) {
  case TokenKind::Comma:
    // In front of a statement it ends the list; elsewhere an element is missing behind it.
    if (&last == &before)
      return {};
    break;
  case TokenKind::Name:
  case TokenKind::Number:
  case TokenKind::String:
  case TokenKind::FStringEnd:
  case TokenKind::KwTrue:
  case TokenKind::KwFalse:
  case TokenKind::KwNone:
  case TokenKind::RParen:
  case TokenKind::RBracket:
  case TokenKind::RBrace:
    break;
  default:
    return {};
  }
  // Braces may be of an f-string, whose end is missing as well.
  if (closers.empty() || closers.find('}') != std::string::npos)
    return {};
  const Position end = position(last.end, last.endLine);
  return {{{end, end, m_file}, closers, "add `" + closers + "`"}};
}

void Lexer::giveUpBrackets(Bracket open) {
  std::string closers;
  const uint32_t outermost = m_brackets.front().offset;
  for (size_t i = m_brackets.size(); i-- > 0;)
    closers += m_brackets[i].open == '(' ? ')' : m_brackets[i].open == '[' ? ']' : '}';
  // What is wrong with the line may have been said of the same bracket.
  if (!m_diagnostics.hasErrorOnLine(open.line))
    m_diagnostics.add(
        {DiagnosticKind::SyntaxUnclosedBracket,
         Severity::Error,
         {position(open.offset, open.line), position(open.offset + 1, open.line), m_file},
         std::string("`") + open.open + "` was never closed",
         {},
         {},
         m_tokens.empty() ? std::vector<DiagnosticFix>()
                          : closingFix(outermost, m_tokens.back(), closers)});
  m_brackets.clear();
  m_fstrings.clear();
}

} // namespace tilescope::compiler::ast
