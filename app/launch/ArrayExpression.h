// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/Expectation.h"
#include "app/launch/RoundedNumber.h"
#include "compiler/artifacts/RoundingFacts.h"
#include "compiler/support/Result.h"
#include "profiler/data/Tensor.h"
#include "profiler/package/LaunchPlan.h"

#include <functional>
#include <stop_token>
#include <string>

namespace tilescope::app {

/// What an expression over whole tensors is evaluated with.
struct ArraySources {
  const profiler::LaunchPlan &plan;
  /// The contents of an argument; empty: only names and shapes are checked, and numbers stand in
  /// for the contents.
  std::function<Result<profiler::Tensor>(const profiler::PlanArgument &argument)> contents;
  std::stop_token stop = {};
  /// How the kernel rounds what it stores to the output.
  compiler::RoundingFacts roundings = {};
  RoundingReach reach = RoundingReach::Likely;
};

/// Evaluates an expression over tensor arguments, scalars, sizes and constexprs for every element
/// of an output, whose type the result has. Arguments are broadcast as in NumPy; reductions, matrix
/// products and indices are worked out first, each over the broadcast shape of what it names:
///
///     x of [2, 3], out of [2]:   sum(x * x, axis=1) / 3
///                                └── [2, 3] → [2] ──┘
///
/// Beside each element the size of its terms is worked out. Where Python stops at an element, as at a
/// division by zero, and machines compute no number either, nothing is expected. The error says what is wrong with the
/// expression, or which value an integer type cannot hold.
Result<Expectation> evaluateArray(const std::string &text, const profiler::PlanArgument &output,
                                  const ArraySources &sources);

} // namespace tilescope::app
