// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SharedTurns.h"

#include "app/commands/SeveralChanges.h"

namespace tilescope::app {

namespace ast = compiler::ast;

/// The call that asks for a program's number, behind a name as well; null for all else.
static const ast::Call *programNumber(const KernelText &kernel, const ast::Expr *expr) {
  return KernelText::callOf(kernel.valueOf(expr), "program_id");
}

/// Whether an expression has to do with how many programs there are, as far as its names show.
static bool countsPrograms(const KernelText &kernel, const ast::Expr &expr) {
  return kernel.isMadeOf(expr, [](const ast::Node &node) {
    return KernelText::callOf(&node, "num_programs") != nullptr;
  });
}

std::vector<SharedTurns> sharedTurns(const KernelText &kernel) {
  std::vector<SharedTurns> found;
  kernel.walk([&](const ast::Node &node) {
    const auto *loop = ast::as<ast::For>(&node);
    const auto *range = loop ? ast::as<ast::Call>(loop->iter) : nullptr;
    const bool isRange =
        range && (KernelText::nameOf(range->func) == "range" || KernelText::callOf(range, "range"));
    if (!isRange || range->args.size() != 3 || countsPrograms(kernel, *range->args[2]))
      return;
    const ast::Expr *begin = kernel.valueOf(range->args[0]);
    const ast::Call *number = programNumber(kernel, begin);
    std::string block;
    if (const auto *product = ast::as<ast::BinOp>(begin);
        product && product->op == ast::BinaryOpKind::Mult) {
      const ast::Call *left = programNumber(kernel, product->left);
      number = left ? left : programNumber(kernel, product->right);
      block = kernel.text(left ? *product->right : *product->left);
    }
    const auto *callee = number ? ast::as<ast::Attribute>(number->func) : nullptr;
    if (!callee || number->args.size() != 1)
      return;
    const std::string programs = std::string(kernel.text(*callee->value)) + ".num_programs(" +
                                 std::string(kernel.text(*number->args.front())) + ")";
    found.push_back({range, std::string(kernel.text(*range->args[2])),
                     programs + (block.empty() ? "" : " * " + block)});
  });
  return found;
}

void explainSharedTurns(const KernelText &kernel, compiler::Diagnostic &diagnostic) {
  for (const SharedTurns &each : sharedTurns(kernel)) {
    const ast::Expr &step = *each.range->args[2];
    diagnostic.labels.push_back(
        {step.range, "each program begins the loop at its own number and goes on by `" + each.step +
                         "`: a step of `" + each.whole +
                         "` shares the turns out among all programs"});
    diagnostic.fixes.push_back(replacing(kernel, step, each.whole));
  }
}

} // namespace tilescope::app
