// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/NarrowAccumulators.h"

#include "compiler/syntax/ExpressionParts.h"

#include <algorithm>

namespace tilescope::app {

namespace ast = compiler::ast;

/// The first of these types in an expression: `tl.float16`; null: there is none.
static const ast::Attribute *typeIn(const ast::Expr &expr,
                                    std::initializer_list<std::string_view> types) {
  const ast::Attribute *found = nullptr;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Attribute>(&node);
    if (!found && name && std::ranges::find(types, std::string_view(name->attr)) != types.end())
      found = name;
    return !found;
  });
  return found;
}

/// The type that a name begins with in front of a place; null: none of these.
static const ast::Attribute *beginOf(const KernelText &kernel, std::string_view name,
                                     Position before,
                                     std::initializer_list<std::string_view> types) {
  const ast::Attribute *found = nullptr;
  kernel.walk([&](const ast::Node &node) {
    const auto *first = ast::as<ast::Assign>(&node);
    const bool isFilled = first && (KernelText::callOf(first->value, "zeros") ||
                                    KernelText::callOf(first->value, "full"));
    if (isFilled && first->range.end <= before &&
        KernelText::nameOf(first->targets.front()) == name)
      found = typeIn(*first->value, types);
  });
  return found;
}

std::vector<NarrowAccumulator> narrowAccumulators(const KernelText &kernel,
                                                  std::initializer_list<std::string_view> types) {
  std::vector<NarrowAccumulator> found;
  const auto look = [&](const ast::Node &loop, const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    const auto *update = ast::as<ast::AugAssign>(&node);
    const std::string_view name = assign   ? KernelText::nameOf(assign->targets.front())
                                  : update ? KernelText::nameOf(update->target)
                                           : std::string_view();
    if (name.empty() || (assign && !ast::mentions(*assign->value, name)) ||
        std::ranges::find(found, name, &NarrowAccumulator::name) != found.end())
      return;
    if (const ast::Attribute *type = beginOf(kernel, name, loop.range.begin, types))
      found.push_back({std::string(name), type, ast::as<ast::Stmt>(&node)});
  };
  kernel.walk([&](const ast::Node &loop) {
    if (ast::is<ast::For>(&loop) || ast::is<ast::While>(&loop))
      ast::walk(loop, [&](const ast::Node &node) {
        look(loop, node);
        return true;
      });
  });
  return found;
}

} // namespace tilescope::app
