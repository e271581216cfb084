// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/stepping/ElementFunctions.h"

#include "compiler/interpreter/kernels/FloatFormats.h"
#include "compiler/interpreter/kernels/ToInteger.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace tilescope::compiler::stepping {

using namespace interpreter;

/// As kernels have them: the number wins where the other one is NaN.
static double larger(double a, double b) { return std::fmax(a, b); }
static double smaller(double a, double b) { return std::fmin(a, b); }
static double clamped(double x, double low, double high) {
  return std::fmin(std::fmax(x, low), high);
}
static double power(double a, double b) { return std::pow(a, b); }

static constexpr ElementFunction kFunctions[] = {
    {.name = "isnan", .ofOne = [](double x) { return truth(std::isnan(x)); }},
    {.name = "isinf", .ofOne = [](double x) { return truth(std::isinf(x)); }},
    {.name = "isfinite", .ofOne = [](double x) { return truth(std::isfinite(x)); }},
    {.name = "abs", .ofOne = [](double x) { return std::fabs(x); }},
    {.name = "sqrt", .ofOne = [](double x) { return std::sqrt(x); }, .isReal = true},
    {.name = "sqrt_rn", .ofOne = [](double x) { return std::sqrt(x); }, .isReal = true},
    {.name = "rsqrt", .ofOne = [](double x) { return 1 / std::sqrt(x); }, .isReal = true},
    {.name = "exp", .ofOne = [](double x) { return std::exp(x); }, .isReal = true},
    {.name = "exp2", .ofOne = [](double x) { return std::exp2(x); }, .isReal = true},
    {.name = "log", .ofOne = [](double x) { return std::log(x); }, .isReal = true},
    {.name = "log2", .ofOne = [](double x) { return std::log2(x); }, .isReal = true},
    {.name = "sin", .ofOne = [](double x) { return std::sin(x); }, .isReal = true},
    {.name = "cos", .ofOne = [](double x) { return std::cos(x); }, .isReal = true},
    {.name = "tanh", .ofOne = [](double x) { return std::tanh(x); }, .isReal = true},
    {.name = "erf", .ofOne = [](double x) { return std::erf(x); }, .isReal = true},
    {.name = "sigmoid", .ofOne = [](double x) { return 1 / (1 + std::exp(-x)); }, .isReal = true},
    {.name = "floor", .ofOne = [](double x) { return std::floor(x); }},
    {.name = "ceil", .ofOne = [](double x) { return std::ceil(x); }},
    {.name = "maximum", .ofTwo = larger},
    {.name = "minimum", .ofTwo = smaller},
    {.name = "cdiv", .ofTwo = [](double a, double b) { return std::ceil(a / b); }},
    {.name = "fdiv", .ofTwo = [](double a, double b) { return a / b; }, .isReal = true},
    {.name = "div_rn", .ofTwo = [](double a, double b) { return a / b; }, .isReal = true},
    {.name = "pow", .ofTwo = power},
    {.name = "power", .ofTwo = power},
    {.name = "where", .ofThree = [](double on, double a, double b) { return on != 0 ? a : b; }},
    {.name = "clamp", .ofThree = clamped},
    {.name = "clip", .ofThree = clamped},
    {.name = "fma", .ofThree = [](double a, double b, double c) { return std::fma(a, b, c); }},
};

const ElementFunction *findElementFunction(std::string_view name) {
  const auto *found = std::ranges::find(kFunctions, name, &ElementFunction::name);
  return found == std::end(kFunctions) ? nullptr : found;
}

std::vector<std::string_view> elementFunctionNames() {
  std::vector<std::string_view> names;
  for (const ElementFunction &each : kFunctions)
    names.push_back(each.name);
  return names;
}

/// Of an integer the low bits; of a real number what the device converts it to.
template <typename I> static double toInteger(double number, bool isReal) {
  if (std::isnan(number))
    return static_cast<double>(ToInteger<I, I>::apply(static_cast<float>(number)));
  if (isReal)
    return static_cast<double>(ToInteger<I, I>::apply(number));
  const double truncated = std::trunc(number);
  constexpr double kEnd = 0x1p63;
  if (!(std::fabs(truncated) < kEnd))
    return static_cast<double>(
        static_cast<I>(truncated > 0 ? static_cast<uint64_t>(truncated) : 0));
  return static_cast<double>(static_cast<I>(static_cast<int64_t>(truncated)));
}

std::optional<double> castNumber(double number, bool isReal, ScalarKind type) {
  using enum ScalarKind;
  switch (type) {
  case Int1:
    return truth(number != 0);
  case Int8:
    return toInteger<int8_t>(number, isReal);
  case Int16:
    return toInteger<int16_t>(number, isReal);
  case Int32:
    return toInteger<int32_t>(number, isReal);
  case Int64:
    return toInteger<int64_t>(number, isReal);
  case Uint8:
    return toInteger<uint8_t>(number, isReal);
  case Uint16:
    return toInteger<uint16_t>(number, isReal);
  case Uint32:
    return toInteger<uint32_t>(number, isReal);
  case Uint64:
    return toInteger<uint64_t>(number, isReal);
  case Fp8e5:
    return roundTo<kF8E5M2>(roundToOdd(number));
  case Fp8e4nv:
    return roundTo<kF8E4M3>(roundToOdd(number));
  case Fp8e5b16:
    return roundTo<kF8E5M2FNUZ>(roundToOdd(number));
  case Fp8e4b8:
    return roundTo<kF8E4M3FNUZ>(roundToOdd(number));
  case Fp16:
    return roundTo<kF16>(roundToOdd(number));
  case Bf16:
    return roundTo<kBF16>(roundToOdd(number));
  case Fp32:
    return static_cast<float>(number);
  case Fp64:
    return number;
  default:
    return std::nullopt;
  }
}

} // namespace tilescope::compiler::stepping
