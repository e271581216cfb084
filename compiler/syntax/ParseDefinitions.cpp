// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions, classes and decorators. Parameters are in ParseParameters.cpp.
#include "compiler/syntax/ParserImpl.h"

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
  if (at(TokenKind::Name) && kindAhead(1) == TokenKind::Name && kindAhead(2) == TokenKind::LParen) {
    reportDefinitionWord();
    return parseFunction(here(), false, decorators);
  }
  reportSoft(DiagnosticKind::SyntaxExpectedToken, currentRange(),
             "expected a function or class after the decorator, found " + describeCurrent());
  m_brokenLine = true;
  return finishNode(make<InvalidStmt>(), begin);
}

/// Of `Def f(…):`, `function f(…):`, which is read as a definition.
void Parser::reportDefinitionWord() {
  const std::string word(m_lexer.text(current()));
  reportSoft(DiagnosticKind::SyntaxExpectedToken, currentRange(),
             "a function begins with `def`, not with `" + word + "`",
             {{currentRange(), "def", "write `def`"}});
}

/// A name of several words, `my kernel`, `my-kernel`, in front of `(`, which becomes one; empty: it is none.
std::string Parser::joinedName() {
  std::string name;
  size_t ahead = 0;
  for (; kindAhead(ahead) == TokenKind::Name; ++ahead) {
    (name += name.empty() ? "" : "_") += m_lexer.text(m_lexer.token(m_index + ahead));
    const TokenKind next = kindAhead(ahead + 1);
    ahead += next == TokenKind::Minus || next == TokenKind::Dot ? 1 : 0;
  }
  if (ahead < 2 || kindAhead(ahead) != TokenKind::LParen)
    return {};
  SourceRange range = currentRange();
  while (ahead-- > 0)
    advance();
  range.end = m_lastEnd;
  reportSoft(DiagnosticKind::SyntaxExpectedToken, range,
             "the name of a function is one word, such as `" + name + "`",
             {{range, name, "write `" + name + "`"}});
  return name;
}

/// `def f x, y:`: the parameters lack their parentheses.
const Arguments *Parser::parseBareParameters() {
  const Begin nameEnd = m_lastEnd;
  const SourceRange first = currentRange();
  std::string message = "expected `(` after the name of a function, found " + describeCurrent();
  const Arguments *parameters = parseParameters(TokenKind::Colon, true);
  const bool isHeader = at(TokenKind::Colon) && m_openBrackets.empty();
  const SourceRange range{nameEnd, m_lastEnd, m_options.file};
  const std::string_view source(m_tree.source);
  const uint32_t from = m_lexer.offset(first.begin);
  std::string list = "(" + std::string(source.substr(from, m_lexer.offset(m_lastEnd) - from)) + ")";
  std::vector<DiagnosticFix> fixes;
  if (isHeader)
    fixes.push_back({range, std::move(list), "put the parameters in parentheses"});
  report(DiagnosticKind::SyntaxExpectedToken, first, std::move(message), std::move(fixes));
  m_panic &= !isHeader;
  return parameters;
}

const Stmt *Parser::parseFunction(Begin begin, bool isAsync, const Nodes<Expr> &decorators) {
  Token token = advance();
  token.kind = TokenKind::KwDef;
  FunctionDef *node =
      make<FunctionDef>(isAsync ? NodeKind::AsyncFunctionDef : NodeKind::FunctionDef);
  node->decoratorList = seq(decorators);
  node->nameRange = currentRange();
  if (const std::string joined = joinedName(); !joined.empty())
    node->name = m_tree.arena.copy(std::string_view(joined));
  else if (at(TokenKind::Name))
    node->name = identifier(advance());
  else
    expect(TokenKind::Name, "after `def`");
  node->typeParams = parseTypeParams();
  if (!m_panic && at(TokenKind::LParen)) {
    open();
    node->args = parseParameters(TokenKind::RParen, true);
    if (!leaveBracketAtHeaderEnd() && !leaveBracketAtBody())
      close(TokenKind::RParen, "`,` or `)` after the parameter");
  } else if (!m_panic && at(TokenKind::Name)) {
    node->args = parseBareParameters();
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
