// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The part of Python's `math` that kernels and launch expressions use.
#include "compiler/constant/Builtins.h"
#include "compiler/constant/Internal.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace tilescope::compiler::constant {

std::optional<Value> mathConstant(std::string_view name) {
  if (name == "pi")
    return Value::real(std::numbers::pi);
  if (name == "e")
    return Value::real(std::numbers::e);
  if (name == "tau")
    return Value::real(2 * std::numbers::pi);
  if (name == "inf")
    return Value::real(std::numeric_limits<double>::infinity());
  if (name == "nan")
    return Value::real(std::numeric_limits<double>::quiet_NaN());
  return std::nullopt;
}

namespace {
struct UnaryFunction {
  std::string_view name;
  double (*apply)(double);
};
} // namespace

static constexpr UnaryFunction kUnary[] = {
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"exp2", [](double x) { return std::exp2(x); }},
    {"log2", [](double x) { return std::log2(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"log1p", [](double x) { return std::log1p(x); }},
    {"expm1", [](double x) { return std::expm1(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"erf", [](double x) { return std::erf(x); }},
    {"fabs", [](double x) { return std::fabs(x); }},
};

static constexpr std::string_view kOthers[] = {"ceil", "floor", "trunc", "log",  "pow",
                                               "gcd",  "lcm",   "isnan", "isinf"};

bool isMathFunction(std::string_view name) {
  for (const UnaryFunction &function : kUnary)
    if (function.name == name)
      return true;
  for (std::string_view other : kOthers)
    if (other == name)
      return true;
  return false;
}

static ValueOrError roundTo(std::string_view name, const Value &arg) {
  if (!arg.isFloat())
    return Value::integer(arg.integer());
  double value = arg.real();
  if (std::isnan(value))
    return valueError("cannot convert float NaN to integer");
  if (std::isinf(value))
    return overflow("cannot convert float infinity to integer");
  double rounded = name == "ceil"    ? std::ceil(value)
                   : name == "floor" ? std::floor(value)
                                     : std::trunc(value);
  return Value::integer(*Int::fromDouble(rounded));
}

/// Euclid's algorithm takes the square of it.
static constexpr int64_t kMaxDivisorBits = 10'000;

static ValueOrError greatestCommonDivisor(std::string_view name, const Value::Items &args) {
  bool isLcm = name == "lcm";
  Int result(isLcm ? 1 : 0);
  for (const Value &arg : args) {
    if (!isIntegral(arg))
      return typeError(quotedType(arg) + " object cannot be interpreted as an integer");
    Int a = result, b = arg.integer();
    if (a.bitLength() + b.bitLength() > kMaxDivisorBits)
      return tooLarge();
    if (b.isNegative())
      b = -b;
    Int product = a * b;
    while (!b.isZero()) {
      Int rest = Int::mod(a, b);
      a = b;
      b = rest;
    }
    result = !isLcm ? a : a.isZero() ? Int(0) : Int::floorDiv(product, a);
  }
  return Value::integer(result);
}

ValueOrError callMath(std::string_view name, const Value::Items &args) {
  if (!isMathFunction(name))
    return PythonError{"AttributeError",
                       "module 'math' has no attribute '" + std::string(name) + "'"};
  if (name == "gcd" || name == "lcm")
    return greatestCommonDivisor(name, args);
  size_t maxArgs = name == "pow" || name == "log" ? 2 : 1;
  if (args.empty() || args.size() > maxArgs || (name == "pow" && args.size() != 2))
    return typeError("math." + std::string(name) + "() takes " + std::to_string(maxArgs) +
                     " argument(s) (" + std::to_string(args.size()) + " given)");
  std::vector<double> numbers;
  for (const Value &arg : args) {
    if (!arg.isNumber())
      return typeError("must be real number, not " + arg.typeName());
    OrError<double> number = toDouble(arg);
    if (!number)
      return number.error();
    numbers.push_back(*number);
  }
  double x = numbers[0];
  if (name == "ceil" || name == "floor" || name == "trunc")
    return roundTo(name, args[0]);
  if (name == "isnan")
    return Value::boolean(std::isnan(x));
  if (name == "isinf")
    return Value::boolean(std::isinf(x));
  double result = 0;
  if (name == "log") {
    if (x <= 0 || (numbers.size() > 1 && numbers[1] <= 0))
      return valueError("math domain error");
    result = numbers.size() > 1 ? std::log(x) / std::log(numbers[1]) : std::log(x);
  } else if (name == "pow") {
    result = std::pow(x, numbers[1]);
  } else {
    if ((name == "log2" || name == "log10") && x <= 0)
      return valueError("math domain error");
    for (const UnaryFunction &function : kUnary)
      if (function.name == name)
        result = function.apply(x);
  }
  bool finiteInput = std::isfinite(x) && (numbers.size() < 2 || std::isfinite(numbers[1]));
  if (finiteInput && std::isnan(result))
    return valueError("math domain error");
  if (finiteInput && std::isinf(result))
    return overflow("math range error");
  return Value::real(result);
}

} // namespace tilescope::compiler::constant
