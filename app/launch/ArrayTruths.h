// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/package/LaunchPlan.h"

#include <string>

namespace tilescope::app {

/// An expression of arrays with each `~` before truths as `not`, and each sum of two as `or`: NumPy inverts an array of
/// booleans and adds two to one of booleans, and Python the bits of one boolean and integers, so that of one element
/// `~(x > 0)` would be -2, and `(x > 0) + (x < 5)` 2. What is not an expression is returned as it is.
std::string withTruthsCombined(std::string text, const profiler::LaunchPlan &plan);

/// Whether no part of an expression chooses elements of a tensor by truths, `x[x > 0]`: the error says what does so
/// for all.
Status checkBrackets(const std::string &text, const profiler::LaunchPlan &plan);

} // namespace tilescope::app
