// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/EvaluateLaunch.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::profiler {

/// Whether an expression is empty.
bool isBlank(const LaunchExpression &expression);

/// That `name` has an empty value. `names`: what a value could use.
LaunchProblem missingValue(const LaunchExpression &expression, const std::string &name,
                           const LaunchNames &names);

/// The evaluator's complaint in the words of a launch block.
LaunchProblem expressionProblem(const LaunchExpression &expression, const ExpressionFault &fault,
                                const LaunchNames &names);

/// Warns of a number that is none, or infinite, although its expression does not say so; nothing: it is one.
std::optional<LaunchProblem> notFinite(const LaunchExpression &expression,
                                       const LaunchValue &value);

/// Of a constexpr of which an extent is computed: that it is a fraction, such as `256.0`. Nothing: it is none.
std::optional<LaunchProblem> constexprFraction(const LaunchEntry &entry, const LaunchValue &value,
                                               const LaunchExpression &extent);

/// A float that is a whole number as an integer, `1000` of `1e3`; empty for all else.
std::string wholeText(const LaunchValue &value);

/// What is wrong with a size that is an extent: `-5`, `1.5`. Nothing: it can be one.
std::string extentFault(const LaunchValue &value);

} // namespace tilescope::profiler
