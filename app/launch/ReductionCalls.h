// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Calls of reductions, as functions and as methods: `sum(x, axis=1)`, `x.sum(1)`, `np.sum(x)`.
#pragma once

#include "app/launch/ArrayReductions.h"
#include "compiler/syntax/Ast.h"

#include <optional>
#include <vector>

namespace tilescope::app {

/// What a call reduces, if it does: the parts of a function's and of a method's call.
struct ReductionCall {
  ReductionKind kind;
  const compiler::ast::Expr *operand;
  /// Positional arguments behind the operand.
  std::vector<const compiler::ast::Expr *> rest;
};

/// Nothing: the call is of another function.
std::optional<ReductionCall> reductionCallOf(const compiler::ast::Call &call);

/// A variance or a standard deviation.
bool isSpread(ReductionKind kind);

} // namespace tilescope::app
