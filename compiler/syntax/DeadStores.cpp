// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/DeadStores.h"

namespace tilescope::compiler::ast {

static bool isStore(const Node &node) {
  const auto *call = as<Call>(&node);
  const auto *function = call ? as<Attribute>(call->func) : nullptr;
  return function && (function->attr == "store" || function->attr.starts_with("atomic_"));
}

std::optional<DeadStore> storeBehindReturn(const FunctionDef &function) {
  const Return *end = nullptr;
  std::optional<DeadStore> found;
  for (const Stmt *statement : function.body) {
    if (!end) {
      end = as<Return>(statement);
      continue;
    }
    walk(*statement, [&](const Node &node) {
      if (!found && isStore(node))
        found = DeadStore{node.range, end->range};
      return !found;
    });
  }
  return found;
}

} // namespace tilescope::compiler::ast
