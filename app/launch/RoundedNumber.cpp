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

using compiler::Precision;
using profiler::Dtype;

static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// The typical deviation over the most that it is: that of numbers spread evenly.
static const double kTypical = 1 / std::sqrt(3.0);
/// Of a rounding over the epsilon of its type times the number, which may be anywhere between two powers
/// of two.
static constexpr double kTypicalRounding = 0.204;
/// Of a number just above a power of two: the last sums of a tree, which weigh most, may all be there.
static constexpr double kCoarsestRounding = 0.289;

RoundedNumber RoundedNumber::within(double least, double most) const {
  RoundedNumber number = *this;
  // What is infinite, or no number, has no bounds.
  const bool hasBounds = std::isfinite(value);
  number.below = hasBounds && least < value ? value - least : 0;
  number.above = hasBounds && most > value ? most - value : 0;
  return number;
}

/// The largest of so many deviations: that it is one more is as good as impossible.
static double extremeAmong(int64_t numElements) {
  return std::sqrt(2 * std::log(std::max(2.0, static_cast<double>(numElements)))) + 1;
}

/// Half a unit in the last place, or a whole one where bits are cut off.
static double roundingOf(const Precision &precision, double value) {
  const double unit = precision.epsilon * std::max(std::fabs(value), precision.smallestNormal);
  return precision.truncates ? unit : unit / 2;
}

RoundingRules::RoundingRules(Dtype result, int64_t numElements,
                             const compiler::RoundingFacts &kernel, RoundingReach reach)
    : m_dtype(kernel.isIntegral ? Dtype::Fp64 : profiler::computedIn(result)), m_kernel(kernel),
      m_ofResult(profiler::termShare(m_dtype) / profiler::termShare(result)), m_reach(reach),
      m_share(profiler::termShare(m_dtype)), m_growth(profiler::dtypeEpsilon(m_dtype) / m_share),
      m_extreme(extremeAmong(numElements)) {
  const double narrow = kTypicalRounding * kernel.sums.epsilon * m_extreme / m_share;
  m_growth = std::hypot(m_growth, narrow);
}

double RoundingRules::error(double square) const { return m_share * std::sqrt(square); }

double RoundingRules::squareOfSpread(double bound) const {
  const double size = bound * kTypical * m_extreme / m_share;
  return size * size;
}

/// Whether the type holds the number as it is.
static bool isHeld(Dtype dtype, double value) {
  std::array<std::byte, 8> bits{};
  profiler::writeElement(dtype, value, bits.data());
  return profiler::readElement(dtype, bits.data()) == value;
}

static bool isHeld(const Precision &precision, double value) {
  int exponent = 0;
  const double steps = 2 * std::frexp(value, &exponent) / precision.epsilon;
  return value == 0 ||
         (std::fabs(value) >= precision.smallestNormal && steps == std::nearbyint(steps));
}

/// Whether what comes out as this number in double precision is as good as certainly that.
static bool isShort(double value) {
  return value == std::nearbyint(value) || isHeld(Dtype::Fp32, value);
}

/// A number of a type is off by a share of itself, and of numbers near zero by a share of the smallest
/// that has all bits of the mantissa.
RoundedNumber RoundingRules::rounded(double value, double square) const {
  // A quotient of integers that is an integer, or a half of one, is exactly that, and so is a root.
  if (m_kernel.isIntegral && square == 0 && isShort(value))
    return {value, 0, false, true};
  const double size = std::max(std::fabs(value), profiler::smallestNormal(m_dtype));
  return {value, square + size * size, false};
}

RoundedNumber RoundingRules::roundedOnce(double value, double square, bool isOfIntegers) const {
  const bool isExact = square == 0 && !m_kernel.isIntegral && isHeld(m_dtype, value);
  return isExact ? RoundedNumber{value, 0, false, isOfIntegers} : rounded(value, square);
}

RoundedNumber RoundingRules::narrowed(RoundedNumber number) const {
  const Precision &narrow = m_kernel.operations;
  if (narrow.epsilon == 0 || (number.isExact() && isHeld(narrow, number.value)))
    return number;
  const double error = roundingOf(narrow, number.value);
  return number.within(number.least() - error, number.most() + error);
}

static bool areOfIntegers(const RoundedNumber &a, const RoundedNumber &b) {
  return (a.isInteger || a.isOfIntegers) && (b.isInteger || b.isOfIntegers);
}

/// `number` with what a function makes of the bounds of its operands.
static RoundedNumber withBounds(const RoundedNumber &number,
                                const std::function<double(double, double)> &function,
                                const RoundedNumber &a, const RoundedNumber &b) {
  if (a.below == 0 && a.above == 0 && b.below == 0 && b.above == 0)
    return number;
  double least = number.value, most = number.value;
  for (const double x : {a.least(), a.most()})
    for (const double y : {b.least(), b.most()}) {
      // Out of the domain there is no number.
      const double there = function(x, y);
      least = there < least ? there : least;
      most = there > most ? there : most;
    }
  return number.within(least, most);
}

RoundedNumber RoundingRules::input(double value, Dtype dtype) const {
  if (!profiler::isFloat(dtype))
    return {value, 0, true};
  const bool isExact = profiler::dtypeEpsilon(dtype) >= profiler::dtypeEpsilon(m_dtype);
  return narrowed(isExact ? RoundedNumber{value, 0, false} : roundedOnce(value, 0));
}

RoundedNumber RoundingRules::constant(double value) const {
  const bool isExact = isHeld(m_dtype, value) && !m_kernel.isIntegral;
  return narrowed(isExact ? RoundedNumber{value, 0, false, true} : rounded(value, 0));
}

RoundedNumber RoundingRules::sum(const RoundedNumber &a, const RoundedNumber &b) const {
  const bool areIntegers = a.isInteger && b.isInteger;
  const double value = a.value + b.value;
  RoundedNumber whole = areIntegers ? RoundedNumber{value, 0, true}
                                    : roundedOnce(value, a.square + b.square, areOfIntegers(a, b));
  if (whole.square == 0)
    whole.terms = a.squareOfTerms() + b.squareOfTerms();
  const RoundedNumber bounded = withBounds(whole, std::plus<double>(), a, b);
  return areIntegers ? bounded : narrowed(bounded);
}

RoundedNumber RoundingRules::difference(const RoundedNumber &a, const RoundedNumber &b) const {
  return sum(a, {-b.value, b.square, b.isInteger, b.isOfIntegers, b.above, b.below, b.terms});
}

static bool isPowerOf2(double value) {
  int exponent = 0;
  return std::fabs(std::frexp(value, &exponent)) == 0.5;
}

/// Whether small integers times this are as they come out.
static bool isExactFactor(const RoundedNumber &factor) {
  return factor.isExact() &&
         (factor.value == std::nearbyint(factor.value) || isPowerOf2(factor.value));
}

RoundedNumber RoundingRules::product(const RoundedNumber &a, const RoundedNumber &b) const {
  const bool areIntegers = a.isInteger && b.isInteger;
  const double value = a.value * b.value;
  const RoundedNumber whole =
      areIntegers ? RoundedNumber{value, 0, true}
                  : roundedOnce(value, a.value * a.value * b.square + b.value * b.value * a.square,
                                areOfIntegers(a, b));
  const RoundedNumber bounded = withBounds(whole, std::multiplies<double>(), a, b);
  const bool haveTerms = a.terms > 0 || b.terms > 0;
  const double terms = haveTerms ? a.squareOfTerms() * b.squareOfTerms() : 0;
  const bool isExact = (a.terms == 0 || isExactFactor(b)) && (b.terms == 0 || isExactFactor(a));
  return scaled(areIntegers ? bounded : narrowed(bounded), terms, isExact);
}

RoundedNumber RoundingRules::scaled(RoundedNumber number, double terms, bool isExact) const {
  if (isExact) {
    number.terms = terms;
    return number;
  }
  number.square += terms;
  const double narrow = m_kernel.operations.epsilon / 2 * std::sqrt(terms);
  return narrow > 0 ? number.within(number.least() - narrow, number.most() + narrow) : number;
}

RoundedNumber RoundingRules::quotient(const RoundedNumber &a, const RoundedNumber &b) const {
  int exponent = 0;
  // GPUs multiply by the reciprocal, which is rounded, too.
  const bool isPowerOf2 = b.isExact() && std::fabs(std::frexp(b.value, &exponent)) == 0.5;
  const double terms = a.terms / (b.value * b.value);
  if (!isPowerOf2)
    return scaled(applied(std::divides<double>(), a, b), terms, a.terms == 0);
  const RoundedNumber whole =
      roundedOnce(a.value / b.value, a.square / (b.value * b.value), areOfIntegers(a, b));
  return scaled(narrowed(withBounds(whole, std::divides<double>(), a, b)), terms, true);
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
  const double off = error(a.square);
  // Small integers, whatever they come from.
  const RoundedNumber whole{function(a.value), std::isnan(off) ? kUnknown : 0, false, true};
  const double least = function(a.least() - off), most = function(a.most() + off);
  return whole.within(std::min(least, most), std::max(least, most));
}

RoundedNumber RoundingRules::comparison(bool isTrue, const RoundedNumber &a,
                                        const RoundedNumber &b) const {
  const double off = error(a.square + b.square);
  const double least = a.least() - b.most() - off, most = a.most() - b.least() + off;
  const bool isCertain = least == most || !(least <= 0 && most >= 0);
  const RoundedNumber truth{isTrue ? 1.0 : 0.0, 0, true};
  return isCertain ? truth : truth.within(0, 1);
}

RoundedNumber RoundingRules::chosen(const RoundedNumber &condition, const RoundedNumber &taken,
                                    const RoundedNumber &other) const {
  if (condition.isExact())
    return taken;
  RoundedNumber either = taken;
  either.square = std::max(taken.square, other.square);
  return either.within(std::min(taken.least(), other.least()),
                       std::max(taken.most(), other.most()));
}

RoundedNumber RoundingRules::approximated(const std::function<double(double)> &function,
                                          const RoundedNumber &a) const {
  RoundedNumber scaled = a;
  scaled.square += a.value * a.value;
  return applied(function, scaled);
}

RoundedNumber RoundingRules::applied(const std::function<double(double)> &function,
                                     const RoundedNumber &a) const {
  return applied([&](double x, double) { return function(x); }, a, {});
}

RoundedNumber RoundingRules::applied(const std::function<double(double, double)> &function,
                                     const RoundedNumber &a, const RoundedNumber &b) const {
  const double left =
      effectOf([&](double x) { return function(x, b.value); }, a.value, error(a.square)) / m_share;
  const double right =
      effectOf([&](double y) { return function(a.value, y); }, b.value, error(b.square)) / m_share;
  const RoundedNumber whole = rounded(function(a.value, b.value), left * left + right * right);
  return narrowed(withBounds(whole, function, a, b));
}

double RoundingRules::squareOfTerm(const RoundedNumber &term) const {
  return term.square + squareOfSpread(std::max(term.below, term.above));
}

double RoundingRules::squareOfSum(const SumTerms &terms) const {
  // Partial sums are a way from 0 to the sum, with a random walk beside it: on average a third of its
  // square, and half of the square of what the walk comes to.
  const double roundings = m_growth * m_growth * terms.count;
  return terms.squares + terms.errors +
         roundings * (terms.squares / 2 + terms.sum * terms.sum / 3) + squareOfSteps(terms);
}

double RoundingRules::squareOfSteps(const SumTerms &terms) const {
  const compiler::SumSteps &steps = m_kernel.steps;
  const double unit = steps.precision.epsilon / m_share;
  if (unit == 0)
    return 0;
  const double typical = kCoarsestRounding * unit * m_extreme;
  const double likely =
      typical * typical * (steps.depth * terms.squares + steps.squares * terms.sum * terms.sum);
  if (m_reach == RoundingReach::Likely)
    return likely;
  const double bound = steps.depth * unit / 2 * terms.magnitude;
  return std::max(likely, bound * bound);
}

double RoundingRules::squareOfFactor(const RoundedNumber &factor) const {
  const Precision &narrow = m_kernel.factors;
  const double square = squareOfTerm(factor);
  // Who multiplies in tf32 rounds what was loaded, too.
  const Precision &plain = narrow.truncates ? narrow : m_kernel.plainFactors;
  const bool isPlain =
      m_kernel.plainFactors.epsilon > 0 && factor.isExact() && isHeld(plain, factor.value);
  if (narrow.epsilon == 0 || isPlain)
    return square;
  // Of few different factors, as weights of 4 bits are, the roundings may be alike.
  return square + squareOfSpread(roundingOf(narrow, factor.value));
}

double RoundingRules::squareOfTerms(double squares) const {
  return squareOfSpread(m_kernel.operations.epsilon / 2) * squares;
}

double RoundingRules::boundOfUnknown(double value) const {
  constexpr double kRoundings = 4;
  return kRoundings * std::fabs(value) *
         std::max({m_kernel.operations.epsilon, m_kernel.factors.epsilon, m_kernel.sums.epsilon,
                   m_kernel.steps.precision.epsilon});
}

double RoundingRules::boundOfStored(double value) const {
  const Precision &stored = m_kernel.stored;
  // Half of the distance between neighbors, which smaller numbers than the smallest normal one keep.
  return std::isfinite(value)
             ? stored.epsilon / 2 * std::max(std::fabs(value), stored.smallestNormal)
             : 0;
}

double RoundingRules::sizeOf(const RoundedNumber &number) const {
  return std::sqrt(number.square) * m_ofResult;
}

double RoundingRules::coarsest() const {
  return std::max(m_kernel.operations.epsilon, m_kernel.factors.epsilon);
}

double RoundingRules::squareOfExactSum(double sum, double squares, double count) const {
  return squareOfSum({sum, squares, squares, count, std::sqrt(count * squares)});
}

double RoundingRules::biasOfProduct(double product) const {
  return m_kernel.factors.truncates ? m_kernel.factors.epsilon * std::fabs(product) : 0;
}

} // namespace tilescope::app
