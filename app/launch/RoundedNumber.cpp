// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/RoundedNumber.h"

#include "profiler/data/Element.h"
#include "profiler/data/Tolerances.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tilescope::app {

using profiler::Dtype;

static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

RoundingRules::RoundingRules(Dtype result, int64_t numElements)
    : m_dtype(result), m_numElements(numElements), m_share(profiler::termShare(result)),
      m_growth(std::min(profiler::dtypeEpsilon(result), profiler::dtypeEpsilon(Dtype::Fp32)) /
               m_share) {}

/// Whether the result's type holds the number as it is.
static bool isHeld(Dtype dtype, double value) {
  std::array<std::byte, 8> bits{};
  profiler::writeElement(dtype, value, bits.data());
  return profiler::readElement(dtype, bits.data()) == value;
}

/// A number of the result's type is off by a share of itself, and of numbers near zero by a share of
/// the smallest that has all bits of the mantissa.
RoundedNumber RoundingRules::rounded(double value, double square) const {
  const double size = std::max(std::fabs(value), profiler::smallestNormal(m_dtype));
  return {value, square + size * size, false};
}

RoundedNumber RoundingRules::roundedOnce(double value, double square, bool isOfIntegers) const {
  const bool isNarrow = profiler::dtypeEpsilon(m_dtype) > profiler::dtypeEpsilon(Dtype::Fp32);
  const Dtype held = isOfIntegers && isNarrow ? Dtype::Fp32 : m_dtype;
  return square == 0 && isHeld(held, value) ? RoundedNumber{value, 0, false, isOfIntegers}
                                            : rounded(value, square);
}

static bool areOfIntegers(const RoundedNumber &a, const RoundedNumber &b) {
  return (a.isInteger || a.isOfIntegers) && (b.isInteger || b.isOfIntegers);
}

RoundedNumber RoundingRules::input(double value, Dtype dtype) const {
  if (!profiler::isFloat(dtype))
    return {value, 0, true};
  const bool isExact = profiler::dtypeEpsilon(dtype) >= profiler::dtypeEpsilon(m_dtype);
  return isExact ? RoundedNumber{value, 0, false} : roundedOnce(value, 0);
}

RoundedNumber RoundingRules::constant(double value) const {
  return isHeld(m_dtype, value) ? RoundedNumber{value, 0, false, true} : rounded(value, 0);
}

RoundedNumber RoundingRules::sum(const RoundedNumber &a, const RoundedNumber &b) const {
  if (a.isInteger && b.isInteger)
    return {a.value + b.value, 0, true};
  return roundedOnce(a.value + b.value, a.square + b.square, areOfIntegers(a, b));
}

RoundedNumber RoundingRules::difference(const RoundedNumber &a, const RoundedNumber &b) const {
  return sum(a, {-b.value, b.square, b.isInteger, b.isOfIntegers});
}

RoundedNumber RoundingRules::product(const RoundedNumber &a, const RoundedNumber &b) const {
  if (a.isInteger && b.isInteger)
    return {a.value * b.value, 0, true};
  return roundedOnce(a.value * b.value, a.value * a.value * b.square + b.value * b.value * a.square,
                     areOfIntegers(a, b));
}

RoundedNumber RoundingRules::quotient(const RoundedNumber &a, const RoundedNumber &b) const {
  int exponent = 0;
  // GPUs multiply by the reciprocal, which is rounded, too.
  const bool isPowerOf2 = b.square == 0 && std::fabs(std::frexp(b.value, &exponent)) == 0.5;
  if (isPowerOf2)
    return roundedOnce(a.value / b.value, a.square / (b.value * b.value), areOfIntegers(a, b));
  return applied(std::divides<double>(), a, b);
}

/// How far a function goes where one of its operands is off by `error` in either direction.
static double effectOf(const std::function<double(double)> &function, double at, double error) {
  const double here = function(at);
  double effect = error == 0 ? 0 : -1;
  for (const double offset : {-error, error})
    // Out of the domain there is no number.
    if (const double there = function(at + offset); !std::isnan(there))
      effect = std::max(effect, std::fabs(there - here));
  return effect < 0 ? kUnknown : effect;
}

RoundedNumber RoundingRules::stepped(const std::function<double(double)> &function,
                                     const RoundedNumber &a) const {
  const double effect = effectOf(function, a.value, m_share * std::sqrt(a.square)) / m_share;
  // Small integers, whatever they come from.
  return {function(a.value), effect * effect, false, effect == 0};
}

RoundedNumber RoundingRules::comparison(bool isTrue, const RoundedNumber &a,
                                        const RoundedNumber &b) const {
  const double error = m_share * std::sqrt(a.square + b.square);
  const bool isCertain = !(error > 0 && std::fabs(a.value - b.value) <= error);
  return {isTrue ? 1.0 : 0.0, isCertain ? 0 : 1 / (m_share * m_share), isCertain};
}

RoundedNumber RoundingRules::chosen(const RoundedNumber &condition, const RoundedNumber &taken,
                                    const RoundedNumber &other) const {
  if (condition.isExact())
    return taken;
  const double jump = (taken.value - other.value) / m_share;
  return {taken.value, taken.square + jump * jump, false};
}

double RoundingRules::squareOfFactor(double value, double square, Dtype other) const {
  if (square == 0 && isHeld(other, value))
    return 0;
  // Roundings deviate by a fifth of an epsilon, and the most extreme of n by sqrt(2 ln n) deviations;
  // that it is one more is as good as impossible.
  const double numElements = std::max(2.0, static_cast<double>(m_numElements));
  const double extreme = 0.204 * (std::sqrt(2 * std::log(numElements)) + 1);
  // What the comparison makes of the result's share of sizes is in that share already.
  const double size = value * extreme * profiler::dtypeEpsilon(other) /
                      (m_share * profiler::extremeOf(m_dtype, m_numElements));
  return std::max(square, size * size);
}

RoundedNumber RoundingRules::approximated(const std::function<double(double)> &function,
                                          const RoundedNumber &a) const {
  return applied(function, {a.value, a.square + a.value * a.value, a.isInteger});
}

RoundedNumber RoundingRules::applied(const std::function<double(double)> &function,
                                     const RoundedNumber &a) const {
  const double effect = effectOf(function, a.value, m_share * std::sqrt(a.square)) / m_share;
  return rounded(function(a.value), effect * effect);
}

RoundedNumber RoundingRules::applied(const std::function<double(double, double)> &function,
                                     const RoundedNumber &a, const RoundedNumber &b) const {
  const RoundedNumber left = applied([&](double x) { return function(x, b.value); }, a);
  const double right = effectOf([&](double y) { return function(a.value, y); }, b.value,
                                m_share * std::sqrt(b.square)) /
                       m_share;
  return {left.value, left.square + right * right, false};
}

double RoundingRules::squareOfSum(double sum, double squares, double count) const {
  // Partial sums are a way from 0 to the sum, with a random walk beside it.
  const double roundings = m_growth * m_growth * count / 2;
  return squares + roundings * (squares + sum * sum);
}

} // namespace tilescope::app
