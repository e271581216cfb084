// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The targets that are allowed on the left of `=`, after `for`, `del` and `as`.
#include "compiler/syntax/JoinedLines.h"
#include "compiler/syntax/ParserImpl.h"

namespace tilescope::compiler::ast {

/// `a`, `a, *b`, as they precede `in`.
const Expr *Parser::parseTargetList() {
  Begin begin = here();
  auto parseOne = [&] {
    return at(TokenKind::Star) ? parseStarred(&Parser::parseBitOr) : parseBitOr();
  };
  const Expr *first = parseOne();
  if (!at(TokenKind::Comma))
    return first;
  Nodes<Expr> elts{first};
  while (accept(TokenKind::Comma)) {
    if (!atExpressionStart())
      break;
    elts.push_back(parseOne());
  }
  return finishTuple(begin, std::move(elts));
}

/// The usual name of an expression that is not a target.
static std::string targetName(const Expr &expr) {
  switch (expr.kind) {
  case NodeKind::Call:
    return "a function call";
  case NodeKind::Constant:
    switch (static_cast<const Constant &>(expr).constantKind) {
    case ConstantKind::None:
      return "`None`";
    case ConstantKind::True:
      return "`True`";
    case ConstantKind::False:
      return "`False`";
    case ConstantKind::Ellipsis:
      return "an ellipsis";
    default:
      return "a literal";
    }
  case NodeKind::BinOp:
  case NodeKind::UnaryOp:
  case NodeKind::BoolOp:
    return "an expression";
  case NodeKind::Compare:
    return "a comparison";
  case NodeKind::IfExp:
    return "a conditional expression";
  case NodeKind::Lambda:
    return "a lambda";
  case NodeKind::JoinedStr:
    return "an f-string";
  case NodeKind::Dict:
  case NodeKind::Set:
    return "a dict or set display";
  case NodeKind::ListComp:
  case NodeKind::SetComp:
  case NodeKind::DictComp:
    return "a comprehension";
  case NodeKind::GeneratorExp:
    return "a generator expression";
  case NodeKind::NamedExpr:
    return "a `:=` expression";
  case NodeKind::Yield:
  case NodeKind::YieldFrom:
    return "a yield expression";
  case NodeKind::Await:
    return "an await expression";
  default:
    return "this expression";
  }
}

Seq<Expr> Parser::withContext(Seq<Expr> elts, ExprContext context, std::string_view action) {
  Nodes<Expr> result;
  result.reserve(elts.size());
  for (const Expr *elt : elts)
    result.push_back(withContext(elt, context, action));
  return seq(result);
}

/// The expression as a target; nodes are copied since they never change.
const Expr *Parser::withContext(const Expr *expr, ExprContext context, std::string_view action) {
  auto copyOf = [&](const auto &node) {
    using T = std::remove_cvref_t<decltype(node)>;
    T *copy = m_tree.arena.make<T>(node);
    copy->ctx = context;
    return copy;
  };
  switch (expr->kind) {
  case NodeKind::Name:
    return copyOf(static_cast<const Name &>(*expr));
  case NodeKind::Attribute:
    return copyOf(static_cast<const Attribute &>(*expr));
  case NodeKind::Subscript:
    return copyOf(static_cast<const Subscript &>(*expr));
  case NodeKind::Starred: {
    if (context == ExprContext::Del)
      break;
    Starred *copy = copyOf(static_cast<const Starred &>(*expr));
    copy->value = withContext(copy->value, context, action);
    return copy;
  }
  case NodeKind::List: {
    List *copy = copyOf(static_cast<const List &>(*expr));
    copy->elts = withContext(copy->elts, context, action);
    return copy;
  }
  case NodeKind::Tuple: {
    Tuple *copy = copyOf(static_cast<const Tuple &>(*expr));
    copy->elts = withContext(copy->elts, context, action);
    return copy;
  }
  case NodeKind::InvalidExpr:
    return expr;
  default:
    break;
  }
  std::string hint = context == ExprContext::Store && expr->kind == NodeKind::Compare
                         ? "; one `=` too many or too few?"
                         : "";
  reportSoft(DiagnosticKind::SyntaxInvalidTarget, expr->range,
             "cannot " + std::string(action) + " " + targetName(*expr) + hint,
             !m_openBrackets.empty() || context != ExprContext::Store
                 ? std::vector<DiagnosticFix>()
                 : partWordFix(m_tree.source, m_lexer.lineOffsets(), expr->range.end,
                               m_statementColumn, m_options.file));
  return expr;
}

} // namespace tilescope::compiler::ast
