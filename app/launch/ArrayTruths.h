// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "compiler/syntax/Ast.h"
#include "profiler/package/LaunchPlan.h"

#include <string>

namespace tilescope::app {

/// Whether an expression is an array of truths: a comparison, say, or an argument of booleans.
bool holdsTruths(const compiler::ast::Expr &expr, const profiler::LaunchPlan &plan);

/// An expression of arrays with operations on truths as Python does them for one element: NumPy inverts an array
/// of booleans, where Python inverts the bits of one, and its sum of two is whether one of them is true:
///
///     ~(x > 0)              (not (x > 0))
///     (x > 0) + (i < 5)     (x > 0) | (i < 5)
///
/// What is not an expression is returned as it is.
std::string withPythonTruths(std::string text, const profiler::LaunchPlan &plan);

/// An error where truths choose elements, `x[x > 0]`: how many they choose is not known.
Status checkIndices(const std::string &text, const profiler::LaunchPlan &plan);

} // namespace tilescope::app
