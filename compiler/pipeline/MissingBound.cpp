// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/MissingBound.h"

#include "compiler/pipeline/AccessCalls.h"

#include <map>
#include <set>
#include <string_view>

namespace tilescope::compiler {

static constexpr int kMaxDepth = 4;

/// All names of the code, and of what these stand for in front of a place.
static void addNames(const ast::Node &function, const ast::Expr &code, Position before, int depth,
                     std::set<std::string_view> &names) {
  ast::walk(code, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    if (!name || !names.insert(name->id).second || depth >= kMaxDepth)
      return true;
    if (const ast::Expr *value = lastValue(function, name->id, before))
      addNames(function, *value, before, depth + 1, names);
    return true;
  });
}

using Bounds = std::map<std::string_view, const ast::Compare *>;

/// The comparisons `index < …` that a mask consists of, by the index.
static void addBounds(const ast::Node &function, const ast::Expr &mask, Position before, int depth,
                      Bounds &bounds) {
  if (const auto *name = ast::as<ast::Name>(&mask); name && depth < kMaxDepth)
    if (const ast::Expr *value = lastValue(function, name->id, before))
      return addBounds(function, *value, before, depth + 1, bounds);
  if (const auto *axes = ast::as<ast::Subscript>(&mask))
    return addBounds(function, *axes->value, before, depth + 1, bounds);
  if (const auto *both = ast::as<ast::BinOp>(&mask);
      both && both->op == ast::BinaryOpKind::BitAnd) {
    addBounds(function, *both->left, before, depth, bounds);
    return addBounds(function, *both->right, before, depth, bounds);
  }
  const auto *compare = ast::as<ast::Compare>(&mask);
  if (!compare || compare->ops.size() != 1 || compare->ops[0] != ast::CompareOpKind::Lt)
    return;
  const auto *axes = ast::as<ast::Subscript>(compare->left);
  if (const auto *index = ast::as<ast::Name>(axes ? axes->value : compare->left))
    bounds.try_emplace(index->id, compare);
}

static Bounds boundsOf(const ast::Node &function, const ast::Call &access) {
  Bounds bounds;
  if (const ast::Expr *mask = maskOf(access))
    addBounds(function, *mask, access.range.begin, 0, bounds);
  return bounds;
}

std::string missingBound(const ast::SyntaxTree &tree, const ast::Node &function,
                         const ast::Call &access) {
  const ast::Expr *pointer = argument(access, 0, "pointer");
  const Bounds own = boundsOf(function, access);
  if (!pointer || own.empty())
    return {};
  std::set<std::string_view> names;
  addNames(function, *pointer, access.range.begin, 0, names);
  std::string found;
  ast::walk(function, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    if (!callee || call == &access || !found.empty() ||
        (callee->attr != "load" && callee->attr != "store"))
      return true;
    for (const auto &[index, compare] : boundsOf(function, *call))
      if (found.empty() && names.contains(index) && !own.contains(index))
        found = "its `mask` does not bound `" + std::string(index) + "`, as line " +
                std::to_string(call->range.begin.line + 1) + " does by `" +
                std::string(tree.text(compare->range)) + "`";
    return true;
  });
  return found;
}

} // namespace tilescope::compiler
