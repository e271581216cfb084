// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/IndexMasks.h"

#include "compiler/syntax/AccessArguments.h"
#include "compiler/syntax/NameBinding.h"

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace tilescope::compiler {

namespace {
/// Code that an index is made of.
struct IndexPart {
  const ast::Expr *code = nullptr;
  SourceRange before;
  /// It is made one number, or a row of numbers: `tl.argmax(x)`.
  bool isReduced = false;
  /// It has got other axes: `i[:, None]`.
  bool isReshaped = false;
};
} // namespace

static bool isOneOf(const ast::Call &call, std::initializer_list<std::string_view> names) {
  const auto *method = ast::as<ast::Attribute>(call.func);
  const auto *function = ast::as<ast::Name>(call.func);
  const std::string_view name = method ? method->attr : function ? function->id : "";
  return std::ranges::find(names, name) != names.end();
}

static bool reduces(const ast::Call &call) {
  const bool isExtremum = isOneOf(call, {"max", "min"}) && ast::is<ast::Attribute>(call.func);
  return isExtremum || isOneOf(call, {"argmax", "argmin", "sum", "xor_sum", "reduce", "reduce_or"});
}

/// Adds what stands in `part`: the masks of its loads, and the code that its names stand for.
static void readPart(const ast::SyntaxTree &tree, IndexPart part, std::vector<IndexPart> &parts,
                     IndexMasks &found) {
  ast::walk(*part.code, [&](const ast::Node &node) {
    const auto child = [&](const ast::Expr *code, bool isReduced, bool isReshaped) {
      parts.push_back(
          {code, part.before, part.isReduced || isReduced, part.isReshaped || isReshaped});
    };
    if (const auto *name = ast::as<ast::Name>(&node))
      if (const auto last = ast::lastBinding(tree, name->id, part.before))
        parts.push_back({last->value, last->range, part.isReduced, part.isReshaped});
    if (const auto *subscript = ast::as<ast::Subscript>(&node)) {
      // Of a reduced block only one with several axes has such.
      found.haveOtherAxes |= part.isReduced;
      child(subscript->value, false, true);
      return false;
    }
    const auto *call = ast::as<ast::Call>(&node);
    if (!call)
      return true;
    if (isOneOf(*call, {"load"})) {
      const ast::Expr *mask = maskOf(*call);
      if (mask && part.isReduced)
        child(mask, false, false);
      else if (mask)
        found.masks.insert(tree.text(mask->range));
      found.haveOtherAxes |= mask && part.isReshaped;
      return false;
    }
    const bool isReduction = reduces(*call);
    if (isReduction || isOneOf(*call, {"expand_dims", "reshape", "view", "trans", "ravel"})) {
      for (const ast::Expr *each : call->args)
        child(each, isReduction, !isReduction);
      if (const auto *method = ast::as<ast::Attribute>(call->func))
        child(method->value, isReduction, !isReduction);
      return false;
    }
    return true;
  });
}

IndexMasks masksOfIndex(const ast::SyntaxTree &tree, const ast::Expr &index,
                        const SourceRange &before) {
  constexpr size_t kMostSteps = 32;
  IndexMasks found;
  std::vector<IndexPart> parts{{&index, before}};
  for (size_t i = 0; i < parts.size() && i < kMostSteps; ++i)
    readPart(tree, parts[i], parts, found);
  return found;
}

} // namespace tilescope::compiler
