// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/OffsetsText.h"

#include "compiler/pipeline/AccessCalls.h"
#include "compiler/syntax/AccessArguments.h"
#include "compiler/syntax/Ast.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// A summand; `i - 1` has one that is taken away.
struct Term {
  const ast::Expr *code;
  bool isTakenAway = false;
};

/// The summands of `p + a * b - c`, in their order.
static void collectSigned(const ast::Expr *sum, std::vector<Term> &terms) {
  const auto *operation = ast::as<ast::BinOp>(sum);
  using enum ast::BinaryOpKind;
  if (!operation || (operation->op != Add && operation->op != Sub))
    return terms.push_back({sum});
  collectSigned(operation->left, terms);
  if (operation->op == Sub)
    terms.push_back({operation->right, true});
  else
    collectSigned(operation->right, terms);
}

/// Whether a name counts the turns of a loop of the function that has as many wherever it runs:
/// `for k in range(3)`.
static bool isCounted(const ast::Node &function, std::string_view name, const KernelSizes &sizes) {
  bool found = false;
  const auto isFixed = [&](const ast::Expr *bound) {
    const auto *constant = ast::as<ast::Name>(bound);
    return ast::is<ast::Constant>(bound) ||
           (constant && sizes.constexprs.contains(std::string(constant->id)));
  };
  ast::walk(function, [&](const ast::Node &node) {
    const auto *loop = ast::as<ast::For>(&node);
    const auto *target = loop ? ast::as<ast::Name>(loop->target) : nullptr;
    const auto *range = loop ? ast::as<ast::Call>(loop->iter) : nullptr;
    found |= target && range && target->id == name && std::ranges::all_of(range->args, isFixed);
    return !found;
  });
  return found;
}

std::string offsetsText(const ast::SyntaxTree &tree, const ast::Call &access,
                        const std::string &name, const KernelSizes &sizes) {
  const ast::Node &function = functionAround(tree, access.range);
  std::vector<Term> terms;
  collectSigned(argument(access, 0, "pointer"), terms);
  std::string offsets;
  bool hasPointer = false;
  int numVariables = 0;
  for (const auto &[term, isTakenAway] : terms) {
    const auto *variable = ast::as<ast::Name>(term);
    if (variable && variable->id == name) {
      hasPointer = true;
      continue;
    }
    const bool isTurn = variable && terms.size() > 2 && isCounted(function, variable->id, sizes);
    ast::walk(*term, [&](const ast::Node &node) {
      const auto *part = ast::as<ast::Name>(&node);
      numVariables +=
          part && part->id != "tl" && !isTurn && !sizes.constexprs.contains(std::string(part->id));
      return true;
    });
    const std::string code(tree.text(term->range));
    const bool isSum = ast::is<ast::BinOp>(term) && isTakenAway;
    offsets += (isTakenAway ? (offsets.empty() ? "-" : " - ") : (offsets.empty() ? "" : " + ")) +
               (isSum ? "(" + code + ")" : code);
  }
  const bool isSimple = offsets.find_first_of("[\n") == std::string::npos;
  return hasPointer && isSimple && numVariables == 1 ? offsets : "";
}

} // namespace tilescope::compiler
