// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions, classes, parameters and decorators.
#include "compiler/syntax/ForeignTypes.h"
#include "compiler/syntax/ParserImpl.h"

#include <algorithm>
#include <utility>

namespace tilescope::compiler::ast {

const Stmt *Parser::parseDecorated() {
  Begin begin = here();
  Nodes<Expr> decorators;
  while (accept(TokenKind::At)) {
    decorators.push_back(parseNamedExpression());
    if (!m_panic && !accept(TokenKind::Newline))
      reportHere(DiagnosticKind::SyntaxExpectedToken,
                 "expected end of line after a decorator, found " + describeCurrent());
    if (m_panic)
      recoverStatement();
  }
  if (at(TokenKind::KwDef))
    return parseFunction(here(), false, decorators);
  if (at(TokenKind::KwClass))
    return parseClass(decorators);
  if (at(TokenKind::KwAsync) && kindAhead(1) == TokenKind::KwDef) {
    Begin functionBegin = here();
    advance();
    return parseFunction(functionBegin, true, decorators);
  }
  reportSoft(DiagnosticKind::SyntaxExpectedToken, currentRange(),
             "expected a function or class after the decorator, found " + describeCurrent());
  m_brokenLine = true;
  return finishNode(make<InvalidStmt>(), begin);
}

const Stmt *Parser::parseFunction(Begin begin, bool isAsync, const Nodes<Expr> &decorators) {
  Token token = advance();
  FunctionDef *node =
      make<FunctionDef>(isAsync ? NodeKind::AsyncFunctionDef : NodeKind::FunctionDef);
  node->decoratorList = seq(decorators);
  node->nameRange = currentRange();
  if (at(TokenKind::Name))
    node->name = identifier(advance());
  else
    expect(TokenKind::Name, "after `def`");
  node->typeParams = parseTypeParams();
  if (!m_panic && at(TokenKind::LParen)) {
    open();
    node->args = parseParameters(TokenKind::RParen, true);
    if (!leaveBracketAtHeaderEnd() && !leaveBracketAtBody())
      close(TokenKind::RParen, "`,` or `)` after the parameter");
  } else {
    reportHere(DiagnosticKind::SyntaxExpectedToken,
               "expected `(` after the name of a function, found " + describeCurrent());
    node->args = finishNode(make<Arguments>(), here());
  }
  if (!m_panic && accept(TokenKind::Arrow))
    node->returns = parseExpression();
  int functionDepth = m_functionDepth++;
  int loopDepth = m_loopDepth;
  m_loopDepth = 0;
  ++m_numFunctions;
  node->body = parseBlock("the header of a function", token);
  --m_numFunctions;
  m_functionDepth = functionDepth;
  m_loopDepth = loopDepth;
  return finishNode(node, begin);
}

const Stmt *Parser::parseClass(const Nodes<Expr> &decorators) {
  Begin begin = here();
  Token token = advance();
  ClassDef *node = make<ClassDef>();
  node->decoratorList = seq(decorators);
  node->nameRange = currentRange();
  if (at(TokenKind::Name))
    node->name = identifier(advance());
  else
    expect(TokenKind::Name, "after `class`");
  node->typeParams = parseTypeParams();
  if (!m_panic && at(TokenKind::LParen)) {
    open();
    Nodes<Expr> bases;
    Nodes<Keyword> keywords;
    parseArguments(bases, keywords);
    close(TokenKind::RParen, "`,` or `)`");
    node->bases = seq(bases);
    node->keywords = seq(keywords);
  }
  int functionDepth = m_functionDepth, loopDepth = m_loopDepth;
  m_functionDepth = m_loopDepth = 0;
  node->body = parseBlock("the header of a class", token);
  m_functionDepth = functionDepth;
  m_loopDepth = loopDepth;
  return finishNode(node, begin);
}

/// At a `:` behind which the line ends, in an open parenthesis.
bool Parser::atHeaderEnd() {
  if (!at(TokenKind::Colon) || m_openBrackets.empty() ||
      m_openBrackets.back().kind != TokenKind::LParen)
    return false;
  // The lexer ends a line in a bracket only when it has given the bracket up.
  const Token next = m_lexer.token(m_index + 1);
  return next.kind == TokenKind::Newline || (next.startsLine && m_lexer.canRestartAt(m_index + 1));
}

/// After an error in the head of a block whose parenthesis was left open, `def f(x:`, goes on at
/// the colon.
bool Parser::leaveBracketAtHeaderEnd() {
  if (m_speculating > 0 || !atHeaderEnd())
    return false;
  reportHere(DiagnosticKind::SyntaxExpectedToken, "expected `)`, found `:`");
  if (m_lexer.token(m_index + 1).kind != TokenKind::Newline)
    m_lexer.restartAt(m_index + 1);
  m_openBrackets.clear();
  m_panic = false;
  return true;
}

/// Whether the token at the beginning of a line goes on with a list of parameters.
bool Parser::beginsParameter() {
  switch (kind()) {
  case TokenKind::Star:
  case TokenKind::DoubleStar:
  case TokenKind::Slash:
  case TokenKind::Comma:
  case TokenKind::RParen:
    return true;
  case TokenKind::Name:
    break;
  default:
    return false;
  }
  switch (kindAhead(1)) {
  case TokenKind::Comma:
  case TokenKind::RParen:
  case TokenKind::Colon:
    return true;
  case TokenKind::Equal:
    return !lineAssigns(current());
  default:
    return false;
  }
}

/// Where a line behind the parameters begins a statement, the head of the function lacks its end:
/// goes on with the body. In panic then.
bool Parser::leaveBracketAtBody() {
  if (m_speculating > 0 || !current().startsLine || beginsParameter() ||
      !m_lexer.canRestartAt(m_index))
    return false;
  if (!m_panic)
    reportUnclosed();
  m_panic = true;
  m_lexer.restartAt(m_index);
  return true;
}

const Arg *Parser::parseParameter(bool allowAnnotation, bool allowStarAnnotation) {
  Begin begin = here();
  Arg *node = make<Arg>();
  if (at(TokenKind::Name)) {
    node->arg = identifier(advance());
  } else {
    reportHere(DiagnosticKind::SyntaxInvalidParameters,
               "expected a parameter name, found " + describeCurrent());
    return finishNode(node, begin);
  }
  if (allowAnnotation && !atHeaderEnd() && accept(TokenKind::Colon)) {
    bool isStarred = allowStarAnnotation && at(TokenKind::Star);
    node->annotation = isStarred ? parseStarred(&Parser::parseBitOr) : parseExpression();
  }
  return finishNode(node, begin);
}

/// Parameters while they are being read.
struct Parser::ParameterLists {
  Arguments *node;
  TokenKind closer;
  bool allowAnnotations;
  Nodes<Arg> positionalOnly = {}, positional = {}, keywordOnly = {};
  Nodes<Expr> defaults = {}, keywordDefaults = {};
  bool afterStar = false, sawSlash = false;

  bool has(std::string_view name) const {
    const auto hasName = [&](const Arg *other) { return other && other->arg == name; };
    return hasName(node->vararg) || std::ranges::any_of(positionalOnly, hasName) ||
           std::ranges::any_of(positional, hasName) || std::ranges::any_of(keywordOnly, hasName);
  }
};

const Arg *Parser::parseUniqueParameter(const ParameterLists &lists, bool allowStarAnnotation) {
  const Arg *arg = parseParameter(lists.allowAnnotations, allowStarAnnotation);
  if (!arg->arg.empty() && lists.has(arg->arg))
    reportSoft(DiagnosticKind::SyntaxInvalidParameters, arg->range,
               "parameter `" + std::string(arg->arg) + "` is repeated");
  return arg;
}

void Parser::parseSlash(ParameterLists &lists) {
  if (lists.sawSlash || lists.afterStar || lists.positional.empty())
    reportHere(DiagnosticKind::SyntaxInvalidParameters,
               lists.positional.empty() ? "at least one parameter must precede `/`"
               : lists.sawSlash         ? "`/` may appear only once"
                                        : "`/` must be ahead of `*`");
  lists.sawSlash = true;
  advance();
  lists.positionalOnly = std::exchange(lists.positional, {});
}

void Parser::parseDoubleStarParameter(ParameterLists &lists) {
  advance();
  lists.node->kwarg = parseUniqueParameter(lists, false);
  if (at(TokenKind::Equal))
    reportHere(DiagnosticKind::SyntaxInvalidParameters, "`**` parameters cannot have a default");
}

void Parser::parseStarParameter(ParameterLists &lists) {
  const SourceRange star = currentRange();
  advance();
  if (lists.afterStar)
    report(DiagnosticKind::SyntaxInvalidParameters, star, "`*` may appear only once");
  lists.afterStar = true;
  if (at(TokenKind::Name)) {
    lists.node->vararg = parseUniqueParameter(lists, true);
    if (at(TokenKind::Equal))
      reportHere(DiagnosticKind::SyntaxInvalidParameters, "`*` parameters cannot have a default");
  } else if (at(lists.closer) ||
             (at(TokenKind::Comma) &&
              (kindAhead(1) == lists.closer || kindAhead(1) == TokenKind::DoubleStar))) {
    report(DiagnosticKind::SyntaxInvalidParameters, star,
           "named parameters must follow a bare `*`");
  }
}

/// `const float *x`: what is behind the type is the parameter all the same.
void Parser::skipParameterType() {
  const size_t first = m_index;
  size_t ahead = 0;
  for (bool isType = true; isType; ahead += isType ? 1 : 0) {
    const TokenKind kind = kindAhead(ahead);
    const std::string_view word = m_lexer.text(m_lexer.token(first + ahead));
    isType = ahead > 0 && (kind == TokenKind::Star || kind == TokenKind::DoubleStar);
    isType |= kind == TokenKind::Name && (word == "const" || !kernelTypeOf(word).empty());
  }
  if (m_panic || ahead == 0 || kindAhead(ahead) != TokenKind::Name)
    return;
  SourceRange range = currentRange();
  const uint32_t from = current().begin;
  for (size_t i = 0; i < ahead; ++i)
    advance();
  range.end = here();
  std::string type(std::string_view(m_tree.source).substr(from, current().begin - from));
  type.erase(type.find_last_not_of(" \t") + 1);
  reportSoft(DiagnosticKind::SyntaxInvalidParameters, range,
             "a parameter has no type in front of its name: write `" +
                 std::string(m_lexer.text(current())) + "`; its type is that of the argument",
             {{range, "", "remove `" + type + "`"}});
}

void Parser::parsePlainParameter(ParameterLists &lists) {
  skipParameterType();
  const Arg *arg = parseUniqueParameter(lists, false);
  const Expr *defaultValue = !m_panic && accept(TokenKind::Equal) ? parseExpression() : nullptr;
  if (lists.afterStar) {
    lists.keywordOnly.push_back(arg);
    lists.keywordDefaults.push_back(defaultValue);
    return;
  }
  if (defaultValue)
    lists.defaults.push_back(defaultValue);
  else if (!lists.defaults.empty())
    reportSoft(DiagnosticKind::SyntaxInvalidParameters, arg->range,
               "parameter without a default follows a parameter with one");
  lists.positional.push_back(arg);
}

void Parser::parseParameterInto(ParameterLists &lists) {
  if (lists.node->kwarg)
    reportHere(DiagnosticKind::SyntaxInvalidParameters, "no parameter may follow `**` parameters");
  if (at(TokenKind::Slash))
    return parseSlash(lists);
  if (at(TokenKind::DoubleStar))
    return parseDoubleStarParameter(lists);
  if (at(TokenKind::Star))
    return parseStarParameter(lists);
  parsePlainParameter(lists);
}

/// Parameters of a function or lambda up to `closer`, which is left.
const Arguments *Parser::parseParameters(TokenKind closer, bool allowAnnotations) {
  Begin begin = here();
  Arguments *node = make<Arguments>();
  ParameterLists lists{node, closer, allowAnnotations};
  while (!atAny({closer, TokenKind::Newline, TokenKind::EndOfFile})) {
    parseParameterInto(lists);
    if (m_panic && closer == TokenKind::RParen)
      skipElement(closer);
    if (!accept(TokenKind::Comma))
      break;
  }
  node->posonlyargs = seq(lists.positionalOnly);
  node->args = seq(lists.positional);
  node->kwonlyargs = seq(lists.keywordOnly);
  node->kwDefaults = seq(lists.keywordDefaults);
  node->defaults = seq(lists.defaults);
  return finishNode(node, begin);
}

/// `[T: bound = default, *Ts, **P]`, or nothing.
Seq<TypeParam> Parser::parseTypeParams() {
  if (m_panic || !at(TokenKind::LBracket))
    return {};
  open();
  Nodes<TypeParam> params;
  while (!atAny({TokenKind::RBracket, TokenKind::Newline, TokenKind::EndOfFile})) {
    Begin begin = here();
    NodeKind kind = accept(TokenKind::Star)         ? NodeKind::TypeVarTuple
                    : accept(TokenKind::DoubleStar) ? NodeKind::ParamSpec
                                                    : NodeKind::TypeVar;
    TypeParam *node = make<TypeParam>(kind);
    if (at(TokenKind::Name))
      node->name = identifier(advance());
    else
      expect(TokenKind::Name, "of a type parameter");
    if (kind == NodeKind::TypeVar && accept(TokenKind::Colon))
      node->bound = parseExpression();
    if (!m_panic && accept(TokenKind::Equal)) {
      bool isStarred = kind == NodeKind::TypeVarTuple && at(TokenKind::Star);
      node->defaultValue = isStarred ? parseStarred(&Parser::parseBitOr) : parseExpression();
    }
    params.push_back(finishNode(node, begin));
    if (m_panic || !accept(TokenKind::Comma))
      break;
  }
  if (params.empty() && !m_panic)
    reportHere(DiagnosticKind::SyntaxInvalidParameters, "type parameter list is empty");
  close(TokenKind::RBracket, "`,` or `]` after the type parameter");
  return seq(params);
}

} // namespace tilescope::compiler::ast
