// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/LoopBehind.h"

#include "compiler/syntax/AccessArguments.h"

#include <set>
#include <string_view>

namespace tilescope::compiler {

static constexpr int kMaxDepth = 8;

/// All names of the code, and of what these stand for in front of a place.
static void addNamesOf(const ast::Node &function, const ast::Expr &code, Position before, int depth,
                       std::set<std::string_view> &names) {
  ast::walk(code, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    if (!name || !names.insert(name->id).second || depth >= kMaxDepth)
      return true;
    if (const ast::Expr *value = lastValue(function, name->id, before))
      addNamesOf(function, *value, before, depth + 1, names);
    return true;
  });
}

std::string loopBehind(const ast::SyntaxTree &tree, const ast::Node &function,
                       const ast::Call &access) {
  const ast::Expr *pointer = argument(access, 0, "pointer");
  if (!pointer)
    return {};
  std::set<std::string_view> names;
  addNamesOf(function, *pointer, access.range.begin, 0, names);
  const ast::For *found = nullptr;
  ast::walk(function, [&](const ast::Node &node) {
    const auto *loop = ast::as<ast::For>(&node);
    const auto *counter = loop ? ast::as<ast::Name>(loop->target) : nullptr;
    if (counter && names.contains(counter->id) && loop->range.begin <= access.range.begin &&
        access.range.end <= loop->range.end)
      found = loop;
    return true;
  });
  return found ? "`for " + std::string(tree.text(found->target->range)) + " in " +
                     std::string(tree.text(found->iter->range)) + "` in line " +
                     std::to_string(found->range.begin.line + 1)
               : std::string();
}

} // namespace tilescope::compiler
