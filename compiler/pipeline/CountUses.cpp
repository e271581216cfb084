// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/CountUses.h"

#include "compiler/syntax/ExpressionParts.h"

#include <algorithm>

namespace tilescope::compiler {

static std::string_view calleeOf(const ast::Call &call) {
  const auto *plain = ast::as<ast::Name>(call.func);
  const auto *member = ast::as<ast::Attribute>(call.func);
  return plain ? plain->id : member ? member->attr : std::string_view();
}

bool isCount(const ast::Node &function, std::string_view name) {
  const auto has = [&](const ast::Expr *expr) { return ast::mentions(*expr, name); };
  bool found = false;
  ast::walk(function, [&](const ast::Node &node) {
    if (const auto *compare = ast::as<ast::Compare>(&node))
      found |= std::ranges::any_of(compare->comparators, has);
    else if (const auto *operation = ast::as<ast::BinOp>(&node))
      found |= operation->op == ast::BinaryOpKind::Mod && has(operation->right);
    else if (const auto *call = ast::as<ast::Call>(&node))
      found |= (calleeOf(*call) == "cdiv" || calleeOf(*call) == "range") &&
               std::ranges::any_of(call->args, has);
    return !found;
  });
  return found;
}

} // namespace tilescope::compiler
