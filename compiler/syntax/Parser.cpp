// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Tokens, errors and recovery. The grammar is in the Parse*.cpp files.
#include "compiler/syntax/ParserImpl.h"
#include "compiler/syntax/PastedPrompts.h"
#include "compiler/syntax/PythonText.h"
#include "compiler/syntax/TabFix.h"
#include "compiler/syntax/Unicode.h"

#include <algorithm>
#include <cstdio>

namespace tilescope::compiler::ast {

Parser::Parser(SyntaxTree &tree, const ParseOptions &options, DiagnosticSink &diagnostics)
    : m_tree(tree), m_options(options), m_diagnostics(diagnostics),
      m_lexer(tree.source, options.file, diagnostics) {}

Parser::Nesting::Nesting(Parser &parser) : m_parser(parser) {
  bool isTooDeep = ++parser.m_depth > parser.m_options.maxDepth;
  // Said once; the rest of the file would only repeat it.
  if (isTooDeep && parser.m_saidTooDeep && parser.m_speculating == 0)
    parser.m_panic = true;
  else if (isTooDeep)
    parser.report(DiagnosticKind::SyntaxNestedTooDeeply, parser.currentRange(),
                  "code is nested too deeply; the limit is " +
                      std::to_string(parser.m_options.maxDepth) + " levels");
  parser.m_saidTooDeep |= isTooDeep && parser.m_speculating == 0;
}

bool Parser::atAny(std::initializer_list<TokenKind> wanted) {
  TokenKind found = kind();
  return std::find(wanted.begin(), wanted.end(), found) != wanted.end();
}

bool Parser::atWord(std::string_view word) {
  return at(TokenKind::Name) && m_lexer.text(current()) == word;
}

Token Parser::advance() {
  Token token = current();
  switch (token.kind) {
  case TokenKind::EndOfFile:
    return token;
  case TokenKind::Newline:
  case TokenKind::Indent:
  case TokenKind::Dedent:
    break;
  default:
    m_lastEnd = m_lexer.position(token.end, token.endLine);
  }
  ++m_index;
  return token;
}

bool Parser::accept(TokenKind wanted) {
  if (!at(wanted))
    return false;
  advance();
  return true;
}

bool Parser::expect(TokenKind wanted, std::string_view where) {
  if (accept(wanted))
    return true;
  std::string message = "expected " + tokenDescription(wanted);
  if (!where.empty())
    (message += ' ') += where;
  reportHere(DiagnosticKind::SyntaxExpectedToken, message + ", found " + describeCurrent());
  return false;
}

bool Parser::expectBlockColon(std::string_view owner) {
  if (accept(TokenKind::Colon))
    return true;
  std::vector<DiagnosticFix> fixes;
  if (atAny({TokenKind::Newline, TokenKind::EndOfFile}))
    fixes.push_back({{m_lastEnd, m_lastEnd, m_options.file}, ":", "add `:`"});
  report(DiagnosticKind::SyntaxExpectedToken, currentRange(),
         "expected `:` after " + std::string(owner) + ", found " + describeCurrent(),
         std::move(fixes));
  return false;
}

void Parser::open() { m_openBrackets.push_back(advance()); }

bool Parser::close(TokenKind closer, std::string_view expected) {
  if (!m_panic && !at(closer))
    reportHere(DiagnosticKind::SyntaxExpectedToken,
               "expected " + std::string(expected) + ", found " + describeCurrent());
  if (m_panic)
    skipInList(closer, false);
  if (!accept(closer))
    return false;
  if (!m_openBrackets.empty())
    m_openBrackets.pop_back();
  return true;
}

std::string Parser::describeCurrent() {
  const Token &token = current();
  switch (token.kind) {
  case TokenKind::Name:
  case TokenKind::Number: {
    std::string text(m_lexer.text(token).substr(0, 40));
    return "`" + text + "`";
  }
  default:
    return tokenDescription(token.kind);
  }
}

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
  if (!m_diagnostics.hasErrorOnLine(range.begin.line))
    m_diagnostics.add({DiagnosticKind::SyntaxUnclosedBracket,
                       Severity::Error,
                       range,
                       tokenDescription(bracket.kind) + " was never closed",
                       {},
                       {},
                       closeFix()});
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
  if (!m_openBrackets.empty() && (token.kind == TokenKind::Newline || lineLeavesBracket(token) ||
                                  lineAssigns(token) || atHeaderEnd())) {
    return reportUnclosed();
  }
  if (!m_diagnostics.hasErrorOnLine(range.begin.line))
    m_diagnostics.add({kind, Severity::Error, range, std::move(message), {}, {}, std::move(fixes)});
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

Identifier Parser::identifier(const Token &token) {
  std::string_view text = m_lexer.text(token);
  bool isAscii = std::all_of(text.begin(), text.end(), [](char c) { return c >= 0; });
  return isAscii ? text : m_tree.arena.copy(normalizeIdentifier(text));
}

const Module *Parser::parseModule() {
  Module *module = make<Module>();
  Nodes<Stmt> body = parseStatements();
  while (!at(TokenKind::EndOfFile))
    advance();
  module->body = seq(body);
  m_lastEnd = here();
  return finishNode(module, Begin{});
}

const Expr *Parser::parseSingleExpression() {
  while (accept(TokenKind::Newline) || accept(TokenKind::Indent))
    ;
  const Expr *expr = parseStarExpressions();
  while (accept(TokenKind::Newline) || accept(TokenKind::Dedent))
    ;
  if (!m_panic && !at(TokenKind::EndOfFile))
    reportHere(DiagnosticKind::SyntaxExpectedToken,
               "expected end of the expression, found " + describeCurrent());
  return expr;
}

/// Another form of text, or none at all.
static std::string_view foreignEncoding(std::string_view source) {
  if (source.starts_with("\xFF\xFE") || source.starts_with("\xFE\xFF"))
    return "the source is UTF-16, not UTF-8";
  if (source.find('\0') != std::string_view::npos)
    return "the source contains a null byte: it is not UTF-8 text";
  return {};
}

/// Positions need whole UTF-8: reports the first byte that is none. What is not text has no other
/// errors.
static void checkEncoding(const SyntaxTree &tree, uint32_t file, DiagnosticSink &diagnostics) {
  std::string_view source = tree.source;
  const std::string_view foreign = foreignEncoding(source);
  for (size_t offset = 0; offset < source.size();) {
    const size_t begin = offset;
    const bool isReplacement = source.substr(offset).starts_with("\xEF\xBF\xBD");
    if (source[offset] != '\0' && (decodeUtf8(source, offset) != 0xFFFD || isReplacement))
      continue;
    auto line = std::upper_bound(tree.lineOffsets.begin(), tree.lineOffsets.end(), begin) - 1;
    Position position{static_cast<uint32_t>(line - tree.lineOffsets.begin()),
                      static_cast<uint32_t>(begin - *line)};
    Position end{position.line, position.column + 1};
    if (!foreign.empty())
      diagnostics.clear();
    char byte[8];
    std::snprintf(byte, sizeof byte, "0x%02x", static_cast<unsigned char>(source[begin]));
    diagnostics.add({DiagnosticKind::SyntaxInvalidEncoding,
                     Severity::Error,
                     {position, end, file},
                     foreign.empty()
                         ? std::string("the source is not valid UTF-8: the byte ") + byte
                         : std::string(foreign),
                     {},
                     {"save the file as UTF-8"},
                     {}});
    return;
  }
}

static void finishTree(SyntaxTree &tree, const Lexer &lexer, const ParseOptions &options,
                       DiagnosticSink &sink) {
  tree.comments = lexer.comments();
  tree.lineOffsets = lexer.lineOffsets();
  checkEncoding(tree, options.file, sink);
  tree.diagnostics = sink.take();
  addTabFixes(tree.diagnostics, tree.source, tree.lineOffsets, lexer.tokens());
  std::stable_sort(
      tree.diagnostics.begin(), tree.diagnostics.end(),
      [](const Diagnostic &a, const Diagnostic &b) { return a.range.begin < b.range.begin; });
  if (auto pasted = pastedPrompts(tree.source, tree.lineOffsets, tree.diagnostics))
    tree.diagnostics = {std::move(*pasted)};
}

std::shared_ptr<const SyntaxTree> parseModule(std::string source, const ParseOptions &options) {
  auto tree = std::make_shared<SyntaxTree>();
  tree->source = std::move(source);
  DiagnosticSink sink(options.maxErrors);
  Parser parser(*tree, options, sink);
  tree->module = parser.parseModule();
  finishTree(*tree, parser.lexer(), options, sink);
  return tree;
}

ParsedExpression parseExpression(std::string source, const ParseOptions &options) {
  auto tree = std::make_shared<SyntaxTree>();
  tree->source = std::move(source);
  DiagnosticSink sink(options.maxErrors);
  Parser parser(*tree, options, sink);
  const Expr *expr = parser.parseSingleExpression();
  finishTree(*tree, parser.lexer(), options, sink);
  auto *module = tree->arena.make<Module>();
  module->kind = NodeKind::Module;
  module->height = 1;
  tree->module = module;
  bool failed = tree->hasErrors();
  return {tree, failed ? nullptr : expr};
}

} // namespace tilescope::compiler::ast
