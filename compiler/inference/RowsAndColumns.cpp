// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/RowsAndColumns.h"

#include "compiler/inference/NameWords.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tilescope::compiler::inference {

/// The letter of the axis: `m` of `BLOCK_M` and `BM`, `r` of `BLOCK_ROWS`, `x` of `XBLOCK`; 0 for other names.
static char axisOf(std::string_view side) {
  const std::string name = lowered(side);
  if (name.size() > 5 && name.ends_with("block") && name.find('_') == std::string::npos)
    return name.front();
  const size_t last = name.rfind('_');
  const std::string word = last == std::string::npos ? name : name.substr(last + 1);
  const bool isWord = word == "rows" || word == "row" || word == "cols" || word == "col" ||
                      word == "columns" || word == "height" || word == "width";
  if (word.size() == 1 || isWord)
    return word.front();
  return word.size() == 2 && (word.front() == 'b' || word.front() == 't') ? word.back() : '\0';
}

bool areRowsAndColumns(std::string_view one, std::string_view other) {
  static constexpr std::string_view kAxes[] = {"mn", "rc", "hw", "yx"};
  const char first = axisOf(one), second = axisOf(other);
  return std::ranges::any_of(kAxes, [&](std::string_view axes) {
    return (axes[0] == first && axes[1] == second) || (axes[0] == second && axes[1] == first);
  });
}

namespace {
using Definitions = std::map<std::string_view, std::vector<const ast::Expr *>>;
}

/// Gathers the names of how long the ranges are of which a value is made.
static void gatherRanges(const ast::Expr &value, const Definitions &definitions,
                         std::set<std::string_view> &seen, std::set<std::string_view> &lengths) {
  ast::walk(value, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *method = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    if (method && method->attr == "load")
      return false;
    if (method && method->attr == "arange")
      for (const ast::Expr *bound : call->args)
        if (const auto *name = ast::as<ast::Name>(bound))
          lengths.insert(name->id);
    const auto *name = ast::as<ast::Name>(&node);
    if (const auto found = name ? definitions.find(name->id) : definitions.end();
        found != definitions.end() && seen.insert(name->id).second)
      for (const ast::Expr *definition : found->second)
        gatherRanges(*definition, definitions, seen, lengths);
    return true;
  });
}

bool areAxes(const ast::JitFunction &kernel, std::string_view one, std::string_view other) {
  Definitions definitions;
  ast::walk(*kernel.def, [&](const ast::Node &node) {
    if (const auto *assign = ast::as<ast::Assign>(&node))
      for (const ast::Expr *target : assign->targets)
        if (const auto *name = ast::as<ast::Name>(target))
          definitions[name->id].push_back(assign->value);
    return true;
  });
  std::set<std::string_view> rows, columns;
  ast::walk(*kernel.def, [&](const ast::Node &node) {
    const auto *part = ast::as<ast::Subscript>(&node);
    const auto *axes = part ? ast::as<ast::Tuple>(part->slice) : nullptr;
    if (!axes || axes->elts.size() != 2)
      return true;
    const bool isRow = ast::is<ast::Slice>(axes->elts[0]);
    if (isRow != ast::is<ast::Slice>(axes->elts[1])) {
      std::set<std::string_view> seen;
      gatherRanges(*part->value, definitions, seen, isRow ? rows : columns);
    }
    return true;
  });
  const auto isAlone = [](const auto &in, const auto &out, std::string_view name) {
    return in.contains(name) && !out.contains(name);
  };
  return (isAlone(rows, columns, one) && isAlone(columns, rows, other)) ||
         (isAlone(rows, columns, other) && isAlone(columns, rows, one));
}

} // namespace tilescope::compiler::inference
