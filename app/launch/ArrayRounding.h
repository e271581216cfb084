// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/RoundedNumber.h"
#include "compiler/constant/Evaluate.h"
#include "compiler/syntax/Ast.h"

#include <optional>
#include <string_view>

namespace tilescope::app {

/// What names stand for where an expression is evaluated for one element.
struct RoundedNames {
  /// Nothing: the name is not a tensor.
  std::function<std::optional<RoundedNumber>(std::string_view name)> tensor;
  /// For everything else, and for operations that are not known here.
  const compiler::constant::Environment &others;
};

/// An expression of one element with its size and bounds. Where the size cannot be told it is NaN;
/// operations on integers that are certain are exact. Where Python stops, as at a division by zero, the
/// value is what machines compute.
RoundedNumber evaluateRounded(const compiler::ast::Expr &expr, const RoundingRules &rules,
                              const RoundedNames &names);

} // namespace tilescope::app
