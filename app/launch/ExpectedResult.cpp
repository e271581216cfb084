// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ExpectedResult.h"

#include "app/launch/ArrayFunctions.h"
#include "compiler/constant/Evaluate.h"
#include "compiler/syntax/Parser.h"
#include "profiler/data/Npy.h"

#include <filesystem>
#include <map>
#include <set>

namespace tilescope::app {

namespace constant = compiler::constant;
using profiler::PlanArgument;
using profiler::PlanTensor;
using profiler::Tensor;

/// Some seconds of evaluation.
static constexpr int64_t kMostElements = 4 << 20;
/// Elements between two looks at the stop.
static constexpr int64_t kStopInterval = 4096;

static Error wrong(const PlanArgument &argument, const std::string &what,
                   const std::string &hint = {}) {
  return {ErrorCode::InvalidInput, "`" + argument.name + "` could not be checked: " + what, hint};
}

static std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text;
  for (const int64_t extent : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "[" + text + "]";
}

static Result<Tensor> readExpected(const PlanArgument &argument, const ExpectedSources &sources) {
  const PlanTensor &tensor = *argument.tensor();
  const std::filesystem::path path =
      std::filesystem::path(sources.sourcePath).parent_path() / tensor.expected;
  Result<Tensor> read = profiler::readNpy(path.string());
  if (!read)
    return wrong(argument, read.error().message);
  if (read->shape != tensor.shape)
    return wrong(argument, "`" + tensor.expected + "` has the shape " + shapeText(read->shape) +
                               ", the argument " + shapeText(tensor.shape));
  if (read->dtype == tensor.dtype)
    return read;
  Tensor converted{tensor.dtype, tensor.shape, {}};
  converted.data.resize(static_cast<size_t>(*profiler::tensorBytes(tensor.dtype, tensor.shape)));
  for (int64_t i = 0; i < read->numElements(); ++i)
    converted.set(i, read->at(i));
  return converted;
}

namespace {

/// One input, and where its element for an element of the output is.
struct Input {
  Tensor tensor;
  /// Elements from one index of the output's axis to the next; 0 where the input is broadcast.
  std::vector<int64_t> strides;

  constant::Value at(const std::vector<int64_t> &coordinates) const {
    int64_t element = 0;
    for (size_t axis = 0; axis < coordinates.size(); ++axis)
      element += coordinates[axis] * strides[axis];
    const double value = tensor.at(element);
    return profiler::isFloat(tensor.dtype) ? constant::Value::real(value)
                                           : constant::Value::integer(int64_t(value));
  }
};

/// The names of one expression.
struct Names {
  std::map<std::string, Input, std::less<>> inputs;
  std::map<std::string, constant::Value, std::less<>> values;
  std::vector<int64_t> coordinates;
};

} // namespace

/// Nothing: the shapes do not fit each other.
static std::optional<std::vector<int64_t>> broadcastStrides(const std::vector<int64_t> &from,
                                                            const std::vector<int64_t> &to) {
  if (from.size() > to.size())
    return std::nullopt;
  std::vector<int64_t> strides(to.size(), 0);
  int64_t stride = 1;
  for (size_t back = 1; back <= from.size(); ++back) {
    const int64_t extent = from[from.size() - back];
    if (extent != 1 && extent != to[to.size() - back])
      return std::nullopt;
    strides[to.size() - back] = extent == 1 ? 0 : stride;
    stride *= extent;
  }
  return strides;
}

static Result<Tensor> inputTensor(const PlanArgument &argument, const ExpectedSources &sources) {
  const PlanTensor &tensor = *argument.tensor();
  const std::filesystem::path recorded =
      std::filesystem::path(sources.inputFolder) / (argument.name + ".npy");
  if (!sources.inputFolder.empty() && std::filesystem::exists(recorded))
    return profiler::readNpy(recorded.string());
  return profiler::makeTensor(tensor.dtype, tensor.shape, tensor.init);
}

static void addLiterals(const std::map<std::string, std::string> &literals, Names &names) {
  for (const auto &[name, text] : literals)
    if (const constant::ValueOrError value = constant::evaluateText(text, {}))
      names.values.insert_or_assign(name, *value);
}

/// Inputs that the expression does not name are not made: they may be large.
static Status addArguments(const PlanArgument &output, const ExpectedSources &sources,
                           Names &names) {
  const std::string &text = output.tensor()->expected;
  for (const PlanArgument &argument : sources.plan.args) {
    if (text.find(argument.name) == std::string::npos)
      continue;
    if (const profiler::PlanScalar *scalar = argument.scalar()) {
      names.values.insert_or_assign(argument.name,
                                    std::visit(
                                        [](auto number) {
                                          using Number = decltype(number);
                                          if constexpr (std::is_same_v<Number, bool>)
                                            return constant::Value::boolean(number);
                                          else if constexpr (std::is_same_v<Number, double>)
                                            return constant::Value::real(number);
                                          else
                                            return constant::Value::integer(int64_t(number));
                                        },
                                        scalar->value));
      continue;
    }
    Result<Tensor> tensor = inputTensor(argument, sources);
    if (!tensor)
      return tensor.error();
    auto strides = broadcastStrides(tensor->shape, output.tensor()->shape);
    if (!strides)
      return wrong(output,
                   "`" + argument.name + "` has the shape " + shapeText(tensor->shape) +
                       ", which does not fit " + shapeText(output.tensor()->shape),
                   "give a `.npy` file instead");
    names.inputs.insert_or_assign(argument.name, Input{std::move(*tensor), std::move(*strides)});
  }
  return {};
}

/// `names` must outlive it.
static constant::Environment makeEnvironment(const Names &names) {
  constant::Environment environment = constant::hostEnvironment({});
  environment.lookup =
      [&names, host = environment.lookup](std::string_view name) -> std::optional<constant::Value> {
    if (const auto input = names.inputs.find(name); input != names.inputs.end())
      return input->second.at(names.coordinates);
    const auto value = names.values.find(name);
    return value == names.values.end() ? host(name) : value->second;
  };
  addArrayFunctions(environment);
  return environment;
}

/// What an expression can name: `x_ptr`, `y_ptr`, `n`.
static std::string knownNames(const profiler::LaunchPlan &plan) {
  std::string text;
  std::set<std::string_view> listed;
  const auto add = [&](const std::string &name) {
    if (listed.insert(name).second)
      text += (text.empty() ? "`" : ", `") + name + "`";
  };
  for (const PlanArgument &argument : plan.args)
    add(argument.name);
  for (const auto *values : {&plan.sizes, &plan.constexprs})
    for (const auto &[name, value] : *values)
      add(name);
  return text;
}

/// Python's complaint in the words of a launch block.
static Error evaluationError(const PlanArgument &argument, const profiler::LaunchPlan &plan,
                             const constant::PythonError &error) {
  const std::string &text = argument.tensor()->expected;
  if (error.type == "NameError") {
    const std::string &name = error.cause.subject;
    if (text.find(name + "(") != std::string::npos)
      return wrong(argument, "`" + name + "` is not a function known here; known are " +
                                 arrayFunctionNames());
    return wrong(argument, "`" + name + "` is not defined; known here: " + knownNames(plan));
  }
  return wrong(argument, error.type == "AttributeError" ? error.message : error.text());
}

static Result<Tensor> evaluateExpected(const PlanArgument &argument, const ExpectedSources &sources,
                                       const std::stop_token &stop) {
  const PlanTensor &tensor = *argument.tensor();
  const int64_t count = profiler::numElements(tensor.shape);
  if (count > kMostElements)
    return wrong(argument,
                 "an expression is evaluated for at most " + std::to_string(kMostElements) +
                     " elements, here are " + std::to_string(count),
                 "give a `.npy` file instead");
  const compiler::ast::ParsedExpression parsed = compiler::ast::parseExpression(tensor.expected);
  if (!parsed.expr)
    return wrong(argument, "`" + tensor.expected + "` is not an expression");
  Names names;
  addLiterals(sources.plan.sizes, names);
  addLiterals(sources.plan.constexprs, names);
  if (Status status = addArguments(argument, sources, names); !status)
    return status.error();
  const constant::Environment environment = makeEnvironment(names);
  Tensor expected{tensor.dtype, tensor.shape, {}};
  expected.data.resize(static_cast<size_t>(*profiler::tensorBytes(tensor.dtype, tensor.shape)));
  for (int64_t element = 0; element < count; ++element) {
    if (element % kStopInterval == 0 && stop.stop_requested())
      return Error{ErrorCode::Cancelled, "stopped", ""};
    names.coordinates = profiler::elementCoordinates(element, tensor.shape);
    const constant::Evaluation value = constant::evaluate(*parsed.expr, environment);
    if (!value)
      return evaluationError(argument, sources.plan, value.error.error);
    const std::optional<double> number = numberOf(*value.value);
    if (!number)
      return wrong(argument, "`" + tensor.expected + "` is not a number");
    expected.set(element, *number);
  }
  return expected;
}

std::optional<Error> expectationFault(const PlanArgument &argument,
                                      const profiler::LaunchPlan &plan) {
  const std::string &text = argument.tensor()->expected;
  if (text.empty() || text.ends_with(".npy"))
    return std::nullopt;
  const compiler::ast::ParsedExpression parsed = compiler::ast::parseExpression(text);
  if (!parsed.expr)
    return wrong(argument, "`" + text + "` is not an expression");
  Names names;
  addLiterals(plan.sizes, names);
  addLiterals(plan.constexprs, names);
  for (const PlanArgument &each : plan.args)
    names.values.insert_or_assign(each.name, constant::Value::integer(1));
  const constant::Evaluation value = constant::evaluate(*parsed.expr, makeEnvironment(names));
  const std::string &type = value.error.error.type;
  // Other errors may come from the numbers in place of the tensors.
  if (value || (type != "NameError" && type != "AttributeError"))
    return std::nullopt;
  return evaluationError(argument, plan, value.error.error);
}

Result<Tensor> expectedTensor(const PlanArgument &argument, const ExpectedSources &sources,
                              const std::stop_token &stop) {
  return argument.tensor()->expected.ends_with(".npy") ? readExpected(argument, sources)
                                                       : evaluateExpected(argument, sources, stop);
}

} // namespace tilescope::app
