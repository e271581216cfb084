// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/OffsetsText.h"

#include "compiler/pipeline/AccessCalls.h"
#include "compiler/pipeline/RowMask.h"
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

/// The extent of a block's places that begin at 0, `BLOCK` of `tl.arange(0, BLOCK)`, also by name; empty for all else.
static std::string_view extentOfPlaces(const ast::SyntaxTree &tree, const ast::Call &access,
                                       const ast::Expr &term) {
  const ast::Expr *value = &term;
  if (ast::is<ast::Name>(&term))
    for (const ast::Assign *assign : assignmentsOf(tree, access, term))
      value = assign->value;
  const auto *places = ast::as<ast::Call>(value);
  const auto *callee = places ? ast::as<ast::Attribute>(places->func) : nullptr;
  const auto *begin = callee && callee->attr == "arange" && places->args.size() == 2
                          ? ast::as<ast::Constant>(places->args[0])
                          : nullptr;
  return begin && begin->intValue == 0 ? tree.text(places->args[1]->range) : std::string_view();
}

/// Whether a term is where a program's block of so many elements begins: `pid * BLOCK`.
static bool isBeginOfBlock(const ast::SyntaxTree &tree, const ast::Node &function,
                           const ast::Expr &term, std::string_view extent) {
  const auto *product = ast::as<ast::BinOp>(&term);
  if (!product || product->op != ast::BinaryOpKind::Mult || extent.empty())
    return false;
  const std::string_view left = tree.text(product->left->range);
  const std::string_view right = tree.text(product->right->range);
  return (right == extent && isProgramNumber(function, left)) ||
         (left == extent && isProgramNumber(function, right));
}

/// Whether a function moves a pointer, as in `x += row * stride`: what is added to it later does not begin at the array's
/// first element.
static bool isMoved(const ast::Node &function, std::string_view pointer) {
  bool found = false;
  const auto isPointer = [&](const ast::Expr *target) {
    const auto *name = ast::as<ast::Name>(target);
    found |= name && name->id == pointer;
  };
  ast::walk(function, [&](const ast::Node &node) {
    if (const auto *update = ast::as<ast::AugAssign>(&node))
      isPointer(update->target);
    if (const auto *assign = ast::as<ast::Assign>(&node))
      std::ranges::for_each(assign->targets, isPointer);
    return !found;
  });
  return found;
}

std::string offsetsText(const ast::SyntaxTree &tree, const ast::Call &access,
                        const std::string &name, const KernelSizes &sizes) {
  const ast::Node &function = functionAround(tree, access.range);
  if (isMoved(function, name))
    return {};
  std::vector<Term> terms;
  collectSigned(argument(access, 0, "pointer"), terms);
  std::string_view extent;
  for (const Term &term : terms)
    if (extent.empty() && !term.isTakenAway)
      extent = extentOfPlaces(tree, access, *term.code);
  std::string offsets;
  bool hasPointer = false;
  int numVariables = 0, numTurns = 0;
  for (const auto &[term, isTakenAway] : terms) {
    const auto *variable = ast::as<ast::Name>(term);
    if (variable && variable->id == name) {
      hasPointer = true;
      continue;
    }
    const bool isTurn = variable && terms.size() > 2 && isCounted(function, variable->id, sizes);
    numTurns += isTurn;
    const bool isPlace = isTurn || isBeginOfBlock(tree, function, *term, extent);
    ast::walk(*term, [&](const ast::Node &node) {
      const auto *part = ast::as<ast::Name>(&node);
      numVariables +=
          part && part->id != "tl" && !isPlace && !sizes.constexprs.contains(std::string(part->id));
      return true;
    });
    const std::string code(tree.text(term->range));
    const bool isSum = ast::is<ast::BinOp>(term) && isTakenAway;
    offsets += (isTakenAway ? (offsets.empty() ? "-" : " - ") : (offsets.empty() ? "" : " + ")) +
               (isSum ? "(" + code + ")" : code);
  }
  const bool isSimple = offsets.find_first_of("[\n") == std::string::npos;
  const bool isOne = numVariables == 1 || (numVariables == 0 && numTurns == 1);
  return hasPointer && isSimple && isOne ? offsets : "";
}

} // namespace tilescope::compiler
