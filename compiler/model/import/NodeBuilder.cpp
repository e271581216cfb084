// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/import/NodeBuilder.h"

#include <cmath>

using namespace mlir;

namespace tilescope::model {

NodeBuilder::NodeBuilder(GraphBuilder &graph, std::string name, std::string operatorName,
                         std::string firstOutput)
    : m_graph(graph), m_name(std::move(name)), m_operatorName(std::move(operatorName)),
      m_firstOutput(std::move(firstOutput)), m_location(graph.named(m_name)) {}

int64_t NodeBuilder::axis(int64_t axis, int64_t rank) {
  if (axis >= -rank && axis < rank)
    return axis < 0 ? axis + rank : axis;
  fail("axis " + std::to_string(axis) + " is not one of " + std::to_string(rank));
  return 0;
}

std::optional<std::vector<int64_t>> NodeBuilder::axes(std::vector<int64_t> axes, int64_t rank) {
  std::vector<bool> seen(size_t(rank), false);
  for (int64_t &each : axes) {
    each = axis(each, rank);
    if (m_failed)
      return std::nullopt;
    if (seen[size_t(each)]) {
      fail("axis " + std::to_string(each) + " is named twice");
      return std::nullopt;
    }
    seen[size_t(each)] = true;
  }
  return axes;
}

RankedTensorType NodeBuilder::tensorType(ArrayRef<tm::Extent> extents, Type element) {
  const RankedTensorType type = m_failed ? RankedTensorType() : tm::tensorOf(extents, element);
  if (!type)
    fail("its result would have the extents " + tm::extentsText(extents));
  return type;
}

RankedTensorType NodeBuilder::broadcast(ArrayRef<Value> operands, Type element) {
  tm::ExtentList result;
  for (const Value operand : operands) {
    if (!operand)
      return {};
    tm::ExtentList extents = tm::extentsOf(cast<RankedTensorType>(operand.getType()));
    const size_t rank = std::max(result.size(), extents.size());
    result.insert(result.begin(), rank - result.size(), number(1));
    extents.insert(extents.begin(), rank - extents.size(), number(1));
    for (size_t axis = 0; axis < rank; ++axis) {
      const tm::Extent together = tm::repeated(result[axis], extents[axis]);
      if (!together) {
        fail("extents " + tm::extentsText(result) + " and " + tm::extentsText(extents) +
             " do not go together");
        return {};
      }
      result[axis] = together;
    }
  }
  return tensorType(result, element);
}

tm::Extent NodeBuilder::unknownExtent(size_t axis) const {
  return tm::symbol(context(), m_firstOutput + "." + std::to_string(axis));
}

Value NodeBuilder::scalar(double value, Type element) {
  if (m_failed)
    return {};
  const auto type = RankedTensorType::get({}, element);
  if (isa<FloatType>(element)) {
    const Attribute number = FloatAttr::get(element, value);
    return emit<tm::ConstantOp>(type, cast<ElementsAttr>(DenseElementsAttr::get(type, number)));
  }
  if (!(std::abs(value) < std::ldexp(1.0, 63))) {
    fail("it has a number that is not a whole number");
    return {};
  }
  return wholeScalar(int64_t(value), element);
}

Value NodeBuilder::wholeScalar(int64_t value, Type element) {
  if (m_failed || isa<FloatType>(element))
    return scalar(double(value), element);
  const auto type = RankedTensorType::get({}, element);
  const APInt bits(element.getIntOrFloatBitWidth(), uint64_t(value), false, /*implicitTrunc=*/true);
  return emit<tm::ConstantOp>(
      type, cast<ElementsAttr>(DenseElementsAttr::get(type, IntegerAttr::get(element, bits))));
}

Value NodeBuilder::sizes(ArrayRef<tm::Extent> values, ArrayRef<tm::Extent> extents) {
  if (llvm::is_contained(values, tm::Extent())) {
    fail("it asks for a size that is out of range");
    return {};
  }
  const RankedTensorType type = tensorType(extents, builder().getI64Type());
  SmallVector<int64_t> numbers;
  for (const tm::Extent value : values)
    if (const auto number = tm::numberOf(value))
      numbers.push_back(*number);
  if (type && numbers.size() == values.size())
    return emit<tm::ConstantOp>(
        type, cast<ElementsAttr>(DenseElementsAttr::get(type, ArrayRef(numbers))));
  return emit<tm::SizesOp>(type, tm::ExtentsAttr::get(context(), values));
}

bool NodeBuilder::fail(const std::string &message) {
  if (!m_failed)
    m_graph.report(m_name, m_operatorName, message);
  m_failed = true;
  return false;
}

} // namespace tilescope::model
