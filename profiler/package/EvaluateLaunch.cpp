// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/EvaluateLaunch.h"

#include "compiler/support/Text.h"
#include "profiler/package/ExpressionProblem.h"
#include "profiler/package/HostScalar.h"
#include "profiler/package/LaunchAdvice.h"
#include "profiler/package/PlanBounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace tilescope::profiler {

namespace {
/// The state of one evaluation.
struct Evaluation {
  const LaunchBlock &block;
  const LaunchOverrides &overrides;
  const Evaluator &evaluator;
  const std::vector<LaunchParameter> &parameters;
  LaunchNames names;
  LaunchPlan plan;
  std::vector<LaunchProblem> problems;
  /// Names whose own expressions are wrong. Expressions that use them do not report it again.
  std::set<std::string, std::less<>> failed;

  void problem(SourceRange at, std::string message, std::string hint = "") {
    problems.push_back({at, std::move(message), std::move(hint), true});
  }
  std::optional<LaunchValue> evaluate(const LaunchExpression &expression);
  std::optional<int64_t> integer(const LaunchExpression &expression, std::string_view what);
  std::optional<double> real(const LaunchExpression &expression, std::string_view what);
  bool blameSize(const LaunchExpression &extent);

  void namedValues(const std::vector<LaunchEntry> &entries,
                   const std::map<std::string, std::string> &replaced,
                   std::map<std::string, std::string> &target, bool visible);
  void scalar(const LaunchArgument &arg, bool isConstexpr);
  void fill(const LaunchParameter &parameter);
  void restoreOrder();
  void tolerance(const LaunchEntry &entry, PlanTensor &tensor);
  void tensor(const LaunchArgument &arg);
  void initOption(const LaunchEntry &option, TensorInit &init);
  void grid();
  void work();
  void checkOverrides();
};
} // namespace

/// The place of values that the overrides brought: the block's first line.
static SourceRange blockStart(const LaunchBlock &block) {
  return {block.range.begin, {block.range.begin.line, block.range.begin.column + 15}};
}

LaunchProblem missingArgument(const LaunchBlock &block, const std::string &name) {
  LaunchProblem problem{blockStart(block),
                        "the launch block has no value for the argument `" + name + "`",
                        "under `[args]`, a tensor has `dtype` and `shape` and a number has a "
                        "value; a size of the same name works too"};
  problem.missingArgument = name;
  return problem;
}

std::optional<LaunchValue> Evaluation::evaluate(const LaunchExpression &expression) {
  if (!failed.empty() && std::ranges::any_of(wordsIn(expression.text), [&](std::string_view word) {
        return failed.contains(word);
      }))
    return std::nullopt;
  const Evaluated value = evaluator(expression.text, names);
  if (const auto *known = std::get_if<LaunchValue>(&value))
    return *known;
  const auto &fault = std::get<ExpressionFault>(value);
  auto renamed = fault.kind == ExpressionFault::Kind::UndefinedName
                     ? constexprCalledOtherwise(block, parameters, fault.name)
                     : std::nullopt;
  if (!renamed && fault.kind == ExpressionFault::Kind::UndefinedName)
    renamed = missingConstexpr(block, parameters, expression, fault.name);
  if (renamed)
    failed.insert(fault.name);
  problems.push_back(renamed ? std::move(*renamed) : expressionProblem(expression, fault, names));
  return std::nullopt;
}

static std::optional<double> asReal(const LaunchValue &value) {
  if (auto *number = std::get_if<int64_t>(&value.value))
    return double(*number);
  if (auto *number = std::get_if<uint64_t>(&value.value))
    return double(*number);
  if (auto *number = std::get_if<double>(&value.value))
    return *number;
  if (auto *flag = std::get_if<bool>(&value.value))
    return double(*flag);
  return std::nullopt;
}

std::optional<int64_t> Evaluation::integer(const LaunchExpression &expression,
                                           std::string_view what) {
  std::optional<LaunchValue> value = evaluate(expression);
  if (!value)
    return std::nullopt;
  if (auto *number = std::get_if<int64_t>(&value->value))
    return *number;
  if (auto *flag = std::get_if<bool>(&value->value))
    return int64_t(*flag);
  if (!blameSize(expression))
    problem(expression.range,
            std::string(what) + " must be an integer, found `" + value->text + "`");
  return std::nullopt;
}

std::optional<double> Evaluation::real(const LaunchExpression &expression, std::string_view what) {
  std::optional<LaunchValue> value = evaluate(expression);
  if (!value)
    return std::nullopt;
  std::optional<double> number = asReal(*value);
  if (!number)
    problem(expression.range, std::string(what) + " must be a number, found `" + value->text + "`");
  return number;
}

/// Of an extent that is none: whether a size or a constexpr that it uses could be none either. Then the
/// problem is that one, wherever it is used.
bool Evaluation::blameSize(const LaunchExpression &extent) {
  const std::vector<std::string_view> words = wordsIn(extent.text);
  for (const LaunchEntry &size : block.sizes) {
    const auto known = names.find(size.name);
    if (known == names.end() || std::ranges::find(words, size.name) == words.end())
      continue;
    if (failed.contains(size.name))
      return true;
    const std::string fault = extentFault(known->second);
    if (fault.empty())
      continue;
    failed.insert(size.name);
    // One of its parts may be at fault itself.
    if (!blameSize(size.value))
      problems.push_back({size.value.range, fault, "", true, wholeText(known->second)});
    return true;
  }
  for (const LaunchEntry &entry : block.constexprs) {
    const auto known = names.find(entry.name);
    if (known == names.end() || std::ranges::find(words, entry.name) == words.end())
      continue;
    auto fraction = constexprFraction(entry, known->second, extent);
    if (!fraction)
      continue;
    if (failed.insert(entry.name).second)
      problems.push_back(std::move(*fraction));
    return true;
  }
  return false;
}

/// Evaluates a table in order, with the overrides in place of the block's values; overrides with
/// new names come last. `visible`: later expressions see the names.
void Evaluation::namedValues(const std::vector<LaunchEntry> &entries,
                             const std::map<std::string, std::string> &replaced,
                             std::map<std::string, std::string> &target, bool visible) {
  auto one = [&](const std::string &name, const LaunchExpression &expression) {
    std::optional<LaunchValue> value;
    if (isBlank(expression))
      problems.push_back(missingValue(expression, name, names));
    else
      value = evaluate(expression);
    if (!value && visible)
      failed.insert(name);
    if (!value)
      return;
    target[name] = value->text;
    if (visible)
      names[name] = *value;
  };
  for (const LaunchEntry &entry : entries) {
    auto found = replaced.find(entry.name);
    LaunchExpression expression = entry.value;
    if (found != replaced.end())
      expression = {found->second, entry.value.range, std::nullopt};
    one(entry.name, expression);
  }
  for (const auto &[name, text] : replaced) {
    bool known = std::any_of(entries.begin(), entries.end(),
                             [&name = name](const LaunchEntry &e) { return e.name == name; });
    if (!known)
      one(name, {text, blockStart(block), std::nullopt});
  }
}

void Evaluation::checkOverrides() {
  for (const auto &[name, text] : overrides.sizes) {
    std::string known;
    bool found = false;
    for (const LaunchEntry &size : block.sizes) {
      found |= size.name == name;
      known += (known.empty() ? "`" : ", `") + size.name + "`";
    }
    if (!found)
      problem(blockStart(block), "the launch block has no size `" + name + "` to set",
              known.empty() ? "it has no sizes" : "its sizes are " + known);
  }
}

/// A host passes constexprs as it passes other arguments.
void Evaluation::scalar(const LaunchArgument &arg, bool isConstexpr) {
  std::optional<LaunchValue> value;
  if (isBlank(arg.value))
    problems.push_back(missingValue(arg.value, arg.name, names));
  else if (auto array = arrayInScript(arg))
    problems.push_back(std::move(*array));
  else
    value = evaluate(arg.value);
  if (!value) {
    // `n = "n"` says that it takes the size of its name, which may be right.
    if (!names.contains(arg.name))
      failed.insert(arg.name);
    return;
  }
  const LaunchValue &named = names.insert({arg.name, *value}).first->second;
  if (named.value != value->value && plan.sizes.contains(arg.name))
    problems.push_back(otherThanSize(arg, *value, named));
  if (isConstexpr || std::holds_alternative<std::monostate>(value->value)) {
    plan.constexprs.try_emplace(arg.name, isConstexpr ? value->text : "None");
    return;
  }
  std::optional<PlanScalar> scalar = scalarOf(*value);
  if (!scalar) {
    problem(arg.value.range,
            "argument `" + arg.name + "` must be a number, found `" + value->text + "`",
            "other values are compile-time values and belong under `[constexprs]`");
    return;
  }
  if (!arg.type.text.empty()) {
    std::optional<Dtype> dtype = parseDtype(arg.type.text);
    if (!dtype) {
      problem(arg.type.range, "`" + arg.type.text + "` is not a scalar type", "e.g. `i64`, `fp32`");
      return;
    }
    const std::string_view type = *dtype == Dtype::Int1 ? arg.type.text : dtypeName(*dtype);
    scalar = convertScalar(*scalar, *dtype, std::string(type));
    if (!scalar) {
      problem(arg.value.range,
              "`" + value->text + "` is not a value of type `" + arg.type.text + "`");
      return;
    }
  }
  if (std::optional<LaunchProblem> odd = notFinite(arg.value, *value))
    problems.push_back(std::move(*odd));
  plan.args.push_back({arg.name, *scalar});
}

void Evaluation::initOption(const LaunchEntry &option, TensorInit &init) {
  if (option.name == "seed") {
    if (auto seed = integer(option.value, "`seed`"))
      init.seed = uint64_t(*seed);
    return;
  }
  std::optional<double> number = real(option.value, "`" + option.name + "`");
  if (!number)
    return;
  double &target = option.name == "value"  ? init.value
                   : option.name == "low"  ? init.low
                   : option.name == "high" ? init.high
                                           : init.scale;
  target = *number;
}

void Evaluation::tolerance(const LaunchEntry &entry, PlanTensor &tensor) {
  const std::optional<double> number = real(entry.value, "`" + entry.name + "`");
  if (!number)
    return;
  if (!(*number >= 0 && *number <= std::numeric_limits<double>::max()))
    problem(entry.value.range, "`" + entry.name + "` is a number that is not negative",
            "elements pass within `atol + rtol * |expected|`");
  (entry.name == "rtol" ? tensor.relativeTolerance : tensor.absoluteTolerance) = *number;
}

void Evaluation::tensor(const LaunchArgument &arg) {
  PlanTensor tensor;
  if (std::optional<Dtype> dtype = parseDtype(arg.dtype.text))
    tensor.dtype = *dtype;
  else if (!arg.dtype.text.empty())
    problems.push_back(unknownDtype(arg.dtype));
  for (const LaunchExpression &each : arg.shape) {
    const std::optional<int64_t> extent = integer(each, "an extent");
    if (!extent && !problems.empty())
      offerExtent(each, problems.back());
    if (extent && *extent < 0 && !blameSize(each))
      problem(each.range, "an extent cannot be negative, found " + std::to_string(*extent));
    tensor.shape.push_back(extent ? std::max<int64_t>(*extent, 0) : 0);
  }
  if (tensor.shape.size() > kMostDimensions)
    problem(arg.nameRange, "tensor `" + arg.name + "` has more than " +
                               std::to_string(kMostDimensions) + " dimensions");
  else if (!tensorBytes(tensor.dtype, tensor.shape))
    problem(arg.nameRange, "tensor `" + arg.name + "` would take more than a tebibyte");
  if (!arg.init.text.empty() && !parseInit(arg.init.text, tensor.init.kind))
    problems.push_back(unknownInit(arg));
  if (hasHigh(tensor.init.kind))
    tensor.init.high = 100;
  for (const LaunchEntry &option : arg.initOptions)
    initOption(option, tensor.init);
  tensor.isGuess = arg.isGuess;
  tensor.expected = arg.expected.text;
  for (const LaunchEntry &entry : arg.tolerances)
    tolerance(entry, tensor);
  plan.args.push_back({arg.name, std::move(tensor)});
}

/// Sets a parameter that no key of the block fills.
void Evaluation::fill(const LaunchParameter &parameter) {
  const std::string &name = parameter.name;
  if (plan.constexprs.contains(name) || failed.contains(name) ||
      (!parameter.isRequired && plan.args.size() >= kMostArguments))
    return;
  const auto size = plan.sizes.contains(name) ? names.find(name) : names.end();
  const LaunchValue *value = size != names.end()      ? &size->second
                             : parameter.defaultValue ? &*parameter.defaultValue
                                                      : nullptr;
  if (parameter.isConstexpr) {
    if (size != names.end())
      plan.constexprs[name] = value->text;
    return;
  }
  const std::optional<PlanScalar> scalar = value ? scalarOf(*value) : std::nullopt;
  if (scalar)
    plan.args.push_back({name, *scalar});
  else if (value && std::holds_alternative<std::monostate>(value->value))
    plan.constexprs[name] = "None";
  else if (parameter.isRequired)
    problems.push_back(
        calledOtherwise(block, parameters, name).value_or(missingArgument(block, name)));
}

/// The arguments in the block's order; those that it does not name come last.
void Evaluation::restoreOrder() {
  std::map<std::string_view, size_t> places;
  for (const LaunchArgument &arg : block.args)
    places.emplace(arg.name, places.size());
  const auto place = [&](const PlanArgument &arg) {
    const auto found = places.find(arg.name);
    return found == places.end() ? places.size() : found->second;
  };
  std::stable_sort(plan.args.begin(), plan.args.end(),
                   [&](const auto &a, const auto &b) { return place(a) < place(b); });
}

void Evaluation::grid() {
  if (block.grid.empty())
    problem(blockStart(block), "the launch block has no `grid`",
            "e.g. `grid = [\"cdiv(n, BLOCK)\"]`");
  plan.isGridGuess = block.isGridGuess;
  for (size_t axis = 0; axis < block.grid.size() && axis < 3; ++axis) {
    std::optional<int64_t> extent = integer(block.grid[axis], "a grid extent");
    if (!extent && !problems.empty())
      offerGridExtent(block.grid[axis], problems.back());
    if (!extent || (*extent < 0 && blameSize(block.grid[axis])))
      continue;
    if (*extent < 0 || *extent > kGridLimits[axis])
      problem(block.grid[axis].range, "grid extent " + std::to_string(*extent) + " of axis " +
                                          std::to_string(axis) + " is not between 0 and " +
                                          std::to_string(kGridLimits[axis]));
    if (std::optional<LaunchProblem> empty = emptyGrid(block.grid[axis], *extent, plan.sizes))
      problems.push_back(std::move(*empty));
    plan.grid[axis] = *extent;
  }
}

void Evaluation::work() {
  if (block.bytes)
    plan.bytes = real(*block.bytes, "`bytes`");
  if (block.flops)
    plan.flops = real(*block.flops, "`flops`");
}

LaunchEvaluation evaluateLaunch(const LaunchBlock &block, const LaunchOverrides &overrides,
                                const Evaluator &evaluate,
                                const std::vector<LaunchParameter> &parameters) {
  Evaluation run{block, overrides, evaluate, parameters, {}, {}, {}, {}};
  if (block.args.size() > kMostArguments) {
    run.problem(block.args[kMostArguments].nameRange,
                "a launch has at most " + std::to_string(kMostArguments) + " arguments");
    return {std::nullopt, std::move(run.problems)};
  }
  run.plan.name = block.name;
  run.plan.kernel = block.kernel;
  run.checkOverrides();
  run.namedValues(block.sizes, overrides.sizes, run.plan.sizes, true);
  run.namedValues(block.constexprs, overrides.constexprs, run.plan.constexprs, true);
  // All scalars first: a tensor's shape may name one below it.
  for (const LaunchArgument &arg : block.args)
    if (!arg.isTensor)
      run.scalar(arg, std::ranges::any_of(parameters, [&](const LaunchParameter &each) {
                   return each.name == arg.name && each.isConstexpr;
                 }));
  for (const LaunchArgument &arg : block.args)
    if (arg.isTensor)
      run.tensor(arg);
  std::set<std::string_view> stated;
  for (const LaunchArgument &arg : block.args)
    stated.insert(arg.name);
  for (const LaunchParameter &parameter : parameters)
    if (!stated.contains(parameter.name))
      run.fill(parameter);
  run.restoreOrder();
  run.namedValues(block.options, overrides.options, run.plan.options, false);
  run.grid();
  run.work();
  for (const LaunchSweep &sweep : block.sweep)
    for (const LaunchExpression &value : sweep.values)
      run.plan.sweep[sweep.name].push_back(value.text);
  LaunchEvaluation result;
  result.problems = std::move(run.problems);
  if (std::none_of(result.problems.begin(), result.problems.end(),
                   [](const LaunchProblem &problem) { return problem.isError; }))
    result.plan = std::move(run.plan);
  return result;
}

} // namespace tilescope::profiler
