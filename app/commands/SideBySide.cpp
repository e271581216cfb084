// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SideBySide.h"

#include "app/commands/PlanNumbers.h"

#include <optional>
#include <utility>

namespace tilescope::app {

namespace ast = compiler::ast;

/// The axis of the number of a program that an expression is, or that its name stands for.
static std::optional<size_t> programAxis(const KernelText &kernel, const ast::Expr *expr) {
  const ast::Call *call = KernelText::callOf(kernel.valueOf(expr), "program_id");
  const auto *axis =
      call && call->args.size() == 1 ? ast::as<ast::Constant>(call->args.front()) : nullptr;
  const bool isAxis = axis && axis->intValue && *axis->intValue >= 0 && *axis->intValue < 3;
  return isAxis ? std::optional(static_cast<size_t>(*axis->intValue)) : std::nullopt;
}

std::vector<SideBySide> sideBySide(const KernelText &kernel, const profiler::LaunchPlan &plan) {
  std::vector<SideBySide> found;
  kernel.walk([&](const ast::Node &node) {
    const auto *product = ast::as<ast::BinOp>(&node);
    if (!product || product->op != ast::BinaryOpKind::Mult)
      return;
    for (const auto &[number, block] :
         {std::pair(product->left, product->right), std::pair(product->right, product->left)}) {
      const std::string name(KernelText::nameOf(block));
      const std::optional<int64_t> size = constexprNumber(plan, name);
      if (!size || *size <= 1)
        continue;
      const bool isAlone = programAxis(kernel, number).has_value();
      ast::walk(*number, [&](const ast::Node &part) {
        const std::optional<size_t> axis = programAxis(kernel, ast::as<ast::Expr>(&part));
        if (axis)
          found.push_back({*axis, name, *size, isAlone});
        return !axis;
      });
    }
  });
  return found;
}

} // namespace tilescope::app
