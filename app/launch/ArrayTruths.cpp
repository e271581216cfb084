// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayTruths.h"

#include "app/launch/ArrayErrors.h"
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

/// Whether an expression names a tensor.
static bool namesTensor(const ast::Expr &expr, const LaunchPlan &plan) {
  bool found = false;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    const profiler::PlanArgument *argument = name ? plan.argument(name->id) : nullptr;
    found = found || (argument && argument->tensor()) || (name && name->id == "arange");
    const auto *member = ast::as<ast::Attribute>(&node);
    found = found || (member && member->attr == "arange");
    return !found;
  });
  return found;
}

namespace {
/// A part of an expression, and what stands in its place.
struct Replacement {
  const ast::Expr *part = nullptr;
  std::string code;
};
} // namespace

static std::optional<Replacement> combined(const ast::SyntaxTree &tree, const ast::Node &node,
                                           const LaunchPlan &plan) {
  const auto *unary = ast::as<ast::UnaryOp>(&node);
  if (unary && unary->op == ast::UnaryOpKind::Invert && holdsTruths(*unary->operand, plan))
    return Replacement{unary, "(not " + std::string(tree.text(unary->range)).substr(1) + ")"};
  const auto *both = ast::as<ast::BinOp>(&node);
  if (both && both->op == ast::BinaryOpKind::Add && holdsTruths(*both->left, plan) &&
      holdsTruths(*both->right, plan) && namesTensor(*both, plan))
    return Replacement{both, "((" + std::string(tree.text(both->left->range)) + ") | (" +
                                 std::string(tree.text(both->right->range)) + "))"};
  return std::nullopt;
}

std::string withTruthsCombined(std::string text, const LaunchPlan &plan) {
  for (;;) {
    const ast::ParsedExpression parsed = ast::parseExpression(text);
    std::optional<Replacement> found;
    if (parsed.expr)
      ast::walk(*parsed.expr, [&](const ast::Node &node) {
        if (!found)
          found = combined(*parsed.tree, node, plan);
        return !found;
      });
    if (!found)
      return text;
    const size_t begin = offsetOf(*parsed.tree, found->part->range.begin);
    const size_t end = offsetOf(*parsed.tree, found->part->range.end);
    text.replace(begin, end - begin, found->code);
  }
}

Status checkBrackets(const std::string &text, const LaunchPlan &plan) {
  const ast::ParsedExpression parsed = ast::parseExpression(text);
  std::optional<std::string> found;
  if (parsed.expr)
    ast::walk(*parsed.expr, [&](const ast::Node &node) {
      const auto *part = found ? nullptr : ast::as<ast::Subscript>(&node);
      if (part && namesTensor(*part->value, plan) && holdsTruths(*part->slice, plan) &&
          namesTensor(*part->slice, plan))
        found = std::string(parsed.tree->text(part->range));
      return !found;
    });
  if (!found)
    return {};
  return expressionError(
      "`" + *found +
      "` takes the elements for which something is true, as many as there are: "
      "choose with `np.where(condition, x, 0)`, which a sum adds up to the same");
}

} // namespace tilescope::app
