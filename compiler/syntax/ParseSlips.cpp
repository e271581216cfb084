// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What beginners write as in other languages: it is one error, and is read as what was meant.
#include "compiler/syntax/ParserImpl.h"

#include <algorithm>

namespace tilescope::compiler::ast {

/// Where the `{` at `open` is closed; npos: nowhere. Quotes and comments are not looked into.
static size_t closingBrace(std::string_view source, size_t open) {
  int depth = 0;
  for (size_t at = open; at < source.size(); ++at) {
    depth += source[at] == '{' ? 1 : source[at] == '}' ? -1 : 0;
    if (depth == 0)
      return at;
  }
  return std::string_view::npos;
}

/// The place of an offset.
static Position positionOf(const std::vector<uint32_t> &lineOffsets, size_t offset) {
  const auto line = std::ranges::upper_bound(lineOffsets, offset) - 1;
  return {static_cast<uint32_t>(line - lineOffsets.begin()), static_cast<uint32_t>(offset - *line)};
}

/// A colon for the `{` at `open`, and nothing for its `}`, with its line where nothing else is in it.
static std::vector<DiagnosticFix> braceFix(std::string_view source,
                                           const std::vector<uint32_t> &lineOffsets,
                                           const SourceRange &brace, Position headEnd) {
  const size_t open = lineOffsets[brace.begin.line] + brace.begin.column;
  const size_t close = closingBrace(source, open);
  if (close == std::string_view::npos)
    return {};
  const size_t next = source.find_first_not_of(" \t", close + 1);
  std::string_view body = source.substr(open + 1, close - open - 1);
  const size_t last = body.find_last_not_of(" \t");
  // With what follows it, such as `else`, the line stays.
  const bool isAlone =
      next == std::string_view::npos || source[next] == '\n' || source[next] == '\r';
  size_t end = close + 1;
  if (!isAlone)
    end = next;
  else if (last != std::string_view::npos && body[last] == '\n')
    body = body.substr(0, last);
  if (body.ends_with('\r'))
    body.remove_suffix(1);
  return {{{headEnd, positionOf(lineOffsets, end), brace.file},
           ":" + std::string(body),
           "write `:` for `{`, and no `}`"}};
}

/// Whether nothing but a comment stands in the rest of the line.
static bool endsLine(std::string_view source, uint32_t at) {
  const size_t next = source.find_first_not_of(" \t", at);
  return next == std::string_view::npos ||
         std::string_view("\r\n#").find(source[next]) != std::string_view::npos;
}

/// `if c then:`, `while c do`, `if c {`: what stands for the colon of a block, or beside it.
bool Parser::readForeignHead() {
  if (m_panic || m_speculating > 0)
    return false;
  const SourceRange place = currentRange();
  const Position headEnd = m_lastEnd;
  if (atWord("then") || atWord("do")) {
    const bool hasColon = kindAhead(1) == TokenKind::Colon;
    if (!hasColon && kindAhead(1) != TokenKind::Newline)
      return false;
    const std::string word(m_lexer.text(advance()));
    if (hasColon)
      advance();
    reportSoft(DiagnosticKind::SyntaxExpectedToken, place,
               "Python has no `" + word + "`: a `:` ends the head of a block",
               {{{headEnd, m_lastEnd, m_options.file}, ":", "write `:`"}});
    return true;
  }
  if (!at(TokenKind::LBrace) || !m_openBrackets.empty() || !endsLine(m_tree.source, current().end))
    return false;
  reportSoft(DiagnosticKind::SyntaxExpectedToken, place,
             "a block of Python has no braces: `:` begins it, and its lines are indented",
             braceFix(m_tree.source, m_lexer.lineOffsets(), place, headEnd));
  m_lexer.expectForeignBrace();
  // Inside of the brace the lexer sees neither lines nor indentation.
  if (m_lexer.token(m_index + 1).kind != TokenKind::Newline && m_lexer.canRestartAt(m_index + 1))
    m_lexer.restartAt(m_index + 1);
  advance();
  return true;
}

/// `tl.if(c, a, b)`, `tl.and(a, b)`: a keyword is no member of anything.
bool Parser::readKeywordMember(Attribute &member) {
  const Token dot = m_lexer.token(m_index - 1);
  if (m_panic || !isKeyword(kind()) || dot.end != current().begin ||
      kindAhead(1) != TokenKind::LParen)
    return false;
  const std::string word(m_lexer.text(current()));
  const SourceRange place = currentRange();
  const bool isChoice = at(TokenKind::KwIf);
  static constexpr std::pair<TokenKind, std::string_view> kOperators[] = {
      {TokenKind::KwAnd, "&"}, {TokenKind::KwOr, "|"}, {TokenKind::KwNot, "~"}};
  std::string message = "`" + word + "` is a keyword of Python, and not a function";
  for (const auto &[keyword, sign] : kOperators)
    if (at(keyword))
      message += ": between blocks it is `" + std::string(sign) + "`";
  if (isChoice)
    message += ": `tl.where(c, a, b)` chooses for each element";
  advance();
  std::vector<DiagnosticFix> fixes;
  if (isChoice) {
    member.attr = "where";
    member.attrRange = place;
    fixes.push_back({place, "where", "write `where`"});
  }
  reportSoft(DiagnosticKind::SyntaxExpectedToken, place, std::move(message), std::move(fixes));
  return true;
}

/// `=<` and `=>` for `<=` and `>=`.
bool Parser::reportTurnedComparison(CompareOpKind &op) {
  const Token equal = current(), sign = m_lexer.token(m_index + 1);
  const bool isLess = sign.kind == TokenKind::Less;
  if (m_panic || equal.end != sign.begin || (!isLess && sign.kind != TokenKind::Greater))
    return false;
  SourceRange range = currentRange();
  advance();
  advance();
  range.end = m_lastEnd;
  const std::string meant = isLess ? "<=" : ">=";
  reportSoft(DiagnosticKind::SyntaxExpectedToken, range,
             std::string("Python has no `=") + meant.front() + "`: write `" + meant + "`",
             {{range, meant, "write `" + meant + "`"}});
  op = isLess ? CompareOpKind::LtE : CompareOpKind::GtE;
  return true;
}

/// `name=value` in a call, and `name: value`, which is read as that.
bool Parser::atKeywordArgument() {
  if (!at(TokenKind::Name))
    return false;
  const Token sign = m_lexer.token(m_index + 1);
  if (sign.kind != TokenKind::Equal && sign.kind != TokenKind::Colon)
    return false;
  const Token next = m_lexer.token(m_index + 2);
  if (sign.kind == TokenKind::Equal)
    return sign.end != next.begin ||
           (next.kind != TokenKind::Less && next.kind != TokenKind::Greater);
  return m_speculating == 0 && !next.startsLine && next.kind != TokenKind::Newline &&
         next.kind != TokenKind::EndOfFile;
}

void Parser::passKeywordSign() {
  const SourceRange place = currentRange();
  const Position nameEnd = m_lastEnd;
  if (advance().kind != TokenKind::Colon)
    return;
  const SourceRange between{nameEnd, here(), m_options.file};
  reportSoft(DiagnosticKind::SyntaxInvalidArguments, place,
             "an argument is given by its name with `=`, not with `:`",
             {{between, "=", "write `=`"}});
}

/// `else if`, `elseif`.
bool Parser::atForeignElif() {
  return (at(TokenKind::KwElse) && kindAhead(1) == TokenKind::KwIf) || atWord("elseif") ||
         atWord("elsif");
}

Token Parser::passElif() {
  SourceRange range = currentRange();
  const bool isElif = at(TokenKind::KwElif);
  const bool isPair = at(TokenKind::KwElse);
  Token elif = advance();
  const std::string first(m_lexer.text(elif));
  if (isPair)
    advance();
  range.end = m_lastEnd;
  if (!isElif)
    reportSoft(DiagnosticKind::SyntaxExpectedToken, range,
               "Python has no `" + first + (isPair ? " if" : "") + "`: write `elif`",
               {{range, "elif", "write `elif`"}});
  elif.kind = TokenKind::KwElif;
  return elif;
}

/// `tl.if c:`, and `Def f(x):` as other languages and slips of the finger have it; null: the line begins no such.
const Stmt *Parser::parseSlippedHead() {
  if (!at(TokenKind::Name))
    return nullptr;
  const TokenKind keyword = kindAhead(2);
  if (kindAhead(1) == TokenKind::Dot && atWord("tl") &&
      (keyword == TokenKind::KwIf || keyword == TokenKind::KwFor ||
       keyword == TokenKind::KwWhile)) {
    SourceRange range = currentRange();
    range.end = m_lexer.range(m_lexer.token(m_index + 2)).end;
    const std::string word(m_lexer.text(m_lexer.token(m_index + 2)));
    advance();
    advance();
    reportSoft(DiagnosticKind::SyntaxExpectedToken, range,
               "`" + word + "` is a keyword of Python, and not a part of `tl`",
               {{range, word, "write `" + word + "`"}});
    return parseCompound();
  }
  static constexpr std::string_view kWords[] = {"DEF", "Def", "fn", "func", "fun", "function"};
  if (kindAhead(1) != TokenKind::Name || kindAhead(2) != TokenKind::LParen ||
      std::ranges::find(kWords, m_lexer.text(current())) == std::end(kWords))
    return nullptr;
  reportDefinitionWord();
  return parseFunction(here(), false, {});
}

} // namespace tilescope::compiler::ast
