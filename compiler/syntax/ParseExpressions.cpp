// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators and everything that binds more loosely than a call.
#include "compiler/syntax/ForeignTypes.h"
#include "compiler/syntax/ParserImpl.h"

namespace tilescope::compiler::ast {

bool Parser::atExpressionStart() {
  switch (kind()) {
  case TokenKind::Name:
  case TokenKind::Number:
  case TokenKind::String:
  case TokenKind::FStringStart:
  case TokenKind::KwFalse:
  case TokenKind::KwNone:
  case TokenKind::KwTrue:
  case TokenKind::KwAwait:
  case TokenKind::KwLambda:
  case TokenKind::KwNot:
  case TokenKind::KwYield:
  case TokenKind::LParen:
  case TokenKind::LBracket:
  case TokenKind::LBrace:
  case TokenKind::Ellipsis:
  case TokenKind::Plus:
  case TokenKind::Minus:
  case TokenKind::Tilde:
  case TokenKind::Star:
    return true;
  default:
    return false;
  }
}

const Expr *Parser::finishTuple(Begin begin, Nodes<Expr> elts) {
  Tuple *tuple = make<Tuple>();
  tuple->elts = seq(elts);
  return finish(tuple, begin);
}

const Expr *Parser::parseStarred(const Expr *(Parser::*parseOperand)()) {
  Begin begin = here();
  advance();
  Starred *starred = make<Starred>();
  starred->value = (this->*parseOperand)();
  return finish(starred, begin);
}

const Expr *Parser::parseStarExpression(bool allowNamed) {
  if (at(TokenKind::Star))
    return parseStarred(&Parser::parseBitOr);
  return allowNamed ? parseNamedExpression() : parseExpression();
}

/// `a`, `a, b`, `*a, b,`
const Expr *Parser::parseStarExpressions() {
  Begin begin = here();
  const Expr *first = parseStarExpression(false);
  if (!at(TokenKind::Comma))
    return first;
  Nodes<Expr> elts{first};
  while (accept(TokenKind::Comma)) {
    if (!atExpressionStart() || at(TokenKind::KwYield))
      break;
    elts.push_back(parseStarExpression(false));
  }
  return finishTuple(begin, std::move(elts));
}

const Expr *Parser::parseYieldOrStarExpressions() {
  return at(TokenKind::KwYield) ? parseYield() : parseStarExpressions();
}

const Expr *Parser::parseYield() {
  Begin begin = here();
  advance();
  if (accept(TokenKind::KwFrom)) {
    Yield *node = make<Yield>(NodeKind::YieldFrom);
    node->value = parseExpression();
    return finish(node, begin);
  }
  Yield *node = make<Yield>(NodeKind::Yield);
  if (atExpressionStart() && !at(TokenKind::KwYield))
    node->value = parseStarExpressions();
  return finish(node, begin);
}

const Expr *Parser::parseNamedExpression() {
  if (!at(TokenKind::Name) || kindAhead(1) != TokenKind::ColonEqual)
    return parseExpression();
  Begin begin = here();
  NamedExpr *node = make<NamedExpr>();
  Name *target = make<Name>();
  target->id = identifier(advance());
  target->ctx = ExprContext::Store;
  node->target = finish(target, begin);
  advance();
  node->value = parseExpression();
  return finish(node, begin);
}

const Expr *Parser::parseExpression() {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return invalidExpr("expression");
  if (at(TokenKind::KwLambda))
    return parseLambda();
  Begin begin = here();
  const Expr *body = parseDisjunction();
  if (!accept(TokenKind::KwIf))
    return body;
  IfExp *node = make<IfExp>();
  node->body = body;
  node->test = parseDisjunction();
  if (expect(TokenKind::KwElse, "after the condition of an `if` expression"))
    node->orelse = parseExpression();
  else
    node->orelse = invalidExpr("expression");
  return finish(node, begin);
}

const Expr *Parser::parseLambda() {
  Begin begin = here();
  advance();
  Lambda *node = make<Lambda>();
  node->args = parseParameters(TokenKind::Colon, false);
  expect(TokenKind::Colon, "after the parameters of a `lambda`");
  node->body = parseExpression();
  return finish(node, begin);
}

const Expr *Parser::parseBoolChain(TokenKind word, BoolOpKind op,
                                   const Expr *(Parser::*parseOperand)()) {
  Begin begin = here();
  const Expr *first = (this->*parseOperand)();
  if (!at(word))
    return first;
  Nodes<Expr> values{first};
  while (accept(word))
    values.push_back((this->*parseOperand)());
  BoolOp *node = make<BoolOp>();
  node->op = op;
  node->values = seq(values);
  return finish(node, begin);
}

const Expr *Parser::parseDisjunction() {
  return parseBoolChain(TokenKind::KwOr, BoolOpKind::Or, &Parser::parseConjunction);
}

const Expr *Parser::parseConjunction() {
  return parseBoolChain(TokenKind::KwAnd, BoolOpKind::And, &Parser::parseInversion);
}

const Expr *Parser::parseInversion() {
  if (!at(TokenKind::KwNot))
    return parseComparison();
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return invalidExpr("expression");
  Begin begin = here();
  advance();
  UnaryOp *node = make<UnaryOp>();
  node->op = UnaryOpKind::Not;
  node->operand = parseInversion();
  return finish(node, begin);
}

bool Parser::parseCompareOp(CompareOpKind &op) {
  switch (kind()) {
  case TokenKind::EqualEqual:
    op = CompareOpKind::Eq;
    break;
  case TokenKind::Equal:
    if (reportTurnedComparison(op))
      return true;
    if (m_conditionBrackets != m_openBrackets.size())
      return false;
    reportSoft(DiagnosticKind::SyntaxExpectedToken, currentRange(),
               "`=` assigns; write `==` to compare or `:=` to assign in an expression",
               {{currentRange(), "==", "write `==`"}});
    op = CompareOpKind::Eq;
    break;
  case TokenKind::NotEqual:
    op = CompareOpKind::NotEq;
    break;
  case TokenKind::Less:
    op = CompareOpKind::Lt;
    break;
  case TokenKind::LessEqual:
    op = CompareOpKind::LtE;
    break;
  case TokenKind::Greater:
    op = CompareOpKind::Gt;
    break;
  case TokenKind::GreaterEqual:
    op = CompareOpKind::GtE;
    break;
  case TokenKind::KwIn:
    op = CompareOpKind::In;
    break;
  case TokenKind::KwIs:
    advance();
    op = accept(TokenKind::KwNot) ? CompareOpKind::IsNot : CompareOpKind::Is;
    return true;
  case TokenKind::KwNot:
    if (kindAhead(1) != TokenKind::KwIn)
      return false;
    advance();
    op = CompareOpKind::NotIn;
    break;
  default:
    return false;
  }
  advance();
  return true;
}

const Expr *Parser::parseComparison() {
  Begin begin = here();
  const Expr *left = parseBitOr();
  CompareOpKind op;
  if (!parseCompareOp(op))
    return left;
  std::vector<CompareOpKind> ops;
  Nodes<Expr> comparators;
  do {
    ops.push_back(op);
    comparators.push_back(parseBitOr());
  } while (parseCompareOp(op));
  Compare *node = make<Compare>();
  node->left = left;
  node->ops = m_tree.arena.copy(ops);
  node->comparators = seq(comparators);
  return finish(node, begin);
}

namespace {
struct BinaryOperator {
  BinaryOpKind op;
  int precedence;
};
} // namespace

static std::optional<BinaryOperator> binaryOperator(TokenKind kind) {
  switch (kind) {
  case TokenKind::VBar:
    return BinaryOperator{BinaryOpKind::BitOr, 0};
  case TokenKind::Caret:
    return BinaryOperator{BinaryOpKind::BitXor, 1};
  case TokenKind::Amper:
    return BinaryOperator{BinaryOpKind::BitAnd, 2};
  case TokenKind::LeftShift:
    return BinaryOperator{BinaryOpKind::LShift, 3};
  case TokenKind::RightShift:
    return BinaryOperator{BinaryOpKind::RShift, 3};
  case TokenKind::Plus:
    return BinaryOperator{BinaryOpKind::Add, 4};
  case TokenKind::Minus:
    return BinaryOperator{BinaryOpKind::Sub, 4};
  case TokenKind::Star:
    return BinaryOperator{BinaryOpKind::Mult, 5};
  case TokenKind::Slash:
    return BinaryOperator{BinaryOpKind::Div, 5};
  case TokenKind::DoubleSlash:
    return BinaryOperator{BinaryOpKind::FloorDiv, 5};
  case TokenKind::Percent:
    return BinaryOperator{BinaryOpKind::Mod, 5};
  case TokenKind::At:
    return BinaryOperator{BinaryOpKind::MatMult, 5};
  default:
    return std::nullopt;
  }
}

const Expr *Parser::parseBinary(int minPrecedence) {
  Begin begin = here();
  const Expr *left = parseUnary();
  while (true) {
    std::optional<BinaryOperator> found = binaryOperator(kind());
    if (!found || found->precedence < minPrecedence)
      return left;
    advance();
    BinOp *node = make<BinOp>();
    node->left = left;
    node->op = found->op;
    node->right = parseBinary(found->precedence + 1);
    left = finish(node, begin);
  }
}

const Expr *Parser::parseUnary() {
  UnaryOpKind op;
  switch (kind()) {
  case TokenKind::Plus:
    op = UnaryOpKind::UAdd;
    break;
  case TokenKind::Minus:
    op = UnaryOpKind::USub;
    break;
  case TokenKind::Tilde:
    op = UnaryOpKind::Invert;
    break;
  default:
    return parsePower();
  }
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return invalidExpr("expression");
  Begin begin = here();
  advance();
  UnaryOp *node = make<UnaryOp>();
  node->op = op;
  node->operand = parseUnary();
  return finish(node, begin);
}

const Expr *Parser::parsePower() {
  Begin begin = here();
  const Expr *base;
  if (accept(TokenKind::KwAwait)) {
    Await *node = make<Await>();
    node->value = parsePrimary();
    base = finish(node, begin);
  } else {
    base = parsePrimary();
  }
  if (!at(TokenKind::DoubleStar))
    return base;
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return invalidExpr("expression");
  advance();
  BinOp *node = make<BinOp>();
  node->left = base;
  node->op = BinaryOpKind::Pow;
  node->right = parseUnary();
  return finish(node, begin);
}

/// What is in parentheses, or what C converts with it: `(float)x`.
const Expr *Parser::castOperand(Begin begin, const Expr *inner) {
  const auto *name = as<Name>(inner);
  const std::string type(name ? kernelTypeOf(name->id) : std::string_view());
  if (m_panic || type.empty() || !at(TokenKind::Name))
    return inner;
  const uint32_t from = current().begin;
  const Expr *operand = parsePrimary();
  const SourceRange range{begin, operand->range.end, m_options.file};
  const std::string_view text(m_tree.source);
  const std::string code = std::string(text.substr(from, m_lexer.token(m_index - 1).end - from)) +
                           ".to(tl." + type + ")";
  reportSoft(DiagnosticKind::SyntaxExpectedToken, range,
             "Python has no casts like `(" + std::string(name->id) + ")x`: write `" + code + "`",
             {{range, code, "write `" + code + "`"}});
  return operand;
}

} // namespace tilescope::compiler::ast
