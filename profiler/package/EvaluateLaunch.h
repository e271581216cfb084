// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/LaunchBlock.h"
#include "profiler/package/LaunchPlan.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tilescope::profiler {

/// What an expression evaluated to.
struct LaunchValue {
  /// Any other compile-time value: a dtype, a tuple, a function.
  struct Opaque {
    /// What the evaluator made it from, for its own use.
    std::shared_ptr<const void> value;
    bool operator==(const Opaque &) const = default;
  };
  /// `monostate` is `None`.
  std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string, Opaque> value;
  /// The value in the kernel language: `1024`, `'relu'`, `tl.float16`.
  std::string text;
};

using LaunchNames = std::map<std::string, LaunchValue, std::less<>>;

/// Why an expression has no value.
struct ExpressionFault {
  enum class Kind {
    /// It is not an expression.
    Syntax,
    /// `name` is not defined.
    UndefinedName,
    /// Python would raise an error that says `message`.
    Other,
  };
  Kind kind = Kind::Other;
  std::string name = {};
  std::string message = {};
  /// The functions that can be used, between commas; empty: not known.
  std::string functions = {};
};

/// Evaluates an expression of the kernel language over the given names, and `cdiv`,
/// `next_power_of_2`, `tl.*`, the builtins and functions of numbers such as `sqrt`.
using Evaluated = std::variant<LaunchValue, ExpressionFault>;
using Evaluator = std::function<Evaluated(const std::string &, const LaunchNames &)>;

/// What the command line or the Run form puts in place of the block's expressions; all are
/// expressions.
struct LaunchOverrides {
  /// Must exist in the block.
  std::map<std::string, std::string> sizes;
  /// These may be new.
  std::map<std::string, std::string> constexprs;
  std::map<std::string, std::string> options;
};

/// A parameter of the kernel that is launched.
struct LaunchParameter {
  std::string name;
  /// A compile-time value: the compiler finds one when the block states none.
  bool isConstexpr = false;
  /// What the kernel takes when the launch passes nothing.
  std::optional<LaunchValue> defaultValue;
  /// Whether a launch without a value for it is wrong; false where the kernel may not take it.
  bool isRequired = true;
};

struct LaunchEvaluation {
  /// Absent when any problem is an error.
  std::optional<LaunchPlan> plan;
  std::vector<LaunchProblem> problems;
};

/// Evaluates, in this order: sizes (each sees those before it), constexprs (see sizes and those
/// before), scalar arguments (see both), then tensors, options, grid and work (see all).
///
/// Of `parameters`, one that no key fills takes the size of its name, else its default; where there
/// is neither, that is a problem. Empty: what the kernel takes is not known.
LaunchEvaluation evaluateLaunch(const LaunchBlock &block, const LaunchOverrides &overrides,
                                const Evaluator &evaluate,
                                const std::vector<LaunchParameter> &parameters = {});

/// That the block says nothing of an argument, as a problem at its first line.
LaunchProblem missingArgument(const LaunchBlock &block, const std::string &name);

} // namespace tilescope::profiler
