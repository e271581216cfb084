// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/ExpressionParts.h"

namespace tilescope::compiler::ast {

bool mentions(const Node &code, std::string_view name) {
  bool found = false;
  walk(code, [&](const Node &node) {
    const auto *used = as<Name>(&node);
    found |= used && used->id == name;
    return !found;
  });
  return found;
}

static void addSummands(const Expr &expr, std::vector<const Expr *> &found) {
  const auto *sum = as<BinOp>(&expr);
  if (!sum || sum->op != BinaryOpKind::Add)
    return found.push_back(&expr);
  addSummands(*sum->left, found);
  addSummands(*sum->right, found);
}

std::vector<const Expr *> summands(const Expr &expr) {
  std::vector<const Expr *> found;
  addSummands(expr, found);
  return found;
}

Seq<Expr> itemsOf(const Expr *expr) {
  const auto *tuple = as<Tuple>(expr);
  const auto *list = as<List>(expr);
  return tuple ? tuple->elts : list ? list->elts : Seq<Expr>();
}

} // namespace tilescope::compiler::ast
