// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayTypes.h"

#include "app/launch/ArrayTruths.h"
#include "app/launch/RewriteParts.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tilescope::app {

namespace ast = compiler::ast;

template <size_t N>
static bool isOneOf(std::string_view name, const std::array<std::string_view, N> &names) {
  return std::ranges::find(names, name) != names.end();
}

/// `float32`, `np.float32`, `"float32"`.
static bool isFloatType(const ast::Expr &expr) {
  static constexpr std::array<std::string_view, 12> kTypes{
      "float",  "float16", "float32", "float64", "bfloat16", "half",
      "single", "double",  "fp16",    "fp32",    "fp64",     "bf16"};
  if (const auto *name = ast::as<ast::Name>(&expr))
    return isOneOf(name->id, kTypes);
  if (const auto *attribute = ast::as<ast::Attribute>(&expr))
    return ast::is<ast::Name>(attribute->value) && isOneOf(attribute->attr, kTypes);
  const auto *constant = ast::as<ast::Constant>(&expr);
  return constant && constant->constantKind == ast::ConstantKind::Str &&
         isOneOf(constant->text, kTypes);
}

static bool isFloatConversion(const ast::Call &call, const ast::Attribute &method) {
  static constexpr std::array<std::string_view, 3> kConversions{"astype", "to", "type"};
  static constexpr std::array<std::string_view, 4> kShort{"float", "double", "half", "bfloat16"};
  if (!call.keywords.empty())
    return false;
  return call.args.empty() ? isOneOf(method.attr, kShort)
                           : call.args.size() == 1 && isOneOf(method.attr, kConversions) &&
                                 isFloatType(*call.args[0]);
}

std::string withoutFloatTypes(std::string text, const profiler::LaunchPlan &plan) {
  const auto find = [&](const ast::SyntaxTree &tree,
                        const ast::Node &node) -> std::optional<Rewrite> {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *method = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    if (!method || !isFloatConversion(*call, *method))
      return std::nullopt;
    const std::string operand = "(" + std::string(tree.text(method->value->range)) + ")";
    return Rewrite{call, holdsTruths(*method->value, plan) ? "(1.0 * " + operand + ")" : operand};
  };
  return rewriteParts(std::move(text), find);
}

} // namespace tilescope::app
