// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/KeptExpectations.h"
#include "compiler/artifacts/RoundingFacts.h"
#include "profiler/analysis/ReferenceComparison.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace tilescope::app {

/// Where `expected` of a launch block finds what it names.
struct ExpectedSources {
  const profiler::LaunchPlan &plan;
  /// The kernel's file: `.npy` files are named from its folder.
  std::string sourcePath;
  /// Arguments with a file `<name>.npy` there begin with its contents; may be empty.
  std::string inputFolder;
  /// Where values that were computed before are; may be null.
  KeptExpectations *kept = nullptr;
  /// How the kernel rounds what it stores; an argument that is not among them counts as one that it
  /// computes in fp32 and rounds once.
  std::vector<compiler::RoundingFacts> roundings = {};
  /// How much of that.
  RoundingReach reach = RoundingReach::Likely;

  /// Whether right results of an argument may be off by more than is likely.
  bool mayReachFurther(const profiler::PlanArgument &argument) const;
  /// Nothing of an argument with tolerances of its own, which say how good the kernel has to be.
  compiler::RoundingFacts roundingsOf(const profiler::PlanArgument &argument) const;
};

/// What comparisons with references know of it.
profiler::RoundedTo roundedTo(const compiler::RoundingFacts &kernel);

/// What a tensor argument should hold after the run, in the argument's type and shape. A value that
/// an integer type cannot hold is an error: it would be wrapped, as a wrong result may be.
///
/// `expected` is a `.npy` file, or an expression that is evaluated for every element:
///
///     expected = "x_ptr + y_ptr"           the inputs as they were before the run
///     expected = "max(x_ptr, 0) * scale"   sizes, constexprs and scalars have their values
///
/// NumPy's elementwise functions are known, with or without `np.`: `where(x_ptr > 0, x_ptr, 0)`,
/// and reductions over one axis or all elements: `sum(x_ptr, axis=1)`, `x_ptr.max()`.
///
/// An input of another shape is broadcast as NumPy does it: `bias_ptr` of `[N]` in an output of
/// `[M, N]`. An expression is evaluated for four million elements at most; the error says so.
Result<Expectation> expectationOf(const profiler::PlanArgument &argument,
                                  const ExpectedSources &sources, const std::stop_token &stop = {});

/// What a tensor argument holds before the run.
Result<profiler::Tensor> initialContents(const profiler::PlanArgument &argument,
                                         const ExpectedSources &sources);

/// The `.npy` file that `expected` of an argument names; empty: it names none.
std::string referenceFile(const profiler::PlanArgument &argument, const std::string &sourcePath);

/// What is wrong with `expected` whatever the inputs hold: a name that is not defined, a function
/// that is not known, shapes that do not fit, a file that is missing. Nothing: it can be tried.
std::optional<Error> expectationFault(const profiler::PlanArgument &argument,
                                      const profiler::LaunchPlan &plan,
                                      const std::string &sourcePath = {});

} // namespace tilescope::app
