// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/LoopBounds.h"

#include "app/commands/SeveralChanges.h"

#include <string>

namespace tilescope::app {

namespace ast = compiler::ast;
using compiler::Diagnostic;

static void replace(const KernelText &kernel, const ast::Expr &expr, const std::string &code,
                    const std::string &why, Diagnostic &diagnostic) {
  diagnostic.labels.push_back({expr.range, why});
  diagnostic.fixes.push_back(replacing(kernel, expr, code));
}

/// `n // BLOCK * BLOCK`: what is divided and multiplied with the same; null for other products.
static const ast::BinOp *roundedDown(const KernelText &kernel, const ast::BinOp &product) {
  const auto *quotient = ast::as<ast::BinOp>(product.left);
  const bool isRounded = product.op == ast::BinaryOpKind::Mult && quotient &&
                         quotient->op == ast::BinaryOpKind::FloorDiv &&
                         kernel.text(*quotient->right) == kernel.text(*product.right);
  return isRounded ? quotient : nullptr;
}

/// `n - BLOCK`, or `n // BLOCK`, of which the rest of a division is left out.
static void explainEnd(const KernelText &kernel, const ast::Expr &end, Diagnostic &diagnostic) {
  const auto *operation = ast::as<ast::BinOp>(&end);
  if (!operation || kernel.text(end).find('\n') != std::string_view::npos)
    return;
  const std::string code(kernel.text(end)), whole(kernel.text(*operation->left));
  const std::string part(kernel.text(*operation->right));
  if (operation->op == ast::BinaryOpKind::Sub)
    replace(kernel, end, whole,
            "the loop ends `" + part + "` in front of `" + whole + "`: the last turns are left out",
            diagnostic);
  else if (operation->op == ast::BinaryOpKind::FloorDiv)
    replace(kernel, end, "tl.cdiv(" + whole + ", " + part + ")",
            "the loop has as many turns as whole parts of `" + part + "` are in `" + whole +
                "`: the rest is left out",
            diagnostic);
  else if (const ast::BinOp *quotient = roundedDown(kernel, *operation))
    replace(kernel, end, std::string(kernel.text(*quotient->left)),
            "the loop ends behind the last whole `" + part + "` of `" +
                std::string(kernel.text(*quotient->left)) + "`: the rest is left out",
            diagnostic);
}

/// A number, or a step: `range(1, n)`, `range(BLOCK, n, BLOCK)`.
static void explainBegin(const KernelText &kernel, const ast::Call &range, Diagnostic &diagnostic) {
  const ast::Expr &begin = *range.args.front();
  const auto *number = ast::as<ast::Constant>(&begin);
  const bool isNumber = number && number->intValue && *number->intValue > 0;
  const bool isStep = range.args.size() > 2 && ast::is<ast::Name>(&begin) &&
                      kernel.text(begin) == kernel.text(*range.args[2]);
  if (isNumber || isStep)
    replace(kernel, begin, "0",
            "the loop begins at `" + std::string(kernel.text(begin)) +
                "`: the turns from 0 on are left out",
            diagnostic);
}

/// `range(…)`, `tl.range(…)` or `tl.static_range(…)`; null for other loops.
static const ast::Call *rangeOf(const ast::For &loop) {
  const auto *call = ast::as<ast::Call>(loop.iter);
  const bool isRange =
      call && (KernelText::nameOf(call->func) == "range" || KernelText::callOf(call, "range") ||
               KernelText::callOf(call, "static_range"));
  return isRange && !call->args.empty() ? call : nullptr;
}

void explainLoopBounds(const KernelText &kernel, Diagnostic &diagnostic) {
  // Each is a run of the whole launch.
  constexpr size_t kMost = 4;
  const size_t most = diagnostic.fixes.size() + kMost;
  kernel.walk([&](const ast::Node &node) {
    const auto *loop = ast::as<ast::For>(&node);
    const ast::Call *range = loop ? rangeOf(*loop) : nullptr;
    if (!range || diagnostic.fixes.size() >= most)
      return;
    explainEnd(kernel, *range->args[range->args.size() == 1 ? 0 : 1], diagnostic);
    if (range->args.size() > 1)
      explainBegin(kernel, *range, diagnostic);
  });
}

} // namespace tilescope::app
