// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ReductionCalls.h"

#include "app/launch/RewriteParts.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace tilescope::app {

namespace ast = compiler::ast;

static constexpr std::pair<std::string_view, ReductionKind> kReductions[] = {
    {"argmax", ReductionKind::ArgMax}, {"argmin", ReductionKind::ArgMin},
    {"max", ReductionKind::Max},       {"mean", ReductionKind::Mean},
    {"min", ReductionKind::Min},       {"prod", ReductionKind::Prod},
    {"std", ReductionKind::Std},       {"sum", ReductionKind::Sum},
    {"var", ReductionKind::Var},
};

std::string reductionNames() {
  std::string names;
  for (const auto &[name, kind] : kReductions)
    names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

static std::optional<ReductionKind> kindOf(std::string_view name) {
  if (name == "amax" || name == "amin")
    name.remove_prefix(1);
  const auto *found =
      std::ranges::find(kReductions, name, &std::pair<std::string_view, ReductionKind>::first);
  return found == std::end(kReductions) ? std::nullopt : std::optional(found->second);
}

bool isReduction(std::string_view name) { return kindOf(name).has_value(); }

static bool isModule(const ast::Expr &expr) {
  const auto *name = ast::as<ast::Name>(&expr);
  return name &&
         (name->id == "np" || name->id == "numpy" || name->id == "torch" || name->id == "tl");
}

static bool hasAxis(const ast::Call &call) {
  return std::ranges::any_of(call.keywords, [](const ast::Keyword *keyword) {
    return keyword->arg == "axis" || keyword->arg == "dim";
  });
}

std::optional<ReductionCall> reductionCallOf(const ast::Call &call) {
  std::vector<const ast::Expr *> args(call.args.begin(), call.args.end());
  const auto *method = ast::as<ast::Attribute>(call.func);
  const auto *function = ast::as<ast::Name>(call.func);
  const std::optional<ReductionKind> kind = method     ? kindOf(method->attr)
                                            : function ? kindOf(function->id)
                                                       : std::nullopt;
  if (!kind)
    return std::nullopt;
  if (method && !isModule(*method->value))
    return ReductionCall{*kind, method->value, std::move(args)};
  // Python's `max` and `min` compare their arguments; NumPy's `amax` and `amin` do not.
  const bool isExtreme = function && (function->id == "max" || function->id == "min");
  if (args.empty() || (isExtreme && args.size() > 1 && !hasAxis(call)))
    return std::nullopt;
  return ReductionCall{*kind, args.front(), {args.begin() + 1, args.end()}};
}

/// The number that an argument says, also with a sign.
static bool isNumber(const ast::Expr &argument) {
  const auto *sign = ast::as<ast::UnaryOp>(&argument);
  const auto *number = ast::as<ast::Constant>(sign ? sign->operand : &argument);
  return number && number->intValue.has_value();
}

std::string withNamedAxis(std::string text) {
  return rewriteParts(
      std::move(text),
      [](const ast::SyntaxTree &tree, const ast::Node &node) -> std::optional<Rewrite> {
        const auto *call = ast::as<ast::Call>(&node);
        const auto *name = call ? ast::as<ast::Name>(call->func) : nullptr;
        if (!name || (name->id != "max" && name->id != "min") || call->args.size() != 2 ||
            !call->keywords.empty() || !isNumber(*call->args.back()))
          return std::nullopt;
        return Rewrite{
            call, std::string(name->id) + "(" + std::string(tree.text(call->args.front()->range)) +
                      ", axis=" + std::string(tree.text(call->args.back()->range)) + ")"};
      });
}

bool isSpread(ReductionKind kind) {
  return kind == ReductionKind::Var || kind == ReductionKind::Std;
}

} // namespace tilescope::app
