// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/BlockBegins.h"

#include "app/commands/PlanNumbers.h"
#include "app/commands/SeveralChanges.h"
#include "compiler/syntax/ExpressionParts.h"

#include <optional>
#include <string>

namespace tilescope::app {

namespace ast = compiler::ast;

/// The name of the constexpr of a launch that multiplies a program's number; null: the expression is not such.
static const ast::Name *factorOf(const KernelText &kernel, const profiler::LaunchPlan &plan,
                                 const ast::Expr &expr) {
  const auto *product = ast::as<ast::BinOp>(&expr);
  if (!product || product->op != ast::BinaryOpKind::Mult)
    return nullptr;
  const auto isNumber = [&](const ast::Expr *part) {
    return KernelText::callOf(kernel.valueOf(part), "program_id") != nullptr;
  };
  const ast::Expr *factor = isNumber(product->left)    ? product->right
                            : isNumber(product->right) ? product->left
                                                       : nullptr;
  const auto *name = factor ? ast::as<ast::Name>(factor) : nullptr;
  return name && plan.constexprs.contains(std::string(name->id)) ? name : nullptr;
}

/// The name of the constexpr that is the extent of `tl.arange(0, BN)`; empty: the expression is not such.
static std::string extentOf(const KernelText &kernel, const profiler::LaunchPlan &plan,
                            const ast::Expr &expr) {
  const ast::Call *range = KernelText::callOf(kernel.valueOf(&expr), "arange");
  const std::string name(range && range->args.size() == 2 ? KernelText::nameOf(range->args[1])
                                                          : std::string_view());
  return plan.constexprs.contains(name) ? name : std::string();
}

void explainBlockBegins(const KernelText &kernel, const profiler::LaunchPlan &plan,
                        compiler::Diagnostic &diagnostic) {
  kernel.walk([&](const ast::Node &node) {
    const auto *sum = ast::as<ast::BinOp>(&node);
    const std::vector<const ast::Expr *> terms = sum && sum->op == ast::BinaryOpKind::Add
                                                     ? ast::summands(*sum)
                                                     : std::vector<const ast::Expr *>();
    if (terms.size() != 2)
      return;
    for (const size_t first : {size_t{0}, size_t{1}}) {
      const ast::Name *factor = factorOf(kernel, plan, *terms[first]);
      const std::string block = extentOf(kernel, plan, *terms[1 - first]);
      if (!factor || block.empty() || factor->id == block)
        continue;
      const std::string apart(factor->id);
      const std::optional<int64_t> distance = constexprNumber(plan, apart);
      const std::optional<int64_t> size = constexprNumber(plan, block);
      if (!distance || !size || *distance == *size)
        continue;
      diagnostic.labels.push_back(
          {factor->range, "blocks of `" + block + "` = " + std::to_string(*size) + " begin `" +
                              apart + "` = " + std::to_string(*distance) + " apart: " +
                              (*distance < *size ? "they overlap, and end too early"
                                                 : "what lies between them is left out")});
      diagnostic.fixes.push_back(replacing(kernel, *factor, block));
    }
  });
}

} // namespace tilescope::app
