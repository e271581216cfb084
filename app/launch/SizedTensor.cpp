// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/SizedTensor.h"

#include "app/launch/ArrayAxes.h"
#include "app/launch/ArrayJoins.h"

#include <algorithm>

namespace tilescope::app {

using profiler::Dtype;
using profiler::Tensor;
using Kind = ArrayPart::Kind;

Tensor zerosOf(const std::vector<int64_t> &shape, Dtype dtype) {
  Tensor tensor{dtype, shape, {}};
  tensor.data.resize(static_cast<size_t>(*profiler::tensorBytes(dtype, shape)));
  return tensor;
}

/// Of each element value² + the square of its size.
static Tensor termSquares(const SizedTensor &tensor) {
  Tensor sum = tensor.squares;
  for (int64_t i = 0; i < sum.numElements(); ++i)
    sum.set(i, sum.at(i) + tensor.values.at(i) * tensor.values.at(i));
  return sum;
}

/// Of a factor of a product. Both are of one type: what is worked out for a factor beside an input of
/// 16 bits is rounded to its type.
static Tensor factorSquares(const SizedTensor &tensor, const SizedTensor &other,
                            const RoundingRules &rules) {
  const Dtype dtype = other.values.dtype;
  const bool isRounded =
      (dtype == Dtype::Fp16 || dtype == Dtype::Bf16) && tensor.values.dtype != dtype;
  if (!isRounded)
    return termSquares(tensor);
  SizedTensor rounded = tensor;
  for (int64_t i = 0; i < tensor.squares.numElements(); ++i)
    rounded.squares.set(i, rules.squareOfFactor(tensor.values.at(i), tensor.squares.at(i), dtype));
  return termSquares(rounded);
}

/// The square of each element of a product of integers, which is exact but for what its factors are
/// off by.
static Result<Tensor> squaresOfIntegers(const ArrayPart &part, const SizedTensor &left,
                                        const SizedTensor &right, const Tensor &product,
                                        const std::stop_token &stop) {
  const auto isExact = [](const Tensor &squares) {
    for (int64_t i = 0; i < squares.numElements(); ++i)
      if (squares.at(i) != 0)
        return false;
    return true;
  };
  if (isExact(left.squares) && isExact(right.squares))
    return zerosOf(product.shape);
  return multiplied(part, termSquares(left), termSquares(right), stop);
}

/// Of sums, of which `squares` has the sums over their terms.
static void finishSums(const Tensor &sums, double numTerms, const RoundingRules &rules,
                       Tensor &squares) {
  for (int64_t i = 0; i < squares.numElements(); ++i)
    squares.set(i, rules.squareOfSum(sums.at(i), squares.at(i), numTerms));
}

Result<SizedTensor> multipliedWithSizes(const ArrayPart &part, const SizedTensor &left,
                                        const SizedTensor &right, const RoundingRules *rules,
                                        const std::stop_token &stop) {
  Result<Tensor> product = multiplied(part, left.values, right.values, stop);
  if (!product)
    return product.error();
  if (!rules)
    return SizedTensor{std::move(*product)};
  if (!profiler::isFloat(product->dtype)) {
    Result<Tensor> squares = squaresOfIntegers(part, left, right, *product, stop);
    return squares ? Result<SizedTensor>(SizedTensor{*product, std::move(*squares)})
                   : squares.error();
  }
  // To first order, (x² + its square) (y² + that of y) is the term's square and those of its errors.
  Result<Tensor> squares = multiplied(part, factorSquares(left, right, *rules),
                                      factorSquares(right, left, *rules), stop);
  if (!squares)
    return squares.error();
  finishSums(*product, static_cast<double>(left.values.shape.back()), *rules, *squares);
  return SizedTensor{std::move(*product), std::move(*squares)};
}

/// The squares of what a part joins, which `made` is.
static Result<Tensor> joinedSquares(const ArrayPart &part, const std::vector<SizedTensor> &operands,
                                    const Tensor &made, const RoundingRules &rules,
                                    const IndexValue &valueOf) {
  // Sums of integers are exact, ranges are.
  const bool isSum = part.kind == Kind::CumulativeSum;
  if (part.kind == Kind::Range || (isSum && !profiler::isFloat(made.dtype)))
    return zerosOf(made.shape);
  std::vector<Tensor> squares;
  for (const SizedTensor &operand : operands)
    squares.push_back(isSum ? termSquares(operand) : operand.squares);
  // Elements go the same way as their sizes, and indices stay what they are.
  if (part.kind == Kind::Take || part.kind == Kind::TakeAlong)
    squares.back() = operands.back().values;
  Result<Tensor> result = joined(part, std::move(squares), valueOf);
  // A running sum has at most as many terms as the longest axis.
  if (result && isSum)
    finishSums(made, static_cast<double>(std::ranges::max(made.shape)), rules, *result);
  return result;
}

Result<SizedTensor> joinedWithSizes(const ArrayPart &part, const std::vector<SizedTensor> &operands,
                                    const RoundingRules *rules, const IndexValue &valueOf) {
  std::vector<Tensor> values;
  for (const SizedTensor &operand : operands)
    values.push_back(operand.values);
  Result<Tensor> made = joined(part, std::move(values), valueOf);
  if (!made)
    return made.error();
  if (!rules)
    return SizedTensor{std::move(*made)};
  Result<Tensor> squares = joinedSquares(part, operands, *made, *rules, valueOf);
  if (!squares)
    return squares.error();
  return SizedTensor{std::move(*made), std::move(*squares)};
}

Result<SizedTensor> movedWithSizes(const ArrayPart &part, const SizedTensor &operand,
                                   const RoundingRules *rules, const IndexValue &valueOf) {
  const auto moved = [&](const Tensor &tensor) -> Result<Tensor> {
    if (part.kind == Kind::Transpose)
      return transposed(tensor);
    if (part.kind == Kind::Index)
      return indexed(part, tensor, valueOf);
    const auto order = orderOfAxes(part, tensor.shape.size(), valueOf);
    return order ? Result<Tensor>(permuted(tensor, *order)) : order.error();
  };
  Result<Tensor> made = moved(operand.values);
  if (!made)
    return made.error();
  if (!rules)
    return SizedTensor{std::move(*made)};
  // Elements go the same way as their sizes.
  Result<Tensor> squares = moved(operand.squares);
  if (!squares)
    return squares.error();
  return SizedTensor{std::move(*made), std::move(*squares)};
}

} // namespace tilescope::app
