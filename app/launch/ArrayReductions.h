// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/RoundedNumber.h"
#include "compiler/support/Result.h"
#include "compiler/syntax/Ast.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::app {

enum class ReductionKind { Sum, Mean, Max, Min, Prod, ArgMax, ArgMin, Var, Std };

/// Whether it finds one of the elements, so that there must be one.
constexpr bool isChoice(ReductionKind kind) {
  return kind == ReductionKind::Max || kind == ReductionKind::Min ||
         kind == ReductionKind::ArgMax || kind == ReductionKind::ArgMin;
}

/// A part of an expression that makes one number of an axis, or of all elements:
///
///     sum(x_ptr, axis=1)     x_ptr.max(0)     np.mean(x_ptr * y_ptr)
///
/// `max` and `min` of two values without `axis` are not: they compare element by element.
struct Reduction {
  ReductionKind kind = ReductionKind::Sum;
  /// As written.
  std::string text;
  /// What is reduced.
  std::string operand;
  /// Negative axes count from the last; nothing: over all elements.
  std::optional<int64_t> axis;
  /// The axis remains, with the extent 1.
  bool keepsAxis = false;
  /// Its position in its expression, in bytes.
  size_t begin = 0;
  size_t end = 0;
};

/// The first reduction of an expression that is in no other one; nothing: there is none. The error:
/// one with arguments that are not understood.
Result<std::optional<Reduction>> findReduction(const compiler::ast::SyntaxTree &tree,
                                               const compiler::ast::Expr &expr);

/// An expression with variances and standard deviations in terms of other reductions, as NumPy has them by
/// default (`ddof=0`):
///
///     var(x, axis=1)     mean(np.square((x) - mean(x, axis=1, keepdims=True)), axis=1)
///
/// What is not understood stays, and `findReduction` says why.
std::string inMeans(std::string text);

/// An expression whose `max(x, 1)` and `min(x, 1)` are reductions over that axis, `max(x, axis=1)`.
std::string withNamedAxis(std::string text);

/// Whether a function of this name is one.
bool isReduction(std::string_view name);

/// `argmax, argmin, max, …`.
std::string reductionNames();

/// The one number of some.
class Accumulator {
public:
  explicit Accumulator(ReductionKind kind) : m_kind(kind) {}
  void add(const RoundedNumber &number, const RoundingRules &rules);
  double result() const;
  /// The result with its size and bounds; sums of integers are exact.
  RoundedNumber number(const RoundingRules &rules, bool areIntegers) const;
  /// Of indices: the others whose numbers may be the extreme one, for what they may be off by.
  std::vector<double> others() const;

private:
  struct Place {
    int64_t at = 0;
    RoundedNumber number;
  };
  double square(const RoundingRules &rules) const;
  void addBounds(const RoundedNumber &number, bool isFirst);
  void addRival(const Place &place, bool isBeyond, const RoundingRules &rules);

  ReductionKind m_kind;
  int64_t m_count = 0;
  double m_value = 0;
  /// Of a sum its squares.
  double m_square = 0;
  /// Of a sum the squares of all terms of its terms.
  double m_terms = 0;
  /// Of a sum the squares of the sizes of its terms, and their magnitudes.
  double m_errors = 0;
  double m_magnitude = 0;
  /// Of sums of integers, and of extremes: what the operands may be.
  double m_least = 0;
  double m_most = 0;
  int64_t m_at = 0;
  /// Of indices.
  RoundedNumber m_extreme;
  std::vector<Place> m_rivals;
};

/// The shape of a reduction's result; nothing: there is no such axis.
std::optional<std::vector<int64_t>> reducedShape(const Reduction &reduction,
                                                 const std::vector<int64_t> &shape);

/// Which element of the result an element of what is reduced belongs to.
int64_t reducedElement(const Reduction &reduction, const std::vector<int64_t> &coordinates,
                       const std::vector<int64_t> &shape);

} // namespace tilescope::app
