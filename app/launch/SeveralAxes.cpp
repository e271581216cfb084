// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/SeveralAxes.h"

#include "app/launch/ReductionCalls.h"
#include "app/launch/RewriteParts.h"
#include "compiler/constant/Evaluate.h"
#include "compiler/syntax/ExpressionParts.h"

#include <algorithm>

namespace tilescope::app {

namespace ast = compiler::ast;
namespace constant = compiler::constant;

namespace {
/// A reduction over several axes.
struct SeveralAxes {
  const ast::Expr *operand = nullptr;
  std::string_view function;
  /// Those behind first, so that the others keep their numbers.
  std::vector<int64_t> axes;
  bool keepsAxes = false;
};
} // namespace

/// Nothing: it has one axis, or what is not understood.
static std::optional<SeveralAxes> severalAxes(const ast::Call &call) {
  const std::optional<ReductionCall> parts = reductionCallOf(call);
  const bool isNested = parts && !isSpread(parts->kind) && parts->kind != ReductionKind::ArgMax &&
                        parts->kind != ReductionKind::ArgMin;
  if (!isNested || parts->rest.size() > 1)
    return std::nullopt;
  const auto *method = ast::as<ast::Attribute>(call.func);
  SeveralAxes several{parts->operand,
                      method ? std::string_view(method->attr) : ast::as<ast::Name>(call.func)->id,
                      {}};
  const ast::Expr *axis = parts->rest.empty() ? nullptr : parts->rest.front();
  for (const ast::Keyword *keyword : call.keywords) {
    const constant::Evaluation value =
        constant::evaluate(*keyword->value, constant::hostEnvironment({}));
    if (keyword->arg == "axis" || keyword->arg == "dim")
      axis = keyword->value;
    else if ((keyword->arg == "keepdims" || keyword->arg == "keepdim" ||
              keyword->arg == "keep_dims") &&
             value && value.value->isBool())
      several.keepsAxes = value.value->boolean();
    else
      return std::nullopt;
  }
  const ast::Seq<ast::Expr> elements = ast::itemsOf(axis);
  if (elements.empty())
    return std::nullopt;
  for (const ast::Expr *each : elements) {
    const constant::Evaluation value = constant::evaluate(*each, constant::hostEnvironment({}));
    const std::optional<int64_t> number = value ? value.value->toInt64() : std::nullopt;
    // How many there are is not known here.
    if (!number || (*number < 0) != (several.axes.empty() ? *number < 0 : several.axes[0] < 0))
      return std::nullopt;
    several.axes.push_back(*number);
  }
  std::ranges::sort(
      several.axes, several.axes[0] < 0 ? [](int64_t a, int64_t b) { return a < b; }
                                        : [](int64_t a, int64_t b) { return a > b; });
  const bool isTwice = std::ranges::adjacent_find(several.axes) != several.axes.end();
  return isTwice ? std::nullopt : std::optional(several);
}

std::string inSingleAxes(std::string text) {
  return rewriteParts(
      std::move(text),
      [](const ast::SyntaxTree &tree, const ast::Node &node) -> std::optional<Rewrite> {
        const auto *call = ast::as<ast::Call>(&node);
        const std::optional<SeveralAxes> several = call ? severalAxes(*call) : std::nullopt;
        if (!several)
          return std::nullopt;
        std::string nested(tree.text(several->operand->range));
        for (const int64_t axis : several->axes)
          nested = std::string(several->function) + "(" + nested +
                   ", axis=" + std::to_string(axis) +
                   (several->keepsAxes ? ", keepdims=True)" : ")");
        return Rewrite{call, std::move(nested)};
      });
}

} // namespace tilescope::app
