// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayFunctions.h"

#include "app/launch/ArrayAxes.h"
#include "app/launch/ArrayJoins.h"
#include "compiler/constant/Operators.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

namespace tilescope::app {

namespace constant = compiler::constant;
using constant::PythonError;
using constant::Value;
using constant::ValueOrError;

namespace {

struct UnaryFunction {
  std::string_view name;
  double (*apply)(double);
};

/// `np`, or a function of it.
class ArrayName : public constant::Extension {
public:
  explicit ArrayName(std::string name, bool isModule) : name(std::move(name)), isModule(isModule) {}
  std::string typeName() const override { return isModule ? "module" : "function"; }
  std::string repr() const override { return "<" + typeName() + " '" + name + "'>"; }
  std::string name;
  bool isModule;
};

} // namespace

static double signOf(double x) { return std::isnan(x) ? x : double((x > 0) - (x < 0)); }

static constexpr UnaryFunction kUnary[] = {
    {"abs", [](double x) { return std::fabs(x); }},
    {"ceil", [](double x) { return std::ceil(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"erf", [](double x) { return std::erf(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"exp2", [](double x) { return std::exp2(x); }},
    {"expm1", [](double x) { return std::expm1(x); }},
    {"floor", [](double x) { return std::floor(x); }},
    {"isnan", [](double x) { return std::isnan(x) ? 1.0 : 0.0; }},
    {"log", [](double x) { return std::log(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"log1p", [](double x) { return std::log1p(x); }},
    {"log2", [](double x) { return std::log2(x); }},
    {"reciprocal", [](double x) { return 1 / x; }},
    {"rint", [](double x) { return std::nearbyint(x); }},
    {"round", [](double x) { return std::nearbyint(x); }},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
    {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"sign", signOf},
    {"sin", [](double x) { return std::sin(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"square", [](double x) { return x * x; }},
    {"tan", [](double x) { return std::tan(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"trunc", [](double x) { return std::trunc(x); }},
};

static constexpr std::string_view kOthers[] = {"clip", "maximum", "minimum", "power", "where"};

/// Those that Triton has for one number, as `tl.exp` or `tl.math.exp`.
static constexpr std::string_view kTritons[] = {
    "abs",  "ceil",    "cos",     "erf",   "exp",     "exp2", "floor", "log",
    "log2", "maximum", "minimum", "rsqrt", "sigmoid", "sin",  "sqrt",  "where"};

struct NamedNumber {
  std::string_view name;
  double value;
};

/// `e` alone may be meant for anything.
static constexpr NamedNumber kNumbers[] = {{"inf", std::numeric_limits<double>::infinity()},
                                           {"nan", std::numeric_limits<double>::quiet_NaN()},
                                           {"pi", std::numbers::pi}};

static const UnaryFunction *findUnary(std::string_view name) {
  const auto *found = std::ranges::find(kUnary, name, &UnaryFunction::name);
  return found == std::end(kUnary) ? nullptr : found;
}

ArrayFunction arrayFunction(std::string_view name) {
  const UnaryFunction *found = findUnary(name);
  return found ? found->apply : nullptr;
}

std::string arrayFunctionNames() {
  std::set<std::string_view> names(std::begin(kOthers), std::end(kOthers));
  for (const UnaryFunction &each : kUnary)
    names.insert(each.name);
  std::string text;
  for (const std::string_view name : names)
    text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::optional<double> numberOf(const Value &value) {
  if (value.isFloat())
    return value.real();
  if (value.isBool())
    return value.boolean() ? 1 : 0;
  return value.isInt() ? value.integer().toDouble() : std::nullopt;
}

/// `maximum` or `minimum` of two numbers: NaN wins, as in NumPy.
static const Value &extremeOf(const Value &a, const Value &b, bool wantsLarger) {
  const double x = *numberOf(a), y = *numberOf(b);
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) ? a : b;
  return (wantsLarger ? x >= y : x <= y) ? a : b;
}

static ValueOrError callArray(const std::string &name, const Value::Items &args) {
  const UnaryFunction *unary = findUnary(name);
  const size_t count = unary ? 1 : name == "clip" || name == "where" ? 3 : 2;
  if (args.size() != count)
    return PythonError{"TypeError", name + "() takes " + std::to_string(count) +
                                        (count == 1 ? " argument, got " : " arguments, got ") +
                                        std::to_string(args.size())};
  for (const Value &arg : args)
    if (!numberOf(arg))
      return PythonError{"TypeError", name + "() takes numbers, not " + arg.typeName()};
  if (name == "where")
    return constant::truth(args[0]) ? args[1] : args[2];
  if (name == "clip")
    return extremeOf(extremeOf(args[0], args[1], true), args[2], false);
  if (name == "maximum" || name == "minimum")
    return extremeOf(args[0], args[1], name == "maximum");
  const double x = *numberOf(args[0]);
  return Value::real(unary ? unary->apply(x) : std::pow(x, *numberOf(args[1])));
}

static std::optional<Value> findName(std::string_view name) {
  if (name == "np" || name == "numpy" || name == "torch")
    return Value::extension(std::make_shared<const ArrayName>(std::string(name), true));
  if (findUnary(name) || std::ranges::find(kOthers, name) != std::end(kOthers))
    return Value::extension(std::make_shared<const ArrayName>(std::string(name), false));
  for (const NamedNumber &each : kNumbers)
    if (each.name == name)
      return Value::real(each.value);
  return std::nullopt;
}

static bool isFunction(const Value &value) {
  const auto *array = value.as<ArrayName>();
  return array == nullptr || !array->isModule;
}

std::string arrayFunctionOf(const Value &value) {
  const auto *array = value.as<ArrayName>();
  return array && !array->isModule ? array->name : std::string();
}

static ValueOrError memberOf(const std::string &module, std::string_view name) {
  if (name == "e")
    return Value::real(std::numbers::e);
  if (const std::optional<Value> found = findName(name); found && isFunction(*found))
    return *found;
  return PythonError{"AttributeError",
                     "`" + module + "." + std::string(name) +
                         "` is not a function that can be used here; use one of " +
                         arrayFunctionNames() + "; of whole tensors: matmul, " + joinNames() +
                         ", " + axesFunctionNames()};
}

/// Of `tl` and `tl.math`, beside what they have for a program's text.
static std::optional<ValueOrError> memberOfTriton(const Value &object, std::string_view name) {
  const bool isLanguage = constant::equal(object, *constant::hostModule("triton.language"));
  if (!isLanguage && !constant::equal(object, *constant::hostModule("math")))
    return std::nullopt;
  if (std::ranges::find(kTritons, name) != std::end(kTritons))
    return *findName(name);
  return isLanguage ? std::optional(memberOf("tl", name)) : std::nullopt;
}

void addArrayFunctions(constant::Environment &environment) {
  environment.lookup = [known = environment.lookup](std::string_view name) {
    std::optional<Value> value = known ? known(name) : std::nullopt;
    return value ? value : findName(name);
  };
  environment.attribute = [known = environment.attribute](const Value &object,
                                                          std::string_view name) -> ValueOrError {
    const auto *array = object.as<ArrayName>();
    if (array && array->isModule)
      return memberOf(array->name, name);
    ValueOrError value = known(object, name);
    const std::optional<ValueOrError> triton = value ? std::nullopt : memberOfTriton(object, name);
    return triton ? *triton : value;
  };
  environment.call = [known =
                          environment.call](const Value &callee, const Value::Items &args,
                                            const constant::Keywords &keywords) -> ValueOrError {
    const auto *array = callee.as<ArrayName>();
    if (!array || array->isModule)
      return known(callee, args, keywords);
    if (!keywords.empty())
      return PythonError{"TypeError", array->name + "() takes no keyword arguments here"};
    return callArray(array->name, args);
  };
}

} // namespace tilescope::app
