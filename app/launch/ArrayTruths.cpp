// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayTruths.h"

#include "app/launch/SourceOffset.h"
#include "compiler/syntax/Ast.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <optional>

namespace tilescope::app {

namespace ast = compiler::ast;
using profiler::LaunchPlan;

static bool isBooleans(const profiler::PlanArgument *argument) {
  return argument && argument->tensor() && argument->tensor()->dtype == profiler::Dtype::Int1;
}

/// Functions of NumPy whose results are booleans.
static bool returnsTruths(const ast::Expr &function) {
  static constexpr std::string_view kNames[] = {
      "equal",       "greater",     "greater_equal", "isfinite",    "isinf",
      "isnan",       "less",        "less_equal",    "logical_and", "logical_or",
      "logical_not", "logical_xor", "not_equal",     "signbit"};
  const auto *attribute = ast::as<ast::Attribute>(&function);
  const auto *name = ast::as<ast::Name>(&function);
  const std::string_view called = attribute ? std::string_view(attribute->attr)
                                  : name    ? std::string_view(name->id)
                                            : std::string_view();
  return std::ranges::find(kNames, called) != std::end(kNames);
}

static bool holdsTruths(const ast::Expr &expr, const LaunchPlan &plan) {
  using Kind = ast::BinaryOpKind;
  if (ast::is<ast::Compare>(&expr))
    return true;
  if (const auto *name = ast::as<ast::Name>(&expr))
    return isBooleans(plan.argument(name->id));
  if (const auto *call = ast::as<ast::Call>(&expr))
    return returnsTruths(*call->func);
  if (const auto *part = ast::as<ast::Subscript>(&expr))
    return holdsTruths(*part->value, plan);
  if (const auto *unary = ast::as<ast::UnaryOp>(&expr))
    return unary->op == ast::UnaryOpKind::Not ||
           (unary->op == ast::UnaryOpKind::Invert && holdsTruths(*unary->operand, plan));
  const auto *both = ast::as<ast::BinOp>(&expr);
  return both &&
         (both->op == Kind::BitAnd || both->op == Kind::BitOr || both->op == Kind::BitXor) &&
         holdsTruths(*both->left, plan) && holdsTruths(*both->right, plan);
}

std::string withTruthsInverted(std::string text, const LaunchPlan &plan) {
  for (;;) {
    const ast::ParsedExpression parsed = ast::parseExpression(text);
    const ast::UnaryOp *inverted = nullptr;
    if (parsed.expr)
      ast::walk(*parsed.expr, [&](const ast::Node &node) {
        const auto *unary = inverted ? nullptr : ast::as<ast::UnaryOp>(&node);
        if (unary && unary->op == ast::UnaryOpKind::Invert && holdsTruths(*unary->operand, plan))
          inverted = unary;
        return !inverted;
      });
    if (!inverted)
      return text;
    const size_t begin = offsetOf(*parsed.tree, inverted->range.begin);
    const size_t end = offsetOf(*parsed.tree, inverted->range.end);
    text.replace(begin, end - begin, "(not " + text.substr(begin + 1, end - begin - 1) + ")");
  }
}

} // namespace tilescope::app
