// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// How far a result may be from what is expected, since it was rounded on the way.
//
// Beside each number its *size* is worked out: the root of the sum of the squares of all terms that
// were rounded on the way to it, each as large as its effect on the number. This is running error
// analysis to first order (Higham, Accuracy and Stability of Numerical Algorithms, chapter 3), with
// squares that are added instead of bounds, since roundings do not all go one way:
//
//     x = 3, y = 4, exact       x * y = 12      size 12: the product is rounded
//                               x * y - 12 = 0  size 12: what is left is the product's rounding
//     sum of x_i, exact                         size sqrt(sum of x_i²), whatever the sum is
//     x = 3, y = 2, exact       (x - y) * 0.1   size 0.1 * sqrt(1² + 3² + 2²): x * 0.1 - y * 0.1 is
//                                               as right, and its terms are rounded
//     exp(a), a of size 5                       size exp(a) * sqrt(1 + a² + 5²)
//     3 / 16, 2 + 5, floor(3 / 16)              size 0: the type holds what comes out
//
// A result passes within a share of this size (profiler::termShare) of fp32, in which kernels compute
// whatever they store, or of fp64. So each element is judged by its own terms: where a column is ten
// thousand times larger than the others, the others still have to be right, and where terms cancel
// out, the rest may be as wrong as they were rounded.
//
// What is rounded more coarsely, or jumps, goes by its *bounds*, how far below and above the number it
// may lie:
//
//     floor(a), a within an error of 5          0 below, 1 above: the error may lie on the other side
//     x * y, where the kernel multiplies bf16   half a unit in the last place of bf16 on both sides
//
// Bounds pass through operations as intervals do. In sums and products of matrices, where they average
// out, they become a part of the size.
#pragma once

#include "compiler/artifacts/RoundingFacts.h"
#include "profiler/data/Dtype.h"

#include <cstdint>
#include <functional>
#include <span>

namespace tilescope::app {

struct RoundedNumber {
  double value = 0;
  /// Of the size; NaN: it cannot be told.
  double square = 0;
  /// Integers and truths are exact, and so is what is computed of them alone.
  bool isInteger = false;
  /// Of floats: computed of integers and constants alone, which kernels do in fp32 or better.
  bool isOfIntegers = false;
  /// How far below and above the value it may lie beside that, not negative.
  double below = 0;
  double above = 0;
  /// Of an exact sum the squares of the sizes that its terms have once a factor is applied to each
  /// of them; 0: it has no terms.
  double terms = 0;

  bool isExact() const { return square == 0 && below == 0 && above == 0; }
  double squareOfTerms() const { return terms > 0 ? terms : value * value; }
  double least() const { return value - below; }
  double most() const { return value + above; }
  /// The same with other bounds, which include the value.
  RoundedNumber within(double least, double most) const;
};

/// How far the roundings of a kernel may go together.
enum class RoundingReach : uint8_t {
  /// Roundings of sums go either way, as in a random walk, and what is not known of a kernel is that it
  /// rounds once.
  Likely,
  /// All go one way, as where all terms are the same number, and what is not known is as bad as it may be.
  Most,
};

/// What a sum is of, in any order.
struct SumTerms {
  double sum = 0;
  /// Of the values of its terms, and of their sizes (`RoundingRules::squareOfTerm`).
  double squares = 0;
  double errors = 0;
  double count = 0;
  /// The sum of their magnitudes, or more.
  double magnitude = 0;
};

/// What the operations of an expression do to values, sizes and bounds. Inputs enter exactly; what is
/// computed of them is rounded as the kernel does it.
class RoundingRules {
public:
  /// `numElements`: of the result, of which the worst has to pass.
  RoundingRules(profiler::Dtype result, int64_t numElements,
                const compiler::RoundingFacts &kernel = {},
                RoundingReach reach = RoundingReach::Likely);

  RoundedNumber input(double value, profiler::Dtype dtype) const;
  /// A number that is written in the expression or passed as a scalar.
  RoundedNumber constant(double value) const;

  RoundedNumber sum(const RoundedNumber &a, const RoundedNumber &b) const;
  RoundedNumber difference(const RoundedNumber &a, const RoundedNumber &b) const;
  RoundedNumber product(const RoundedNumber &a, const RoundedNumber &b) const;
  RoundedNumber quotient(const RoundedNumber &a, const RoundedNumber &b) const;
  /// A function that is not rounded itself: `floor`. Where it jumps within the error of its operand,
  /// so does the result, and in that direction.
  RoundedNumber stepped(const std::function<double(double)> &function,
                        const RoundedNumber &a) const;
  /// A truth about two operands: not certain where either may be the other.
  RoundedNumber comparison(bool isTrue, const RoundedNumber &a, const RoundedNumber &b) const;
  /// `taken`, where it depends on `condition` that it is not the other.
  RoundedNumber chosen(const RoundedNumber &condition, const RoundedNumber &taken,
                       const RoundedNumber &other) const;
  /// A function for which GPUs scale the operand first, which is rounded then: `exp`, `sin`.
  RoundedNumber approximated(const std::function<double(double)> &function,
                             const RoundedNumber &a) const;
  /// Any other function: what it makes of operands that are off by what passes says how it passes
  /// errors on.
  RoundedNumber applied(const std::function<double(double)> &function,
                        const RoundedNumber &a) const;
  RoundedNumber applied(const std::function<double(double, double)> &function,
                        const RoundedNumber &a, const RoundedNumber &b) const;

  /// The square of the size of a term of a sum, with what its bounds are worth among many.
  double squareOfTerm(const RoundedNumber &term) const;
  /// The square of the size of a sum. Long sums are rounded more often, deep ones as deep as they are.
  double squareOfSum(const SumTerms &terms) const;

  /// `squareOfTerm` of a factor of a matrix product, which the kernel may round.
  double squareOfFactor(const RoundedNumber &factor) const;
  /// Of the terms of a matrix product that the kernel multiplies element by element, with the sum of
  /// their squares: each may be rounded.
  double squareOfTerms(double squares) const;
  /// `RoundedNumber::terms` of a sum of exact terms: each is rounded, and so is their sum.
  double squareOfExactSum(double sum, double squares, double count) const;
  /// How far a number may be off of which the size cannot be told, for what the kernel rounds.
  double boundOfUnknown(double value) const;
  /// How far the last rounding of a result may move it, which the kernel does in a narrower type than it stores.
  double boundOfStored(double value) const;
  /// The size of a number, of which the share of the result's type passes.
  double sizeOf(const RoundedNumber &number) const;
  /// The distance from 1 to the next number of the coarsest type that terms are rounded to.
  double coarsest() const;
  /// How far a matrix product may be off because all of its factors were made smaller.
  double biasOfProduct(double product) const;

private:
  RoundedNumber rounded(double value, double square) const;
  /// Of one operation that GPUs round correctly: a result that the type holds is exact where the
  /// operands are.
  RoundedNumber roundedOnce(double value, double square, bool isOfIntegers = false) const;
  /// With the rounding of an operation that the kernel does in a narrow type.
  RoundedNumber narrowed(RoundedNumber number) const;
  /// What was multiplied by a factor, with the terms of sums, each of which may have been. `isExact`:
  /// none of them is rounded then.
  RoundedNumber scaled(RoundedNumber number, double terms, bool isExact) const;
  double error(double square) const;
  /// The square of a deviation that is bounded and goes either way, in any of many terms.
  double squareOfSpread(double bound) const;
  /// Of the additions of which it is known how many a term passes.
  double squareOfSteps(const SumTerms &terms) const;

  /// In which the kernel computes; the double of the expression where the kernel has integers alone.
  profiler::Dtype m_dtype;
  compiler::RoundingFacts m_kernel;
  /// The share of that type over the one of the result's.
  double m_ofResult;
  RoundingReach m_reach;
  /// The share of an element's size that passes.
  double m_share;
  /// Of the accumulation of a sum, over that share.
  double m_growth;
  /// The most extreme of the elements over the typical one.
  double m_extreme;
};

} // namespace tilescope::app
