// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ReductionCalls.h"

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
  // Python's `max` and `min` compare their arguments.
  const bool isExtreme = *kind == ReductionKind::Max || *kind == ReductionKind::Min;
  if (args.empty() || (function && isExtreme && args.size() > 1 && !hasAxis(call)))
    return std::nullopt;
  return ReductionCall{*kind, args.front(), {args.begin() + 1, args.end()}};
}

bool isSpread(ReductionKind kind) {
  return kind == ReductionKind::Var || kind == ReductionKind::Std;
}

} // namespace tilescope::app
