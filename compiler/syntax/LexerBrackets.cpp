// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Brackets: how deep they are nested, what is said of those that were never closed, and where these are
// closed.
#include "compiler/syntax/Lexer.h"
#include "compiler/syntax/Unicode.h"

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

/// Whether the line begins a decorator, and not the right side of a matrix product: by its
/// indentation it belongs to no expression, and after the lines of decorators comes a definition.
bool Lexer::beginsDecorator() const {
  const uint32_t column = m_at - m_lineOffsets[m_line];
  if (column > m_indents.back().column)
    return false;
  for (uint32_t line = m_line; line < m_lineOffsets.size(); ++line) {
    std::string_view text = m_source.substr(m_lineOffsets[line]);
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (text.starts_with("def ") || text.starts_with("class ") || text.starts_with("async "))
      return true;
    if (!text.starts_with('@'))
      return false;
  }
  return false;
}

/// Whether a line closes more brackets than it opens.
static bool closesOuterBracket(std::string_view text) {
  int depth = 0;
  char quote = 0;
  for (size_t at = 0; at < text.size() && depth >= 0; ++at) {
    const char c = text[at];
    if (quote != 0 && c == '\\')
      ++at;
    else if (quote != 0)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if (c == ')' || c == ']' || c == '}')
      --depth;
  }
  return depth < 0;
}

/// Whether the line is the head of a block, not a part of a comprehension or a choice: a colon ends
/// it, which in parentheses it never does, and in other brackets only where it is indented. Behind
/// the bracket's own end the colon is that of the statement around it.
bool Lexer::endsWithColon() const {
  if (m_brackets.back().open != '(' && m_at - m_lineOffsets[m_line] > m_indents.back().column)
    return false;
  std::string_view text = m_source.substr(m_at);
  text = text.substr(0, text.find_first_of("\r\n#"));
  const size_t last = text.find_last_not_of(" \t");
  return last != std::string_view::npos && text[last] == ':' &&
         text.find("lambda") == std::string_view::npos && !closesOuterBracket(text);
}

/// A line inside brackets that begins with a keyword of statements, or a decorator: the bracket was
/// left open.
bool Lexer::leaveOpenBracket() {
  size_t length = 0;
  while (peek(length) >= 'a' && peek(length) <= 'z')
    ++length;
  if (isIdentifierContinue(static_cast<unsigned char>(peek(length))))
    return false;
  switch (classifyWord(m_source.substr(m_at, length))) {
  case TokenKind::Name:
    if (peek() != '@' || !beginsDecorator())
      return false;
    break;
  case TokenKind::KwElse:
  case TokenKind::KwFor:
  case TokenKind::KwIf:
    if (!endsWithColon())
      return false;
    break;
  case TokenKind::KwAssert:
  case TokenKind::KwBreak:
  case TokenKind::KwClass:
  case TokenKind::KwContinue:
  case TokenKind::KwDef:
  case TokenKind::KwDel:
  case TokenKind::KwElif:
  case TokenKind::KwExcept:
  case TokenKind::KwFinally:
  case TokenKind::KwGlobal:
  case TokenKind::KwImport:
  case TokenKind::KwNonlocal:
  case TokenKind::KwPass:
  case TokenKind::KwRaise:
  case TokenKind::KwReturn:
  case TokenKind::KwTry:
  case TokenKind::KwWhile:
  case TokenKind::KwWith:
    break;
  default:
    return false;
  }
  giveUpBrackets(m_brackets.back());
  m_at = m_lineOffsets[m_line];
  m_atLineStart = true;
  m_tokens.push_back({TokenKind::Newline, false, m_at, m_at, m_line, m_line});
  return true;
}

void Lexer::openBracket(char c) {
  m_brackets.push_back({c, m_at, m_line});
  if (!m_fstrings.empty())
    ++m_fstrings.back().depth;
}

void Lexer::closeBracket(char c) {
  auto drop = [&](std::string message, const Bracket *open) {
    Diagnostic diagnostic{DiagnosticKind::SyntaxUnmatchedBracket,
                          Severity::Error,
                          rangeFrom(m_at - 1, m_line),
                          std::move(message),
                          {},
                          {},
                          {}};
    if (!open)
      diagnostic.fixes.push_back({diagnostic.range, "", std::string("remove `") + c + "`"});
    else
      diagnostic.labels.push_back(
          {{position(open->offset, open->line), position(open->offset + 1, open->line), m_file},
           "opened here"});
    m_diagnostics.add(std::move(diagnostic));
  };
  size_t base = m_fstrings.empty() ? 0 : m_fstrings.back().bracketBase;
  if (m_brackets.size() <= base && c == '}' && m_numForeignBraces > 0) {
    --m_numForeignBraces;
    m_tokens.pop_back();
    return;
  }
  if (m_brackets.size() <= base) {
    // What is wrong with the line may have been said: it goes on with a call that was closed.
    if (!m_diagnostics.hasErrorOnLine(m_line))
      drop(std::string("unmatched `") + c + "`", nullptr);
    m_tokens.pop_back();
    return;
  }
  static constexpr auto kClosing = [](char open) {
    return open == '(' ? ')' : open == '[' ? ']' : '}';
  };
  Bracket open = m_brackets.back();
  if (kClosing(open.open) != c) {
    auto matching = std::find_if(m_brackets.rbegin(), m_brackets.rend() - base,
                                 [&](const Bracket &b) { return kClosing(b.open) == c; });
    bool closesOuter = matching != m_brackets.rend() - base;
    drop(std::string("closing `") + c + "` does not match opening `" + open.open + "`", &open);
    if (!closesOuter) {
      // Most likely the wrong bracket was typed: it counts as the right one.
      m_tokens.back().kind = open.open == '('   ? TokenKind::RParen
                             : open.open == '[' ? TokenKind::RBracket
                                                : TokenKind::RBrace;
      c = kClosing(open.open);
    }
    while (kClosing(m_brackets.back().open) != c) {
      m_brackets.pop_back();
      if (!m_fstrings.empty())
        --m_fstrings.back().depth;
    }
  }
  m_brackets.pop_back();
  if (m_fstrings.empty())
    return;
  FString &string = m_fstrings.back();
  --string.depth;
  if (c == '}' && string.depth <= string.fieldDepth) {
    string.depth = string.fieldDepth;
    --string.fieldDepth;
    string.inExpression = false;
    string.inFormatSpec = string.fieldDepth >= 0;
  }
}

} // namespace tilescope::compiler::ast
