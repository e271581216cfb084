// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How coarsely a kernel rounds on the way to what it stores. A kernel that computes in fp32 and rounds
// once, when it stores, has nothing of this:
//
//     p = p.to(tl.float16); acc += tl.dot(p, v)       factors: fp16
//     c = tl.dot(a, b)                                of fp32: factors: tf32
//     y = (x * r).to(tl.bfloat16) * w                 operations: bf16
//     s = tl.dot(a, b, out_dtype=tl.float16)          sums: fp16
//     s = tl.sum(x), of fp16                          steps: fp16
//     tl.store(p, y.to(tl.bfloat16)), p of fp32       stored: bf16
#pragma once

#include "compiler/support/SourceRange.h"

#include <string>
#include <vector>

namespace tilescope::compiler {

/// A floating type, as far as roundings go.
struct Precision {
  /// Distance from 1 to the next larger number; 0: nothing is rounded more coarsely than in fp32.
  double epsilon = 0;
  /// The smallest positive number with all bits of its mantissa.
  double smallestNormal = 0;
  /// Bits are cut off, so that all numbers become smaller.
  bool truncates = false;

  bool operator==(const Precision &) const = default;
};

/// Sums of which it is known how they are added up.
struct SumSteps {
  /// What partial sums are rounded to.
  Precision precision;
  /// The most additions that a term passes, one after the other.
  double depth = 0;
  /// Where all terms are alike: the squares of all partial sums over that of the sum.
  double squares = 0;

  bool operator==(const SumSteps &) const = default;
};

/// A number that a kernel has in a narrower type than fp32: `1.1` is 1.099609375 in `x * 1.1` of an `x` of
/// fp16.
struct NarrowNumber {
  double value = 0;
  /// Of its type, as in `Precision`.
  double epsilon = 0;

  bool operator==(const NarrowNumber &) const = default;
};

/// Of what one argument is written.
struct RoundingFacts {
  std::string argument;
  /// What results of elementwise operations are rounded to.
  Precision operations;
  /// What factors of matrix products are rounded to.
  Precision factors;
  /// What partial sums are rounded to where each term may be one: accumulators of products, atomic
  /// additions, loops of which it is not known how often they run.
  Precision sums;
  /// The finest type of the factors of products of which both are what was loaded; epsilon 0: there are
  /// none. Then all factors are rounded, those that their type holds, too: one may be scaled before.
  Precision plainFactors;
  /// Reductions, and loops that run as often as the kernel or its launch says.
  SumSteps steps = {};
  /// Nothing is known of the kernel: this is the most that it may round.
  bool isAssumed = false;
  /// The kernel loads the argument or updates it in place, so that what it begins with may count.
  bool isBuiltOn = false;
  /// All that the kernel does to the argument is to combine what it holds with more, by atomic operations.
  bool isOnlyUpdated = false;
  /// Where the kernel writes to the argument, in the order of the source.
  std::vector<SourceRange> stores = {};
  /// What the kernel rounds its results to just before it stores them in a wider type.
  Precision stored = {};
  /// What it is computed with, each once.
  std::vector<NarrowNumber> numbers = {};
  /// Nothing in the kernel is a floating number, so that nothing is rounded.
  bool isIntegral = false;

  bool operator==(const RoundingFacts &) const = default;
};

} // namespace tilescope::compiler
