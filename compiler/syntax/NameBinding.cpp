// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/NameBinding.h"

namespace tilescope::compiler::ast {

std::optional<NameBinding> lastBinding(const SyntaxTree &tree, std::string_view id,
                                       const SourceRange &before) {
  std::optional<NameBinding> last;
  const auto isOf = [&](const Expr *target) {
    const auto *name = as<Name>(target);
    return name && name->id == id;
  };
  walk(*tree.module, [&](const Node &node) {
    if (!(node.range.begin < before.begin))
      return true;
    if (const auto *assign = as<Assign>(&node); assign && isOf(assign->targets.front()))
      last = {assign->range, assign->value};
    if (const auto *changed = as<AugAssign>(&node); changed && isOf(changed->target))
      last = {changed->range, changed->value, changed->op};
    return true;
  });
  return last;
}

bool isUnchanged(const SyntaxTree &tree, const Expr &expr, const SourceRange &before,
                 const SourceRange &after) {
  bool found = true;
  walk(expr, [&](const Node &node) {
    if (const auto *name = as<Name>(&node)) {
      const auto was = lastBinding(tree, name->id, before), is = lastBinding(tree, name->id, after);
      found &= was.has_value() == is.has_value() && (!was || was->value == is->value);
    }
    return found;
  });
  return found;
}

} // namespace tilescope::compiler::ast
