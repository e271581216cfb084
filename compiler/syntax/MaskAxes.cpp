// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/MaskAxes.h"

#include "compiler/syntax/AccessArguments.h"
#include "compiler/syntax/VectorAxes.h"

#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace tilescope::compiler {

using Axes = std::map<std::string_view, ast::VectorAxis>;

/// The axes of the vectors in an address, through the names of offsets; false where one lies along both.
static bool addAxes(const ast::Node &function, const ast::Expr &code, Position before, int depth,
                    Axes &axes) {
  static constexpr int kMaxDepth = 4;
  bool isClear = true;
  ast::walk(code, [&](const ast::Node &node) {
    if (const auto *subscript = ast::as<ast::Subscript>(&node)) {
      const auto *vector = ast::as<ast::Name>(subscript->value);
      if (const auto axis = ast::axisOf(*subscript); axis && vector)
        isClear &= axes.try_emplace(vector->id, *axis).first->second == *axis;
      return false;
    }
    const auto *name = ast::as<ast::Name>(&node);
    const ast::Expr *value =
        name && depth < kMaxDepth ? lastValue(function, name->id, before) : nullptr;
    if (value)
      isClear &= addAxes(function, *value, value->range.begin, depth + 1, axes);
    return isClear;
  });
  return isClear;
}

namespace {
/// A vector in a mask, with its index if it has one, and the axis that it should lie along.
struct Place {
  SourceRange range;
  std::string_view name;
  /// Where it lies in the mask.
  ast::VectorAxis own;
  ast::VectorAxis axis;
};
} // namespace

/// A vector that the mask has along another axis than the address, where the address has a second one along the same
/// axis, and the name of that; the first is null where there is none.
static std::pair<const Place *, std::string_view> merged(const std::vector<Place> &places,
                                                         const Axes &axes) {
  for (const Place &place : places)
    for (const auto &[name, axis] : axes)
      if (place.own != place.axis && name != place.name && axis == place.axis)
        return {&place, name};
  return {};
}

/// The places of a conjunction of comparisons; false where it has vectors that the address does not have, or
/// something else than comparisons.
static bool collect(const ast::Expr &mask, const Axes &axes, std::vector<Place> &places,
                    bool &differs) {
  const auto *both = ast::as<ast::BinOp>(&mask);
  if (both && both->op == ast::BinaryOpKind::BitAnd)
    return collect(*both->left, axes, places, differs) &&
           collect(*both->right, axes, places, differs);
  const auto *compare = ast::as<ast::Compare>(&mask);
  if (!compare || compare->comparators.size() != 1)
    return false;
  const auto *subscript = ast::as<ast::Subscript>(compare->left);
  const auto *name = ast::as<ast::Name>(subscript ? subscript->value : compare->left);
  const auto known = name ? axes.find(name->id) : axes.end();
  if (known == axes.end() || (subscript && !ast::axisOf(*subscript)))
    return false;
  // A vector without an index lies along the last axis.
  const ast::VectorAxis own = subscript ? *ast::axisOf(*subscript) : ast::VectorAxis::Right;
  differs |= own != known->second;
  places.push_back({compare->left->range, name->id, own, known->second});
  return true;
}

std::optional<MaskAxes> maskAxes(const ast::SyntaxTree &tree, const ast::Node &function,
                                 const ast::Call &access) {
  const ast::Expr *address = argument(access, 0, "pointer");
  const ast::Expr *mask = maskOf(access);
  if (const auto *name = ast::as<ast::Name>(mask))
    mask = lastValue(function, name->id, access.range.begin);
  Axes axes;
  if (!address || !mask || !addAxes(function, *address, access.range.begin, 0, axes))
    return std::nullopt;
  std::vector<Place> places;
  bool differs = false;
  if (!collect(*mask, axes, places, differs) || !differs)
    return std::nullopt;
  if (const auto [moved, other] = merged(places, axes); moved) {
    const std::string name(moved->name);
    return MaskAxes{"its address has `" + name + "` and `" + std::string(other) +
                        "` along one axis, and its mask `" + name + "` along the other: `" + name +
                        std::string(ast::indexOf(moved->own)) + "` in the address?",
                    std::nullopt};
  }
  const std::string_view text = tree.text(mask->range);
  std::string code(text);
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    const std::string_view old = tree.text(place->range);
    code.replace(static_cast<size_t>(old.data() - text.data()), old.size(),
                 std::string(place->name) + std::string(ast::indexOf(place->axis)));
  }
  return MaskAxes{"its `mask` must take its indices along the axes of the address: `" + code + "`",
                  DiagnosticFix{mask->range, code, "write `" + code + "`"}};
}

} // namespace tilescope::compiler
