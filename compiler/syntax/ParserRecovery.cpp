// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the parser says of errors, and where it goes on behind them.
#include "compiler/syntax/AssignedAddress.h"
#include "compiler/syntax/BracketLines.h"
#include "compiler/syntax/JoinedLines.h"
#include "compiler/syntax/ParserImpl.h"
#include "compiler/syntax/PythonText.h"
#include "compiler/syntax/Unicode.h"

#include <algorithm>

namespace tilescope::compiler::ast {

/// Whether the token begins a line that, by its indentation, belongs to no open bracket.
bool Parser::lineLeavesBracket(const Token &token) {
  if (m_openBrackets.empty() || !token.startsLine)
    return false;
  switch (token.kind) {
  case TokenKind::RParen:
  case TokenKind::RBracket:
  case TokenKind::RBrace:
  case TokenKind::Comma:
    return false;
  default:
    return m_lexer.position(token.begin, token.beginLine).column <= m_statementColumn;
  }
}

/// Whether the token, where an element of a bracket should have ended, begins a line with an
/// assignment, `x = …` with blanks, and not with a keyword argument, `x=…`.
bool Parser::lineAssigns(const Token &token) {
  if (m_openBrackets.empty() || !token.startsLine || token.kind != TokenKind::Name)
    return false;
  const Token next = m_lexer.token(m_index + 1);
  switch (next.kind) {
  case TokenKind::Equal:
    return token.end < next.begin;
  case TokenKind::PlusEqual:
  case TokenKind::MinusEqual:
  case TokenKind::StarEqual:
    return true;
  default:
    return false;
  }
}

/// Whether the token, where an element of a bracket should have ended, begins a line with a call that
/// has no value: `tl.store(…)` is a statement, and no element.
static bool lineStores(Lexer &lexer, std::string_view source, size_t index) {
  if (!lexer.token(index).startsLine || lexer.token(index).kind != TokenKind::Name)
    return false;
  size_t last = index;
  while (lexer.token(last + 1).kind == TokenKind::Dot &&
         lexer.token(last + 2).kind == TokenKind::Name)
    last += 2;
  static constexpr std::string_view kStatements[] = {
      "debug_barrier", "device_assert", "device_print", "static_assert", "static_print", "store"};
  const Token &name = lexer.token(last);
  const std::string_view word = source.substr(name.begin, name.end - name.begin);
  return last > index && lexer.token(last + 1).kind == TokenKind::LParen &&
         std::ranges::find(kStatements, word) != std::end(kStatements);
}

/// Of `y = f(x` and, in the next line, `tl.store(…))`, where an editor has kept the bracket's end behind
/// what was typed: closes the bracket and makes the line a statement of its own.
static std::vector<DiagnosticFix> splitFix(Lexer &lexer, std::string_view source, size_t index,
                                           uint32_t column, uint32_t file) {
  int depth = 0;
  size_t closer = index;
  for (;; ++closer) {
    const Token &token = lexer.token(closer);
    if (token.kind == TokenKind::Newline || token.kind == TokenKind::EndOfFile)
      return {};
    depth += opensBracket(token.kind) ? 1 : closesBracket(token.kind) ? -1 : 0;
    if (depth < 0)
      break;
  }
  const Token before = lexer.token(index - 1), line = lexer.token(index), end = lexer.token(closer);
  const std::string_view statement = source.substr(line.begin, end.begin - line.begin);
  const std::string bracket(source.substr(end.begin, 1));
  if (end.beginLine != line.beginLine || lexer.token(closer + 1).kind != TokenKind::Newline)
    return {};
  return {
      {{lexer.position(before.end, before.endLine), lexer.position(end.end, end.endLine), file},
       bracket + "\n" + std::string(column, ' ') + std::string(statement),
       "close `(` in front of `" + std::string(statement.substr(0, statement.find('('))) + "`"}};
}

std::vector<DiagnosticFix> Parser::closeFix() {
  // What was read into the bracket may be the next statement: `f(x, y=` before `z = 1`.
  for (size_t i = m_index;
       i-- > 0 && !m_openBrackets.empty() && m_lexer.token(i).begin > m_openBrackets.front().begin;)
    if (lineLeavesBracket(m_lexer.token(i)))
      return {};
  std::string closers;
  for (size_t i = m_openBrackets.size(); i-- > 0;)
    switch (m_openBrackets[i].kind) {
    case TokenKind::LParen:
      closers += ')';
      break;
    case TokenKind::LBracket:
      closers += ']';
      break;
    default:
      closers += '}';
    }
  return m_index == 0 || m_openBrackets.empty()
             ? std::vector<DiagnosticFix>()
             : m_lexer.closingFix(m_openBrackets.front().begin, m_lexer.token(m_index - 1),
                                  closers);
}

/// An `=` that fits nowhere in a bracket, in a line that by its indentation begins a statement: the
/// bracket was left open before that line. Goes back to where the line begins.
void Parser::leaveBracketAtAssignment() {
  if (m_openBrackets.empty() ||
      !atAny({TokenKind::Equal, TokenKind::PlusEqual, TokenKind::MinusEqual, TokenKind::StarEqual}))
    return;
  uint32_t bracketAt = m_openBrackets.back().begin;
  // Never behind the last place that it went back from, so that it comes to an end.
  for (size_t i = m_index; i > m_leftBracketFrom && m_lexer.token(i).begin > bracketAt; --i) {
    const Token &token = m_lexer.token(i);
    if (!token.startsLine)
      continue;
    if (lineLeavesBracket(token)) {
      m_leftBracketFrom = m_index;
      m_index = i;
    }
    return;
  }
}

void Parser::reportUnclosed() {
  const Token &bracket = m_openBrackets.back();
  const SourceRange range = m_lexer.range(bracket);
  const bool isStore = m_openBrackets.size() == 1 && m_index > 0 &&
                       lineStores(m_lexer, m_tree.source, m_index) && !lineLeavesBracket(current());
  if (!m_diagnostics.hasErrorOnLine(range.begin.line))
    m_diagnostics.add(
        {DiagnosticKind::SyntaxUnclosedBracket,
         Severity::Error,
         range,
         tokenDescription(bracket.kind) + " was never closed",
         {},
         {},
         isStore ? splitFix(m_lexer, m_tree.source, m_index, m_statementColumn, m_options.file)
                 : closeFix()});
}

/// An element of a bracket, at the beginning of a line, to which nothing leads from the line before:
/// the bracket ends there, or a comma is missing.
static void explainOpenBracket(Lexer &lexer, const Token &bracket, size_t index,
                               Diagnostic &diagnostic) {
  const Token token = lexer.token(index);
  if (!token.startsLine || bracket.beginLine == token.beginLine || index == 0)
    return;
  diagnostic.labels.push_back(
      {lexer.range(bracket), tokenDescription(bracket.kind) + " is open since here"});
  const Token &before = lexer.token(index - 1);
  const Position end = lexer.position(before.end, before.endLine);
  if (diagnostic.fixes.empty() && bracket.begin < before.begin)
    diagnostic.fixes.push_back(commaFix({end, end, diagnostic.range.file}));
}

void Parser::report(DiagnosticKind kind, SourceRange range, std::string message,
                    std::vector<DiagnosticFix> fixes) {
  if (m_panic)
    return;
  m_panic = true;
  if (m_speculating > 0)
    return;
  leaveBracketAtAssignment();
  const Token &token = current();
  if (!m_openBrackets.empty() &&
      (token.kind == TokenKind::Newline || lineLeavesBracket(token) || lineAssigns(token) ||
       lineStores(m_lexer, m_tree.source, m_index) || atHeaderEnd())) {
    return reportUnclosed();
  }
  if (m_diagnostics.hasErrorOnLine(range.begin.line))
    return;
  Diagnostic diagnostic{kind, Severity::Error, range, std::move(message), {}, {}, std::move(fixes)};
  if (kind == DiagnosticKind::SyntaxExpectedToken && !m_openBrackets.empty() && atExpressionStart())
    explainOpenBracket(m_lexer, m_openBrackets.back(), m_index, diagnostic);
  m_diagnostics.add(std::move(diagnostic));
}

void Parser::reportSoft(DiagnosticKind kind, SourceRange range, std::string message,
                        std::vector<DiagnosticFix> fixes) {
  if (!m_panic && m_speculating == 0)
    m_diagnostics.add({kind, Severity::Error, range, std::move(message), {}, {}, std::move(fixes)});
}

/// An operator of other languages, whose second half is at `at` or ends there.
struct ForeignOperator {
  std::string_view text;
  /// The place of its end behind `at`.
  uint32_t end;
  std::string_view replacement;
  std::string_view advice;
};
static const ForeignOperator *foreignOperator(std::string_view source, uint32_t at) {
  static constexpr ForeignOperator kOperators[] = {
      {"&&", 1, "and", "write `and`, or `&` between blocks"},
      {"||", 1, "or", "write `or`, or `|` between blocks"},
      {"++", 0, " += 1", "write `+= 1`"},
      {"--", 0, " -= 1", "write `-= 1`"}};
  for (const ForeignOperator &each : kOperators) {
    const uint32_t end = at + each.end;
    if (end >= each.text.size() && end <= source.size() &&
        source.substr(end - each.text.size(), each.text.size()) == each.text)
      return &each;
  }
  return nullptr;
}

/// A comparison with a blank inside: `< =`. `at`: its second half.
static std::string_view splitComparison(std::string_view source, uint32_t at) {
  static constexpr std::string_view kOperators[] = {"<=", ">=", "==", "!="};
  if (at < 2 || source[at] != '=' || source[at - 1] != ' ')
    return {};
  const size_t first = source.find_last_not_of(' ', at - 1);
  for (const std::string_view each : kOperators)
    if (first != source.npos && source[first] == each.front())
      return source.substr(first, at + 1 - first);
  return {};
}

const Expr *Parser::invalidExpr(std::string expected) {
  Begin begin = here();
  if (const ForeignOperator *found = foreignOperator(m_tree.source, current().begin)) {
    SourceRange range{begin, begin, m_options.file};
    range.end.column += found->end;
    range.begin.column = range.end.column - 2;
    report(DiagnosticKind::SyntaxExpectedExpression, range,
           "Python has no `" + std::string(found->text) + "`: " + std::string(found->advice),
           {{range, std::string(found->replacement),
             "write `" + std::string(found->replacement) + "`"}});
  } else if (const std::string_view split = splitComparison(m_tree.source, current().begin);
             !split.empty()) {
    const std::string joined{split.front(), '='};
    SourceRange range{begin, begin, m_options.file};
    range.end.column += 1;
    range.begin.column = range.end.column - static_cast<uint32_t>(split.size());
    report(DiagnosticKind::SyntaxExpectedExpression, range,
           "`" + std::string(split) + "` has a blank inside: write `" + joined + "`",
           {{range, joined, "write `" + joined + "`"}});
  } else if (!m_panic && m_speculating == 0 && at(TokenKind::Star) &&
             (kindAhead(1) == TokenKind::Name || kindAhead(1) == TokenKind::LParen)) {
    advance();
    parsePrimary();
    const Token &last = m_lexer.token(m_index - 1);
    return rejectPointer({begin, m_lexer.position(last.end, last.endLine), m_options.file});
  } else if (isKeyword(kind()))
    reportHere(DiagnosticKind::SyntaxExpectedExpression,
               "expected " + expected + ", found the keyword " + describeCurrent());
  else
    reportHere(DiagnosticKind::SyntaxExpectedExpression,
               "expected " + expected + ", found " + describeCurrent());
  InvalidExpr *node = make<InvalidExpr>();
  node->range = {begin, begin, m_options.file};
  node->height = 1;
  return node;
}

/// Reports `*pointer`, a value of C only; what stands in its place.
const Expr *Parser::rejectPointer(const SourceRange &range) {
  PointerOfC pointer = pointerOfC({m_tree.source, m_lexer.lineOffsets()}, range);
  reportSoft(DiagnosticKind::SyntaxInvalidTarget, range, std::move(pointer.message),
             std::move(pointer.fixes));
  InvalidExpr *unread = make<InvalidExpr>();
  unread->range = range;
  unread->height = 1;
  return unread;
}

/// In panic inside a bracketed list: skips to the closing bracket, or also to the comma that ends
/// the broken element, and ends the panic there. Stays in panic when the line or the file ends
/// first.
void Parser::skipInList(TokenKind closer, bool stopAtComma) {
  int depth = 0;
  while (true) {
    const Token &token = current();
    if (lineLeavesBracket(token) || (depth == 0 && closer == TokenKind::RParen && atHeaderEnd()))
      return;
    switch (token.kind) {
    case TokenKind::Newline:
    case TokenKind::EndOfFile:
    case TokenKind::Indent:
    case TokenKind::Dedent:
      return;
    case TokenKind::LParen:
    case TokenKind::LBracket:
    case TokenKind::LBrace:
      ++depth;
      break;
    case TokenKind::RParen:
    case TokenKind::RBracket:
    case TokenKind::RBrace:
      if (depth == 0) {
        if (token.kind == closer)
          m_panic = m_speculating > 0;
        return;
      }
      --depth;
      break;
    case TokenKind::Comma:
      if (depth == 0 && stopAtComma) {
        m_panic = m_speculating > 0;
        return;
      }
      break;
    case TokenKind::FStringEnd:
    case TokenKind::FStringMiddle:
      if (depth == 0 && closer == TokenKind::RBrace)
        return;
      break;
    default:
      break;
    }
    advance();
  }
}

/// Skips to the next statement after an error.
void Parser::recoverStatement() {
  while (!atAny({TokenKind::Newline, TokenKind::EndOfFile, TokenKind::Indent, TokenKind::Dedent})) {
    if (lineLeavesBracket(current()) && m_lexer.canRestartAt(m_index)) {
      m_lexer.restartAt(m_index);
      break;
    }
    advance();
  }
  accept(TokenKind::Newline);
  m_openBrackets.clear();
  m_panic = false;
  m_brokenLine = true;
}

} // namespace tilescope::compiler::ast
