// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/VectorAxes.h"

#include "compiler/syntax/ExpressionParts.h"

#include <algorithm>
#include <vector>

namespace tilescope::compiler::ast {

std::string_view indexOf(VectorAxis axis) {
  return axis == VectorAxis::Down ? "[:, None]" : "[None, :]";
}

static bool isNone(const Expr *expr) {
  const auto *constant = as<Constant>(expr);
  return constant && constant->constantKind == ConstantKind::None;
}

static bool isWhole(const Expr *expr) {
  const auto *slice = as<Slice>(expr);
  return slice && !slice->lower && !slice->upper && !slice->step;
}

std::optional<VectorAxis> axisOf(const Subscript &subscript) {
  const auto *indices = as<Tuple>(subscript.slice);
  if (!indices || indices->elts.size() != 2)
    return std::nullopt;
  if (isWhole(indices->elts[0]) && isNone(indices->elts[1]))
    return VectorAxis::Down;
  if (isNone(indices->elts[0]) && isWhole(indices->elts[1]))
    return VectorAxis::Right;
  return std::nullopt;
}

static std::optional<VectorAxis> axisOf(const Node &function, std::string_view name, int depth) {
  static constexpr int kMaxDepth = 3;
  std::vector<VectorAxis> axes;
  const Expr *given = nullptr;
  size_t numGiven = 0;
  walk(function, [&](const Node &node) {
    if (const auto *subscript = as<Subscript>(&node)) {
      const auto *value = as<Name>(subscript->value);
      if (const auto axis = axisOf(*subscript); axis && value && value->id == name)
        axes.push_back(*axis);
    } else if (const auto *assign = as<Assign>(&node); assign && assign->targets.size() == 1) {
      const auto *target = as<Name>(assign->targets.front());
      if (target && target->id == name) {
        given = assign->value;
        ++numGiven;
      }
    }
    return true;
  });
  if (!axes.empty())
    return std::ranges::count(axes, axes.front()) == std::ssize(axes) ? std::optional(axes.front())
                                                                      : std::nullopt;
  if (numGiven != 1 || depth >= kMaxDepth)
    return std::nullopt;
  walk(*given, [&](const Node &node) {
    const auto *part = as<Name>(&node);
    if (part && part->id != name)
      if (const auto axis = axisOf(function, part->id, depth + 1))
        axes.push_back(*axis);
    // What is in brackets, or goes into a call, says nothing about what comes out.
    return !is<Subscript>(&node) && !is<Call>(&node);
  });
  return axes.size() == 1 ? std::optional(axes.front()) : std::nullopt;
}

std::optional<VectorAxis> axisOf(const Node &function, std::string_view name) {
  return axisOf(function, name, 0);
}

/// Whether some sum multiplies one vector, and adds the other as it is: `rows * N + cols`.
static bool isMultiplied(const Node &function, std::string_view rows, std::string_view columns) {
  bool found = false;
  walk(function, [&](const Node &node) {
    const auto *sum = as<BinOp>(&node);
    if (!sum || sum->op != BinaryOpKind::Add)
      return !found;
    const std::vector<const Expr *> terms = summands(*sum);
    const auto isProduct = [&](const Expr *term) {
      const auto *product = as<BinOp>(term);
      return product && product->op == BinaryOpKind::Mult && mentions(*product, rows);
    };
    const auto isAsItIs = [&](const Expr *term) {
      const auto *name = as<Name>(term);
      return name && name->id == columns;
    };
    found |= std::ranges::any_of(terms, isProduct) && std::ranges::any_of(terms, isAsItIs);
    return !found;
  });
  return found;
}

bool runsDown(const Node &function, std::string_view first, std::string_view second) {
  const auto one = axisOf(function, first), other = axisOf(function, second);
  if (one && (!other || *one != *other))
    return *one == VectorAxis::Down;
  if (other && !one)
    return *other == VectorAxis::Right;
  return isMultiplied(function, first, second) || !isMultiplied(function, second, first);
}

} // namespace tilescope::compiler::ast
