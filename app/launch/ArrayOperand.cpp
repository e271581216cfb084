// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ArrayOperand.h"

#include "app/launch/ArrayErrors.h"
#include "app/launch/ArrayReductions.h"
#include "app/launch/ArrayShapes.h"

#include <algorithm>
#include <cctype>

namespace tilescope::app {

using compiler::constant::Int;
using compiler::constant::Value;
using Shape = std::vector<int64_t>;

int64_t ArrayOperand::elementAt(const Shape &coordinates) const {
  int64_t element = 0;
  for (size_t axis = 0; axis < coordinates.size(); ++axis)
    element += coordinates[axis] * strides[axis];
  return element;
}

Value ArrayOperand::at(const Shape &coordinates) const {
  if (profiler::isFloat(tensor.dtype))
    return Value::real(numberAt(coordinates));
  const int64_t integer = integerAt(coordinates);
  return tensor.dtype == profiler::Dtype::Uint64
             ? Value::integer(Int::fromUint64(static_cast<uint64_t>(integer)))
             : Value::integer(integer);
}

RoundedNumber ArrayOperand::roundedAt(const Shape &coordinates, const RoundingRules &rules) const {
  return rounded(elementAt(coordinates), rules);
}

std::vector<double> ArrayOperand::othersAt(const Shape &coordinates) const {
  const auto found = others.empty() ? others.end() : others.find(elementAt(coordinates));
  return found == others.end() ? std::vector<double>() : found->second;
}

RoundedNumber ArrayOperand::rounded(int64_t element, const RoundingRules &rules) const {
  const double value = tensor.at(element);
  if (squares.data.empty())
    return rules.input(value, tensor.dtype);
  RoundedNumber number{value, squares.at(element),
                       !profiler::isFloat(tensor.dtype) && squares.at(element) == 0};
  number.below = below.data.empty() ? 0 : below.at(element);
  number.above = above.data.empty() ? 0 : above.at(element);
  number.terms = terms.data.empty() ? 0 : terms.at(element);
  return number;
}

/// `max` of `max(x, 1)`, which compares elements, as Python's does; empty where the expression has none of the
/// operand.
static std::string comparedBy(const ArrayOperand &operand, std::string_view expression) {
  for (const std::string name : {"max", "min"}) {
    const size_t found = expression.find(name + "(" + operand.text + ",");
    const char before = found == 0 || found == expression.npos ? ' ' : expression[found - 1];
    if (found != expression.npos && !std::isalnum(static_cast<unsigned char>(before)) &&
        before != '_' && before != '.')
      return name;
  }
  return {};
}

/// What would make an operand fit.
static std::string adviceFor(const ArrayOperand &operand, const Shape &shape,
                             std::string_view expression) {
  if (operand.isReduced && operand.shape.size() + 1 == shape.size())
    return "; `keepdims=True` keeps the axis, with the extent 1";
  if (operand.shape.size() <= shape.size())
    return {};
  size_t axis = operand.shape.size() - 1;
  for (size_t each = 0; each < operand.shape.size(); ++each) {
    Shape without = operand.shape;
    without.erase(without.begin() + static_cast<ptrdiff_t>(each));
    if (without == shape)
      axis = each;
  }
  const std::string extreme = comparedBy(operand, expression);
  const std::string code = (extreme.empty() ? "sum" : extreme) + "(" + operand.text +
                           ", axis=" + std::to_string(axis) + ")";
  if (!extreme.empty())
    return "; `" + code + "` has one axis less: without `axis=`, `" + extreme +
           "` compares its arguments element by element";
  return "; `" + code + "` has one axis less; the reductions over an axis are " + reductionNames();
}

Error misfit(const ArrayOperand &operand, const Shape &shape, const std::string &where,
             std::string_view expression) {
  return expressionError("`" + operand.text + "` has the shape " + shapeText(operand.shape) +
                         ", which does not fit " + shapeText(shape) + where +
                         adviceFor(operand, shape, expression));
}

Result<Shape> broadcastShape(const std::vector<ArrayOperand *> &operands) {
  Shape shape;
  for (const ArrayOperand *operand : operands) {
    const size_t rank = std::max(shape.size(), operand->shape.size());
    Shape both(rank, 1);
    for (size_t back = 1; back <= rank; ++back) {
      const int64_t a = back <= shape.size() ? shape[shape.size() - back] : 1;
      const int64_t b =
          back <= operand->shape.size() ? operand->shape[operand->shape.size() - back] : 1;
      if (a != b && a != 1 && b != 1)
        return misfit(*operand, shape, " of what it is combined with");
      both[rank - back] = a == 1 ? b : a;
    }
    shape = std::move(both);
  }
  return shape;
}

} // namespace tilescope::app
