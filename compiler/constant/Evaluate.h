// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/constant/Value.h"
#include "compiler/syntax/Ast.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tilescope::compiler::constant {

/// What names mean and what the owner's extensions can do. Every hook may be empty.
struct Environment {
  /// Value of a name; nothing: looked up among Python's builtins.
  std::function<std::optional<Value>(std::string_view name)> lookup;
  /// Attribute of an Extension.
  std::function<ValueOrError(const Value &object, std::string_view name)> attribute;
  /// Call of an Extension.
  std::function<ValueOrError(const Value &callee, const Value::Items &args,
                             const Keywords &keywords)>
      call;
  /// Steps that evaluations in this environment may still take together; null: only each one's own
  /// limit holds. A step is an expression, an element or some bytes of a value.
  int64_t *stepsLeft = nullptr;
};

/// Steps that one evaluation may take: well below a second, and some 100 MB.
inline constexpr int64_t kMaxEvaluationSteps = 2'000'000;

struct EvaluationError {
  PythonError error;
  /// The expression that failed.
  SourceRange range;
};

/// A value or the place and reason of the failure.
struct Evaluation {
  std::optional<Value> value;
  EvaluationError error;
  explicit operator bool() const { return value.has_value(); }
};

/// Evaluates with Python's rules: short circuit, chained comparison, comprehensions, f-strings.
Evaluation evaluate(const ast::Expr &expr, const Environment &environment);

/// The names of a launch block and of module-level code that stand for `triton`, `triton.language`
/// and `math`: modules as extensions, with the functions that work on the host: `cdiv`,
/// `next_power_of_2`, `Config`, dtypes, `constexpr` (transparent).
std::optional<Value> hostModule(std::string_view moduleName);
/// `cdiv` and `next_power_of_2` as bare names, as launch expressions may write them.
std::optional<Value> launchFunction(std::string_view name);
/// An environment in which `names` are defined, host modules and functions work, and of the rest
/// Python's builtins. `triton`, `tl`, `math`, `cdiv` and `next_power_of_2` are defined unless
/// `names` says else.
Environment hostEnvironment(std::map<std::string, Value, std::less<>> names);

/// A `triton.Config(kwargs, num_warps=…)`.
class ConfigObject : public Extension {
public:
  ConfigObject(Value kwargs, Keywords options)
      : kwargs(std::move(kwargs)), options(std::move(options)) {}
  std::string typeName() const override { return "Config"; }
  std::string repr() const override;
  /// A dict: constexpr name -> value.
  Value kwargs;
  /// `num_warps`, `num_stages`, …
  Keywords options;
};

/// Evaluates the text of one expression, such as one of a launch block, in
/// `hostEnvironment(names)`. A syntax error comes back as a `SyntaxError`.
ValueOrError evaluateText(std::string_view text,
                          const std::map<std::string, Value, std::less<>> &names);
/// The same in another environment.
ValueOrError evaluateTextIn(std::string_view text, const Environment &environment);

} // namespace tilescope::compiler::constant
