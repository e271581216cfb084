// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SharedTurns.h"

#include "app/commands/SeveralChanges.h"

namespace tilescope::app {

namespace ast = compiler::ast;

/// What a name stands for, if it is given that once; else the expression itself.
static const ast::Expr *valueOf(const KernelText &kernel, const ast::Expr *expr) {
  const ast::Assign *assign = kernel.onlyAssignment(KernelText::nameOf(expr));
  return assign ? assign->value : expr;
}

/// The call that asks for a program's number, behind a name as well; null for all else.
static const ast::Call *programNumber(const KernelText &kernel, const ast::Expr *expr) {
  return KernelText::callOf(valueOf(kernel, expr), "program_id");
}

/// Whether an expression has to do with how many programs there are, as far as its names show.
static bool countsPrograms(const KernelText &kernel, const ast::Expr &expr, int depth = 0) {
  constexpr int kMostNames = 4;
  bool found = false;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    const ast::Assign *assign = name ? kernel.onlyAssignment(name->id) : nullptr;
    found |= KernelText::callOf(&node, "num_programs") != nullptr ||
             (assign && depth < kMostNames && countsPrograms(kernel, *assign->value, depth + 1));
    return !found;
  });
  return found;
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
    const ast::Expr *begin = valueOf(kernel, range->args[0]);
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
