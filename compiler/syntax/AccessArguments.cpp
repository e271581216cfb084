// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/AccessArguments.h"

namespace tilescope::compiler {

const ast::Expr *argument(const ast::Call &call, size_t position, std::string_view name) {
  for (const ast::Keyword *keyword : call.keywords)
    if (keyword->arg == name)
      return keyword->value;
  return position < call.args.size() ? call.args[position] : nullptr;
}

const ast::Expr *maskOf(const ast::Call &access) {
  const auto *callee = ast::as<ast::Attribute>(access.func);
  if (!callee)
    return nullptr;
  // A compare-and-swap has values in these places.
  if (callee->attr == "atomic_cas")
    return nullptr;
  return argument(access, callee->attr == "load" ? 1 : 2, "mask");
}

const ast::Expr *lastValue(const ast::Node &function, std::string_view name, Position before) {
  const ast::Expr *value = nullptr;
  ast::walk(function, [&](const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    const auto *target = assign && assign->targets.size() == 1
                             ? ast::as<ast::Name>(assign->targets.front())
                             : nullptr;
    if (target && target->id == name && assign->range.end <= before)
      value = assign->value;
    return true;
  });
  return value;
}

} // namespace tilescope::compiler
