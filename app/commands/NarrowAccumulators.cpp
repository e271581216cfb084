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

std::string typeNamed(const KernelText &kernel, const NarrowAccumulator &sum,
                      std::string_view name) {
  std::string_view type = kernel.text(*sum.type);
  type.remove_suffix(std::string_view(sum.type->attr).size());
  return std::string(type) + std::string(name);
}

void walkCarried(const KernelText &kernel,
                 const std::function<void(const ast::Stmt &loop, std::string_view name,
                                          const ast::Stmt &update)> &visit) {
  kernel.walk([&](const ast::Node &node) {
    if (!ast::is<ast::For>(&node) && !ast::is<ast::While>(&node))
      return;
    const ast::Stmt &loop = *ast::as<ast::Stmt>(&node);
    ast::walk(loop, [&](const ast::Node &inner) {
      const auto *assign = ast::as<ast::Assign>(&inner);
      const auto *update = ast::as<ast::AugAssign>(&inner);
      const std::string_view name = assign   ? KernelText::nameOf(assign->targets.front())
                                    : update ? KernelText::nameOf(update->target)
                                             : std::string_view();
      if (!name.empty() && (update || ast::mentions(*assign->value, name)))
        visit(loop, name, *ast::as<ast::Stmt>(&inner));
      return true;
    });
  });
}

std::vector<NarrowAccumulator> narrowAccumulators(const KernelText &kernel,
                                                  std::initializer_list<std::string_view> types) {
  std::vector<NarrowAccumulator> found;
  walkCarried(kernel, [&](const ast::Stmt &loop, std::string_view name, const ast::Stmt &update) {
    if (std::ranges::find(found, name, &NarrowAccumulator::name) != found.end())
      return;
    if (const ast::Attribute *type = beginOf(kernel, name, loop.range.begin, types))
      found.push_back({std::string(name), type, &update});
  });
  return found;
}

} // namespace tilescope::app
