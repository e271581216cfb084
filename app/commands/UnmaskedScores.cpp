// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/UnmaskedScores.h"

#include "compiler/syntax/AccessArguments.h"
#include "compiler/syntax/VectorAxes.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;
using ast::VectorAxis;

static VectorAxis otherAxis(VectorAxis axis) {
  return axis == VectorAxis::Down ? VectorAxis::Right : VectorAxis::Down;
}

/// The axis that `tl.max(s, axis=1)` goes along; nothing for others.
static std::optional<VectorAxis> maximumAlong(const ast::Call &maximum) {
  const auto *axis = ast::as<ast::Constant>(compiler::argument(maximum, 1, "axis"));
  if (!axis || !axis->intValue || *axis->intValue < 0 || *axis->intValue > 1)
    return std::nullopt;
  return *axis->intValue == 1 ? VectorAxis::Right : VectorAxis::Down;
}

/// The product of blocks in an expression; null where there is none.
static const ast::Call *productIn(const ast::Expr &expr) {
  const ast::Call *found = nullptr;
  ast::walk(expr, [&](const ast::Node &node) {
    if (const ast::Call *dot = KernelText::callOf(&node, "dot"); dot && dot->args.size() >= 2)
      found = dot;
    return !found;
  });
  return found;
}

namespace {
/// A factor of a product: what is loaded, and along which of its axes the product's columns, or rows, lie.
struct LoadedFactor {
  const ast::Call *load = nullptr;
  VectorAxis axis{};
};
} // namespace

static LoadedFactor factorOf(const KernelText &kernel, const ast::Expr &operand, VectorAxis axis) {
  LoadedFactor factor{nullptr, axis};
  int numLoads = 0;
  ast::walk(operand, [&](const ast::Node &node) {
    const auto *member = ast::as<ast::Attribute>(&node);
    if (KernelText::callOf(&node, "trans") || (member && member->attr == "T"))
      factor.axis = otherAxis(factor.axis);
    const auto *name = ast::as<ast::Name>(&node);
    const ast::Assign *assign = name ? kernel.onlyAssignment(name->id) : nullptr;
    if (const ast::Call *load = assign ? KernelText::callOf(assign->value, "load") : nullptr) {
      factor.load = load;
      ++numLoads;
    }
    return true;
  });
  return numLoads == 1 ? factor : LoadedFactor{};
}

/// What a load's mask demands along an axis, `cols[:, None] < n`, as a condition along another one; empty where
/// nothing is seen.
static std::string conditionAlong(const KernelText &kernel, const LoadedFactor &factor,
                                  VectorAxis axis) {
  const ast::Expr *mask = compiler::maskOf(*factor.load);
  if (const ast::Assign *assign = kernel.onlyAssignment(KernelText::nameOf(mask)))
    mask = assign->value;
  std::string condition;
  int numFound = 0;
  if (mask)
    ast::walk(*mask, [&](const ast::Node &node) {
      const auto *compare = ast::as<ast::Compare>(&node);
      if (!compare || compare->ops.size() != 1 || compare->ops[0] != ast::CompareOpKind::Lt)
        return true;
      const ast::Subscript *index = nullptr;
      ast::walk(*compare, [&](const ast::Node &part) {
        const auto *subscript = ast::as<ast::Subscript>(&part);
        if (subscript && ast::axisOf(*subscript) == factor.axis)
          index = subscript;
        return true;
      });
      const std::string code(kernel.text(*compare));
      const std::string vector(index ? kernel.text(*index) : "");
      if (!index || code.find('\n') != std::string::npos)
        return true;
      ++numFound;
      condition = code;
      condition.replace(condition.find(vector), vector.size(),
                        std::string(kernel.text(*index->value)) + std::string(ast::indexOf(axis)));
      return false;
    });
  return numFound == 1 ? condition : std::string();
}

/// Whether `tl.where` chooses among the scores anywhere.
static bool areChosen(const KernelText &kernel, std::string_view scores) {
  bool found = false;
  kernel.walk([&](const ast::Node &node) {
    const ast::Call *where = KernelText::callOf(&node, "where");
    for (size_t i = 1; where && i < where->args.size(); ++i)
      found |= KernelText::nameOf(where->args[i]) == scores;
  });
  return found;
}

/// The first product that a name is given above a place; null: it is given none.
static const ast::Assign *productAbove(const KernelText &kernel, std::string_view name,
                                       Position place) {
  const ast::Assign *found = nullptr;
  kernel.walk([&](const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    if (assign && !found && assign->range.end <= place && assign->targets.size() == 1 &&
        KernelText::nameOf(assign->targets.front()) == name && productIn(*assign->value))
      found = assign;
  });
  return found;
}

void explainUnmaskedScores(const KernelText &kernel, compiler::Diagnostic &diagnostic) {
  kernel.walk([&](const ast::Node &node) {
    const ast::Call *maximum = KernelText::callOf(&node, "max");
    const std::string scores(
        maximum && !maximum->args.empty() ? KernelText::nameOf(maximum->args[0]) : "");
    const std::optional<VectorAxis> axis = scores.empty() ? std::nullopt : maximumAlong(*maximum);
    const ast::Assign *assign = axis ? productAbove(kernel, scores, maximum->range.begin) : nullptr;
    if (!assign || areChosen(kernel, scores))
      return;
    const ast::Call &product = *productIn(*assign->value);
    const LoadedFactor factor =
        factorOf(kernel, *product.args[*axis == VectorAxis::Right ? 1 : 0], *axis);
    const std::string condition =
        factor.load ? conditionAlong(kernel, factor, *axis) : std::string();
    if (condition.empty())
      return;
    const std::string function(kernel.text(*ast::as<ast::Attribute>(maximum->func)->value));
    const std::string code =
        scores + " = " + function + ".where(" + condition + ", " + scores + ", float(\"-inf\"))";
    const Position end = assign->range.end;
    const compiler::DiagnosticFix fix{{end, end},
                                      "\n" + std::string(assign->range.begin.column, ' ') + code,
                                      "add `" + code + "`"};
    if (std::ranges::find(diagnostic.fixes, fix) != diagnostic.fixes.end())
      return;
    diagnostic.labels.push_back(
        {assign->range, "where `" + condition + "` is false, `" + scores +
                            "` is a product with what the mask of the load leaves out, and the "
                            "softmax counts it: it must be -inf there"});
    diagnostic.fixes.push_back(fix);
  });
}

} // namespace tilescope::app
