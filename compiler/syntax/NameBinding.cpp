// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/NameBinding.h"

#include <map>
#include <set>

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
  std::set<std::string_view> names;
  walk(expr, [&](const Node &node) {
    if (const auto *name = as<Name>(&node))
      names.insert(name->id);
    return true;
  });
  // An assignment takes effect behind its value.
  std::map<Position, Position> effects;
  bool found = true;
  walk(*tree.module, [&](const Node &node) {
    if (const auto *assign = as<Assign>(&node))
      for (const Expr *target : assign->targets)
        effects[target->range.begin] = assign->range.end;
    if (const auto *changed = as<AugAssign>(&node))
      effects[changed->target->range.begin] = changed->range.end;
    const auto *name = as<Name>(&node);
    if (!name || name->ctx != ExprContext::Store || !names.contains(name->id))
      return found;
    const auto effect = effects.find(name->range.begin);
    const Position from = effect == effects.end() ? name->range.begin : effect->second;
    found &= !(before.begin < from && name->range.begin < after.begin);
    return found;
  });
  return found;
}

} // namespace tilescope::compiler::ast
