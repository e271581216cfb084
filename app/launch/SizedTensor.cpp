// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/SizedTensor.h"

#include "app/launch/ArrayAxes.h"
#include "app/launch/ArrayJoins.h"

#include <algorithm>
#include <cmath>

namespace tilescope::app {

using profiler::Dtype;
using profiler::Tensor;
using Kind = ArrayPart::Kind;

Tensor zerosOf(const std::vector<int64_t> &shape, Dtype dtype) {
  Tensor tensor{dtype, shape, {}};
  tensor.data.resize(static_cast<size_t>(*profiler::tensorBytes(dtype, shape)));
  return tensor;
}

static double boundAt(const Tensor &bounds, int64_t element) {
  return bounds.data.empty() ? 0 : bounds.at(element);
}

RoundedNumber SizedTensor::number(int64_t element) const {
  const bool isInteger = !profiler::isFloat(values.dtype) && squares.at(element) == 0;
  return {
      values.at(element),      squares.at(element),    isInteger, false, boundAt(below, element),
      boundAt(above, element), boundAt(terms, element)};
}

void SizedTensor::setErrors(int64_t element, const RoundedNumber &number) {
  squares.set(element, number.square);
  const auto set = [&](Tensor &bounds, double bound) {
    if (bound != 0 && bounds.data.empty())
      bounds = zerosOf(values.shape);
    if (!bounds.data.empty())
      bounds.set(element, bound);
  };
  set(below, number.below);
  set(above, number.above);
  set(terms, number.terms);
}

/// What `squareOf` makes of each element.
template <typename SquareOf>
static Tensor squaresOf(const SizedTensor &tensor, const SquareOf &squareOf) {
  Tensor squares = zerosOf(tensor.values.shape);
  for (int64_t i = 0; i < squares.numElements(); ++i)
    squares.set(i, squareOf(tensor.number(i)));
  return squares;
}

static double squareOfValue(const RoundedNumber &number) { return number.value * number.value; }
static double squareOfTerms(const RoundedNumber &number) { return number.squareOfTerms(); }

static bool areZeros(const Tensor &squares) {
  return std::ranges::all_of(squares.data, [](std::byte each) { return each == std::byte(0); });
}

namespace {
/// Of sums over terms, beside their values.
struct TermSquares {
  /// The sums of the squares of values, and of sizes.
  Tensor values;
  Tensor errors;
};
} // namespace

/// To first order the errors of a term x y are x² (that of y) + (that of x) y².
static Result<TermSquares> productSquares(const ArrayPart &part, const SizedTensor &left,
                                          const SizedTensor &right, const RoundingRules &rules,
                                          const std::stop_token &stop) {
  const auto ofErrors = [&](const RoundedNumber &factor) { return rules.squareOfFactor(factor); };
  const Tensor lefts = squaresOf(left, squareOfValue), rights = squaresOf(right, squareOfValue);
  Result<Tensor> values = multiplied(part, lefts, rights, stop);
  if (!values)
    return values.error();
  TermSquares squares{std::move(*values), {}};
  squares.errors = zerosOf(squares.values.shape);
  const Tensor ofLeft = squaresOf(left, ofErrors), ofRight = squaresOf(right, ofErrors);
  for (const auto &[first, second] : {std::pair(&ofLeft, &rights), std::pair(&lefts, &ofRight)}) {
    if (areZeros(*first) || areZeros(*second))
      continue;
    const Result<Tensor> each = multiplied(part, *first, *second, stop);
    if (!each)
      return each.error();
    for (int64_t i = 0; i < each->numElements(); ++i)
      squares.errors.set(i, squares.errors.at(i) + each->at(i));
  }
  for (int64_t i = 0; i < squares.values.numElements(); ++i)
    squares.errors.set(i, squares.errors.at(i) + rules.squareOfTerms(squares.values.at(i)));
  return squares;
}

static bool isExact(const SizedTensor &tensor) {
  for (int64_t i = 0; i < tensor.values.numElements(); ++i)
    if (!tensor.number(i).isExact())
      return false;
  return true;
}

/// The squares of the sizes of sums.
static Tensor squaresOfSums(const Tensor &sums, const TermSquares &terms, double numTerms,
                            const RoundingRules &rules) {
  Tensor squares = zerosOf(sums.shape);
  for (int64_t i = 0; i < squares.numElements(); ++i) {
    const double ofValues = terms.values.at(i);
    squares.set(i, rules.squareOfSum({sums.at(i), ofValues, terms.errors.at(i), numTerms,
                                      std::sqrt(numTerms * ofValues)}));
  }
  return squares;
}

/// What the squares of the terms of exact sums come to: each is rounded, and so is their sum.
static Result<Tensor> termsOfSums(const Tensor &sums, Result<Tensor> squares, double numTerms,
                                  const RoundingRules &rules) {
  return squares ? squaresOfSums(sums, {*squares, *squares}, numTerms, rules) : std::move(squares);
}

/// Of the exact sums of a product.
static Result<Tensor> termsOfProduct(const ArrayPart &part, const SizedTensor &left,
                                     const SizedTensor &right, const Tensor &sums,
                                     const RoundingRules &rules, const std::stop_token &stop) {
  return termsOfSums(
      sums, multiplied(part, squaresOf(left, squareOfTerms), squaresOf(right, squareOfTerms), stop),
      static_cast<double>(left.values.shape.back()), rules);
}

Result<SizedTensor> multipliedWithSizes(const ArrayPart &part, const SizedTensor &left,
                                        const SizedTensor &right, const RoundingRules *rules,
                                        const std::stop_token &stop) {
  Result<Tensor> product = multiplied(part, left.values, right.values, stop);
  if (!product)
    return product.error();
  if (!rules)
    return SizedTensor{std::move(*product)};
  // Products of integers are exact but for what their factors are off by.
  const bool isOfIntegers = !profiler::isFloat(product->dtype);
  if (isOfIntegers && isExact(left) && isExact(right)) {
    Result<Tensor> terms = termsOfProduct(part, left, right, *product, *rules, stop);
    if (!terms)
      return terms.error();
    SizedTensor made{std::move(*product), zerosOf(terms->shape)};
    made.terms = std::move(*terms);
    return made;
  }
  Result<TermSquares> terms = productSquares(part, left, right, *rules, stop);
  if (!terms)
    return terms.error();
  const auto numTerms = static_cast<double>(left.values.shape.back());
  Tensor squares =
      isOfIntegers ? std::move(terms->errors) : squaresOfSums(*product, *terms, numTerms, *rules);
  SizedTensor made{std::move(*product), std::move(squares)};
  for (int64_t i = 0; i < made.values.numElements() && !isOfIntegers; ++i)
    if (const double bias = rules->biasOfProduct(made.values.at(i)); bias > 0) {
      RoundedNumber number = made.number(i);
      number.below = number.above = bias;
      made.setErrors(i, number);
    }
  return made;
}

/// What a part joins of the sizes or the bounds of its operands. Elements go the same way as these,
/// and indices stay what they are.
static Result<Tensor> joinedErrors(const ArrayPart &part, const std::vector<SizedTensor> &operands,
                                   Tensor SizedTensor::*errors, const IndexValue &valueOf) {
  std::vector<Tensor> each;
  for (const SizedTensor &operand : operands)
    each.push_back((operand.*errors).data.empty() ? zerosOf(operand.values.shape)
                                                  : operand.*errors);
  if (part.kind == Kind::Take || part.kind == Kind::TakeAlong)
    each.back() = operands.back().values;
  return joined(part, std::move(each), valueOf);
}

/// The squares of a running sum.
static Result<Tensor> runningSquares(const ArrayPart &part,
                                     const std::vector<SizedTensor> &operands, const Tensor &made,
                                     const RoundingRules &rules, const IndexValue &valueOf) {
  std::vector<Tensor> values, errors;
  for (const SizedTensor &operand : operands) {
    values.push_back(squaresOf(operand, squareOfValue));
    errors.push_back(
        squaresOf(operand, [&](const RoundedNumber &term) { return rules.squareOfTerm(term); }));
  }
  Result<Tensor> ofValues = joined(part, std::move(values), valueOf);
  if (!ofValues)
    return ofValues;
  Result<Tensor> ofErrors = joined(part, std::move(errors), valueOf);
  if (!ofErrors)
    return ofErrors;
  // It has at most as many terms as the longest axis.
  return squaresOfSums(made, {std::move(*ofValues), std::move(*ofErrors)},
                       static_cast<double>(std::ranges::max(made.shape)), rules);
}

/// Of running sums of integers.
static Result<Tensor> termsOfRunning(const ArrayPart &part,
                                     const std::vector<SizedTensor> &operands, const Tensor &made,
                                     const RoundingRules &rules, const IndexValue &valueOf) {
  std::vector<Tensor> squares;
  for (const SizedTensor &operand : operands)
    squares.push_back(squaresOf(operand, squareOfTerms));
  return termsOfSums(made, joined(part, std::move(squares), valueOf),
                     static_cast<double>(std::ranges::max(made.shape)), rules);
}

Result<SizedTensor> joinedWithSizes(const ArrayPart &part, const std::vector<SizedTensor> &operands,
                                    const RoundingRules *rules, const IndexValue &valueOf) {
  std::vector<Tensor> values;
  for (const SizedTensor &operand : operands)
    values.push_back(operand.values);
  // What is known of the elements goes where they go.
  if (part.kind == Kind::Sort && operands.size() == 1) {
    ArrayPart order = part, along = part;
    order.kind = Kind::SortedOrder;
    along.kind = Kind::TakeAlong;
    Result<Tensor> indices = joined(order, std::move(values), valueOf);
    if (!indices)
      return indices.error();
    return joinedWithSizes(along, {operands[0], SizedTensor{std::move(*indices)}}, rules, valueOf);
  }
  Result<Tensor> made = joined(part, std::move(values), valueOf);
  if (!made)
    return made.error();
  SizedTensor whole{std::move(*made)};
  if (!rules)
    return whole;
  const bool isSum = part.kind == Kind::CumulativeSum;
  const bool isFloat = profiler::isFloat(whole.values.dtype);
  // Ranges and orders are exact, and running sums of integers only as far off as these are.
  whole.squares = zerosOf(whole.values.shape);
  if (part.kind == Kind::Range || part.kind == Kind::SortedOrder)
    return whole;
  if (!isSum || isFloat) {
    Result<Tensor> squares = isSum ? runningSquares(part, operands, whole.values, *rules, valueOf)
                                   : joinedErrors(part, operands, &SizedTensor::squares, valueOf);
    if (!squares)
      return squares.error();
    whole.squares = std::move(*squares);
  } else {
    Result<Tensor> terms = termsOfRunning(part, operands, whole.values, *rules, valueOf);
    if (!terms)
      return terms.error();
    whole.terms = std::move(*terms);
  }
  const bool haveBounds = std::ranges::any_of(operands, [](const SizedTensor &operand) {
    return !operand.below.data.empty() || !operand.above.data.empty();
  });
  const bool haveTerms = std::ranges::any_of(
      operands, [](const SizedTensor &operand) { return !operand.terms.data.empty(); });
  const auto join = [&](Tensor SizedTensor::*errors) -> Status {
    Result<Tensor> each = joinedErrors(part, operands, errors, valueOf);
    if (!each)
      return each.error();
    whole.*errors = std::move(*each);
    return {};
  };
  for (const auto bounds : {&SizedTensor::below, &SizedTensor::above})
    if (haveBounds && !(isSum && isFloat))
      if (Status status = join(bounds); !status)
        return status.error();
  if (haveTerms && !isSum)
    if (Status status = join(&SizedTensor::terms); !status)
      return status.error();
  return whole;
}

Result<SizedTensor> movedWithSizes(const ArrayPart &part, const SizedTensor &operand,
                                   const RoundingRules *rules, const IndexValue &valueOf) {
  const auto moved = [&](const Tensor &tensor) -> Result<Tensor> {
    if (part.kind == Kind::Transpose)
      return transposed(tensor);
    if (part.kind == Kind::Index)
      return indexed(part, tensor, valueOf);
    if (isReshape(part))
      return reshaped(part, tensor, valueOf);
    const auto order = orderOfAxes(part, tensor.shape.size(), valueOf);
    return order ? Result<Tensor>(permuted(tensor, *order)) : order.error();
  };
  Result<Tensor> made = moved(operand.values);
  if (!made)
    return made.error();
  if (!rules)
    return SizedTensor{std::move(*made)};
  // Elements go the same way as their sizes and bounds.
  SizedTensor whole{std::move(*made)};
  for (const auto errors :
       {&SizedTensor::squares, &SizedTensor::below, &SizedTensor::above, &SizedTensor::terms})
    if (!(operand.*errors).data.empty()) {
      Result<Tensor> each = moved(operand.*errors);
      if (!each)
        return each.error();
      whole.*errors = std::move(*each);
    }
  return whole;
}

} // namespace tilescope::app
