// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/MissingBound.h"

#include "compiler/pipeline/AccessCalls.h"

#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

static constexpr int kDeepestName = 4;

/// All names of the code, and of what these stand for in front of a place.
static void addNames(const ast::Node &function, const ast::Expr &code, Position before, int depth,
                     std::set<std::string_view> &names) {
  ast::walk(code, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    if (!name || !names.insert(name->id).second || depth >= kDeepestName)
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
  if (const auto *name = ast::as<ast::Name>(&mask); name && depth < kDeepestName)
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

/// Visits the other loads and stores of a function, until something is found.
static std::string findElsewhere(const ast::Node &function, const ast::Call &access,
                                 const std::function<std::string(const ast::Call &)> &look) {
  std::string found;
  ast::walk(function, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    if (callee && call != &access && found.empty() &&
        (callee->attr == "load" || callee->attr == "store"))
      found = look(*call);
    return true;
  });
  return found;
}

std::string missingBound(const ast::SyntaxTree &tree, const ast::Node &function,
                         const ast::Call &access) {
  const ast::Expr *pointer = argument(access, 0, "pointer");
  const Bounds own = boundsOf(function, access);
  if (!pointer || own.empty())
    return {};
  std::set<std::string_view> names;
  addNames(function, *pointer, access.range.begin, 0, names);
  // `w + j < W` bounds what is made of `w`, too.
  std::set<std::string_view> bounded;
  ast::walk(*maskOf(access), [&](const ast::Node &node) {
    if (const auto *name = ast::as<ast::Name>(&node))
      addNames(function, *name, access.range.begin, 0, bounded);
    return true;
  });
  return findElsewhere(function, access, [&](const ast::Call &call) -> std::string {
    for (const auto &[index, compare] : boundsOf(function, call))
      if (names.contains(index) && !bounded.contains(index))
        return "its `mask` does not bound `" + std::string(index) + "`, as line " +
               std::to_string(call.range.begin.line + 1) + " does by `" +
               std::string(tree.text(compare->range)) + "`";
    return {};
  });
}

/// Names, numbers and signs of a text, without spaces.
static std::vector<std::string_view> wordsAndSigns(std::string_view text) {
  const auto isOfName = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  std::vector<std::string_view> words;
  for (size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    end = begin + 1;
    while (isOfName(text[begin]) && end < text.size() && isOfName(text[end]))
      ++end;
    if (std::isspace(static_cast<unsigned char>(text[begin])) == 0)
      words.push_back(text.substr(begin, end - begin));
  }
  return words;
}

std::string otherFactor(const ast::SyntaxTree &tree, const ast::Node &function,
                        const ast::Call &access) {
  const ast::Expr *pointer = argument(access, 0, "pointer");
  const std::vector<std::string_view> own =
      pointer ? wordsAndSigns(tree.text(pointer->range)) : std::vector<std::string_view>();
  const auto isMadeOf = [&](std::string_view name, std::string_view part) {
    const ast::Expr *value = lastValue(function, name, access.range.begin);
    std::set<std::string_view> names;
    if (value)
      addNames(function, *value, access.range.begin, 0, names);
    return names.contains(part);
  };
  return findElsewhere(function, access, [&](const ast::Call &call) -> std::string {
    const ast::Expr *place = argument(call, 0, "pointer");
    const std::vector<std::string_view> other =
        place ? wordsAndSigns(tree.text(place->range)) : std::vector<std::string_view>();
    size_t factor = 0, numOthers = 0;
    // The first one is the array.
    for (size_t i = 1; i < own.size() && own.size() == other.size(); ++i) {
      if (own[i] == other[i] || isMadeOf(own[i], other[i]))
        continue;
      ++numOthers;
      if (i > 1 && own[i - 1] == "*" && own[i - 2] == other[i - 2])
        factor = i;
    }
    if (numOthers != 1 || factor == 0)
      return {};
    return "`" + std::string(own[factor - 2]) + "` is multiplied by `" + std::string(own[factor]) +
           "` here, and by `" + std::string(other[factor]) + "` in line " +
           std::to_string(call.range.begin.line + 1);
  });
}

} // namespace tilescope::compiler
