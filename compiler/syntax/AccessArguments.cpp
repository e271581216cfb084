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

size_t numBlockAxes(const ast::Node &function, const ast::Call &access) {
  static constexpr int kMaxDepth = 4;
  const ast::Expr *pointer = argument(access, 0, "pointer");
  for (int i = 0; pointer && i < kMaxDepth; ++i) {
    if (const auto *name = ast::as<ast::Name>(pointer)) {
      pointer = lastValue(function, name->id, access.range.begin);
      continue;
    }
    const auto *call = ast::as<ast::Call>(pointer);
    const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    if (callee && callee->attr == "make_block_ptr") {
      const auto *shape = ast::as<ast::Tuple>(argument(*call, 1, "shape"));
      const auto *list = ast::as<ast::List>(argument(*call, 1, "shape"));
      return shape ? shape->elts.size() : list ? list->elts.size() : 0;
    }
    pointer = callee && callee->attr == "advance" ? argument(*call, 0, "base") : nullptr;
  }
  return 0;
}

} // namespace tilescope::compiler
