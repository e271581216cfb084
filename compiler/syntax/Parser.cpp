// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Tokens and whole texts. Errors are in ParserRecovery.cpp, the grammar is in the Parse*.cpp files.
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
  if (accept(TokenKind::Colon) || readForeignHead())
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
