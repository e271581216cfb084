// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayTruths.h"

#include "app/launch/ArrayErrors.h"
#include "app/launch/RewriteParts.h"
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

static bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

/// Whether NumPy has an array for an expression, and not a number of Python.
static bool isOfArrays(const ast::Expr &expr, const LaunchPlan &plan) {
  bool found = false;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    const profiler::PlanArgument *argument = name ? plan.argument(name->id) : nullptr;
    found = found || (name && name->id == "arange") || (argument && argument->tensor());
    return !found;
  });
  return found;
}

static bool isTruthOfPython(const ast::Expr &expr) {
  const auto *constant = ast::as<ast::Constant>(&expr);
  return constant && (constant->constantKind == ast::ConstantKind::True ||
                      constant->constantKind == ast::ConstantKind::False);
}

static bool holdTruths(const ast::Seq<ast::Expr> &all, const LaunchPlan &plan) {
  return !all.empty() &&
         std::ranges::all_of(all, [&](const ast::Expr *each) { return holdsTruths(*each, plan); });
}

/// `transpose(a)` and `a.transpose()` alike.
static bool returnsTruths(const ast::Call &call, const LaunchPlan &plan) {
  const auto *attribute = ast::as<ast::Attribute>(call.func);
  const auto *name = ast::as<ast::Name>(call.func);
  const std::string_view called = attribute ? std::string_view(attribute->attr)
                                  : name    ? std::string_view(name->id)
                                            : std::string_view();
  if (isOneOf(called, {"equal", "greater", "greater_equal", "isfinite", "isinf", "isnan", "less",
                       "less_equal", "logical_and", "logical_or", "logical_not", "logical_xor",
                       "not_equal", "signbit"}))
    return true;
  const bool isMethod = attribute && isOfArrays(*attribute->value, plan);
  const ast::Expr *operand = isMethod            ? attribute->value
                             : call.args.empty() ? nullptr
                                                 : call.args[0];
  if (!operand)
    return false;
  if (called == "where" && call.args.size() == 3)
    return holdsTruths(*call.args[1], plan) && holdsTruths(*call.args[2], plan);
  if (isOneOf(called, {"maximum", "minimum"}))
    return holdTruths(call.args, plan);
  const auto *tuple = ast::as<ast::Tuple>(operand);
  const auto *list = ast::as<ast::List>(operand);
  if (isOneOf(called, {"concatenate", "concat", "cat", "stack"}) && (tuple || list))
    return holdTruths(tuple ? tuple->elts : list->elts, plan);
  return isOneOf(called, {"abs", "flatten", "max", "min", "moveaxis", "permute", "ravel", "repeat",
                          "reshape", "roll", "swapaxes", "take", "take_along_axis", "transpose"}) &&
         holdsTruths(*operand, plan);
}

bool holdsTruths(const ast::Expr &expr, const LaunchPlan &plan) {
  using Kind = ast::BinaryOpKind;
  if (ast::is<ast::Compare>(&expr))
    return isOfArrays(expr, plan);
  if (const auto *name = ast::as<ast::Name>(&expr))
    return isBooleans(plan.argument(name->id));
  if (const auto *call = ast::as<ast::Call>(&expr))
    return returnsTruths(*call, plan);
  if (const auto *part = ast::as<ast::Subscript>(&expr))
    return holdsTruths(*part->value, plan);
  if (const auto *attribute = ast::as<ast::Attribute>(&expr))
    return attribute->attr == "T" && holdsTruths(*attribute->value, plan);
  if (const auto *unary = ast::as<ast::UnaryOp>(&expr))
    return unary->op == ast::UnaryOpKind::Not ||
           (unary->op == ast::UnaryOpKind::Invert && holdsTruths(*unary->operand, plan));
  const auto *both = ast::as<ast::BinOp>(&expr);
  if (!both || !(both->op == Kind::BitAnd || both->op == Kind::BitOr || both->op == Kind::BitXor ||
                 both->op == Kind::Add || both->op == Kind::Mult))
    return false;
  const bool left = holdsTruths(*both->left, plan), right = holdsTruths(*both->right, plan);
  return (left && (right || isTruthOfPython(*both->right))) ||
         (right && isTruthOfPython(*both->left));
}

/// An operation that Python does otherwise for one element than NumPy for an array, as Python does it.
static std::optional<Rewrite> inPython(const ast::SyntaxTree &tree, const ast::Node &node,
                                       const LaunchPlan &plan) {
  const auto inBrackets = [&](const ast::Expr &part) {
    return "(" + std::string(tree.text(part.range)) + ")";
  };
  const auto *unary = ast::as<ast::UnaryOp>(&node);
  if (unary && unary->op == ast::UnaryOpKind::Invert && holdsTruths(*unary->operand, plan))
    return Rewrite{unary, "(not " + inBrackets(*unary->operand) + ")"};
  const auto *sum = ast::as<ast::BinOp>(&node);
  if (sum && sum->op == ast::BinaryOpKind::Add && holdsTruths(*sum, plan))
    return Rewrite{sum, "(" + inBrackets(*sum->left) + " | " + inBrackets(*sum->right) + ")"};
  return std::nullopt;
}

std::string withPythonTruths(std::string text, const LaunchPlan &plan) {
  return rewriteParts(std::move(text), [&](const ast::SyntaxTree &tree, const ast::Node &node) {
    return inPython(tree, node, plan);
  });
}

Status checkIndices(const std::string &text, const LaunchPlan &plan) {
  const ast::ParsedExpression parsed = ast::parseExpression(text);
  Status status;
  if (!parsed.expr)
    return status;
  ast::walk(*parsed.expr, [&](const ast::Node &node) {
    const auto *part = status ? ast::as<ast::Subscript>(&node) : nullptr;
    if (!part)
      return bool(status);
    const auto *several = ast::as<ast::Tuple>(part->slice);
    const auto isTruths = [&](const ast::Expr *index) { return holdsTruths(*index, plan); };
    if (several ? std::ranges::any_of(several->elts, isTruths) : isTruths(part->slice))
      status = expressionError("`" + std::string(parsed.tree->text(part->range)) +
                               "` takes the elements for which something is true, as many as "
                               "there are: choose with `np.where(condition, x, 0)`, which a sum "
                               "adds up to the same");
    return bool(status);
  });
  return status;
}

} // namespace tilescope::app
