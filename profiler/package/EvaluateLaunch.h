// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/LaunchBlock.h"
#include "profiler/package/LaunchPlan.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tilescope::profiler {

/// What an expression evaluated to.
struct LaunchValue {
  /// Any other compile-time value: a dtype, a tuple, a function.
  struct Opaque {
    bool operator==(const Opaque &) const = default;
  };
  /// `monostate` is `None`.
  std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string, Opaque> value;
  /// The value in the kernel language: `1024`, `'relu'`, `tl.float16`.
  std::string text;
};

/// Evaluates an expression of the kernel language over the given names, and `cdiv`,
/// `next_power_of_2`, `tl.*` and the builtins. The error's message names what is wrong.
using LaunchNames = std::map<std::string, LaunchValue>;
using Evaluator = std::function<Result<LaunchValue>(const std::string &, const LaunchNames &)>;

/// What the command line or the Run form puts in place of the block's expressions; all are
/// expressions.
struct LaunchOverrides {
  /// Must exist in the block.
  std::map<std::string, std::string> sizes;
  /// These may be new.
  std::map<std::string, std::string> constexprs;
  std::map<std::string, std::string> options;
};

struct LaunchEvaluation {
  /// Absent when any problem is an error.
  std::optional<LaunchPlan> plan;
  std::vector<LaunchProblem> problems;
};

/// Evaluates, in this order: sizes (each sees those before it), constexprs (see sizes and those
/// before), scalar arguments (see both), then tensors, options, grid and work (see all).
LaunchEvaluation evaluateLaunch(const LaunchBlock &block, const LaunchOverrides &overrides,
                                const Evaluator &evaluate);

} // namespace tilescope::profiler
