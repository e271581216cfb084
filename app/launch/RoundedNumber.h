// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// How far a result may be from what is expected, since both were rounded on the way.
//
// Beside each number its *size* is worked out: the root of the sum of the squares of all terms that
// were rounded on the way to it, each as large as its effect on the number. This is running error
// analysis to first order (Higham, Accuracy and Stability of Numerical Algorithms, chapter 3), with
// squares that are added instead of bounds, since roundings do not all go one way:
//
//     x = 3, y = 4, exact       x * y = 12      size 12: the product is rounded
//                               x * y - 12 = 0  size 12: what is left is the product's rounding
//     sum of x_i, exact                         size sqrt(sum of x_i²), whatever the sum is
//     exp(a), a of size 5                       size exp(a) * sqrt(1 + a² + 5²)
//     3 / 16, 2 + 5, floor(3 / 16)              size 0: the type holds what comes out
//
// A step (`floor`, `round`, a comparison) passes no small error on. It errs by the whole jump where its
// operand may lie on the other side, and by nothing elsewhere.
//
// A result passes within a share of this size (profiler::termShare). So each element is
// judged by its own terms: where a column is ten thousand times larger than the others, the others
// still have to be right, and where terms cancel out, the rest may be as wrong as they were rounded.
#pragma once

#include "profiler/data/Dtype.h"

#include <cstdint>
#include <functional>

namespace tilescope::app {

struct RoundedNumber {
  double value = 0;
  /// Of the size; NaN: it cannot be told.
  double square = 0;
  /// Integers and truths are exact, and so is what is computed of them alone.
  bool isInteger = false;
  /// Of floats: computed of integers and constants alone, which kernels do in fp32 or better.
  bool isOfIntegers = false;

  bool isExact() const { return square == 0; }
};

/// What the operations of an expression do to values and sizes where its result is of a type. Inputs
/// that the type can hold enter exactly; everything else is rounded as numbers of the type are.
class RoundingRules {
public:
  /// `numElements`: of the result, of which the worst has to pass.
  RoundingRules(profiler::Dtype result, int64_t numElements);

  RoundedNumber input(double value, profiler::Dtype dtype) const;
  /// A number that is written in the expression or passed as a scalar.
  RoundedNumber constant(double value) const;

  RoundedNumber sum(const RoundedNumber &a, const RoundedNumber &b) const;
  RoundedNumber difference(const RoundedNumber &a, const RoundedNumber &b) const;
  RoundedNumber product(const RoundedNumber &a, const RoundedNumber &b) const;
  RoundedNumber quotient(const RoundedNumber &a, const RoundedNumber &b) const;
  /// A function that is not rounded itself: `floor`, `abs`. Where it jumps within the error of its
  /// operand, so does the result.
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

  /// Of a sum of `count` terms, in any order: `squares` is the sum over the terms of value² + the
  /// square of the size. Long sums are rounded more often, in fp32 or better.
  double squareOfSum(double sum, double squares, double count) const;

  /// The square of a factor of a product whose other factor is of a type of 16 bits: a kernel has to
  /// round it to that type.
  double squareOfFactor(double value, double square, profiler::Dtype other) const;

private:
  RoundedNumber rounded(double value, double square) const;
  /// Of one operation that GPUs round correctly: a result that the type holds is exact where the
  /// operands are.
  RoundedNumber roundedOnce(double value, double square, bool isOfIntegers = false) const;

  profiler::Dtype m_dtype;
  int64_t m_numElements;
  /// The share of an element's size that passes.
  double m_share;
  /// Of the accumulation of a sum, over that share.
  double m_growth;
};

} // namespace tilescope::app
