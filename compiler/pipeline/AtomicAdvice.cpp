// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/AtomicAdvice.h"

#include "compiler/syntax/Ast.h"

namespace tilescope::compiler {

/// The call of the language's function `name`; null for everything else.
static const ast::Call *callOf(const ast::Expr *expr, std::string_view name) {
  const auto *call = ast::as<ast::Call>(expr);
  const auto *function = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  return function && function->attr == name && !call->args.empty() ? call : nullptr;
}

static const ast::Call *storeAt(const ast::SyntaxTree &tree, const SourceRange &range) {
  const ast::Call *found = nullptr;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    if (call && call->range.begin == range.begin && callOf(call, "store") && call->args.size() > 1)
      found = call;
    return !found;
  });
  return found;
}

/// The value that was assigned to a name last, above `before`; `expr` itself for everything else.
static const ast::Expr *assignedValue(const ast::SyntaxTree &tree, const ast::Expr *expr,
                                      const SourceRange &before) {
  const auto *name = ast::as<ast::Name>(expr);
  const ast::Expr *value = expr;
  if (!name)
    return value;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    const auto *target = assign ? ast::as<ast::Name>(assign->targets.front()) : nullptr;
    if (target && target->id == name->id && assign->range.begin < before.begin)
      value = assign->value;
    return true;
  });
  return value;
}

MaskAdvice atomicAdvice(const ast::SyntaxTree &tree, const SourceRange &range) {
  const ast::Call *store = storeAt(tree, range);
  const ast::Expr *written = store ? assignedValue(tree, store->args[1], store->range) : nullptr;
  const auto *sum = written ? ast::as<ast::BinOp>(written) : nullptr;
  using enum ast::BinaryOpKind;
  if (!sum || (sum->op != Add && sum->op != Sub))
    return {};
  const std::string_view place = tree.text(store->args[0]->range);
  const auto isOld = [&](const ast::Expr *side) {
    const ast::Call *load = callOf(assignedValue(tree, side, store->range), "load");
    return load && tree.text(load->args[0]->range) == place;
  };
  const ast::Expr *added = isOld(sum->left)                      ? sum->right
                           : sum->op == Add && isOld(sum->right) ? sum->left
                                                                 : nullptr;
  if (!added)
    return {};
  std::string value(tree.text(added->range));
  if (sum->op == Sub)
    value = "-(" + value + ")";
  const auto *function = ast::as<ast::Attribute>(store->func);
  std::string code = std::string(tree.text(function->value->range)) + ".atomic_add(" +
                     std::string(place) + ", " + value;
  for (const ast::Keyword *keyword : store->keywords)
    if (keyword->arg == "mask")
      code += ", " + std::string(tree.text(keyword->range));
  code += ")";
  return {"`" + code + "` keeps every update", {{store->range, code, "write `" + code + "`"}}, {}};
}

} // namespace tilescope::compiler
