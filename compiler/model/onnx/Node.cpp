// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/onnx/Node.h"

#include "compiler/model/onnx/GraphReader.h"

using namespace mlir;

namespace tilescope::model {

Node::Node(const onnx::NodeProto &proto, int64_t version, GraphReader &graph)
    : m_proto(proto), m_version(version), m_graph(graph), m_location(graph.locationOf(proto)) {
  for (const std::string &name : proto.input())
    m_operands.push_back(name.empty() ? Value() : graph.value(name));
}

MLIRContext *Node::context() const { return m_graph.builder().getContext(); }
OpBuilder &Node::builder() const { return m_graph.builder(); }

Value Node::operand(size_t index) const {
  return index < m_operands.size() ? m_operands[index] : Value();
}

RankedTensorType Node::type(size_t index) const {
  return cast<RankedTensorType>(operand(index).getType());
}

const Known *Node::known(size_t index) const {
  return operand(index) ? m_graph.known(operand(index)) : nullptr;
}
const Known *Node::known(Value value) const { return m_graph.known(value); }

std::optional<std::vector<tm::Extent>> Node::knownSizes(size_t index) const {
  const Known *values = known(index);
  if (!values)
    return std::nullopt;
  std::vector<tm::Extent> sizes;
  for (const KnownElement &element : *values) {
    if (!element.whole)
      return std::nullopt;
    sizes.push_back(element.whole);
  }
  return sizes;
}

std::optional<std::vector<int64_t>> Node::knownNumbers(size_t index) const {
  const auto sizes = knownSizes(index);
  if (!sizes)
    return std::nullopt;
  std::vector<int64_t> numbers;
  for (const tm::Extent size : *sizes) {
    const auto number = tm::numberOf(size);
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

const onnx::AttributeProto *Node::find(const char *attribute) const {
  for (const onnx::AttributeProto &each : m_proto.attribute())
    if (each.name() == attribute)
      return &each;
  return nullptr;
}

const onnx::AttributeProto *Node::find(const char *attribute,
                                       onnx::AttributeProto::AttributeType type) {
  const onnx::AttributeProto *found = find(attribute);
  // Files of the first version of the format do not say the type.
  if (!found || found->type() == type || found->type() == onnx::AttributeProto::UNDEFINED)
    return found;
  fail("its attribute `" + std::string(attribute) + "` has another type");
  return nullptr;
}

int64_t Node::integer(const char *attribute, int64_t otherwise) {
  const auto *found = find(attribute, onnx::AttributeProto::INT);
  return found ? found->i() : otherwise;
}

float Node::real(const char *attribute, float otherwise) {
  const auto *found = find(attribute, onnx::AttributeProto::FLOAT);
  return found ? found->f() : otherwise;
}

std::string Node::text(const char *attribute, const std::string &otherwise) {
  const auto *found = find(attribute, onnx::AttributeProto::STRING);
  return found ? found->s() : otherwise;
}

std::optional<std::vector<int64_t>> Node::integers(const char *attribute) {
  const auto *found = find(attribute, onnx::AttributeProto::INTS);
  return found ? std::optional(std::vector<int64_t>(found->ints().begin(), found->ints().end()))
               : std::nullopt;
}

std::optional<std::vector<float>> Node::reals(const char *attribute) {
  const auto *found = find(attribute, onnx::AttributeProto::FLOATS);
  return found ? std::optional(std::vector<float>(found->floats().begin(), found->floats().end()))
               : std::nullopt;
}

const onnx::TensorProto *Node::tensor(const char *attribute) {
  const auto *found = find(attribute, onnx::AttributeProto::TENSOR);
  return found ? &found->t() : nullptr;
}

const onnx::GraphProto *Node::subgraph(const char *attribute) {
  const auto *found = find(attribute, onnx::AttributeProto::GRAPH);
  return found ? &found->g() : nullptr;
}

int64_t Node::axis(int64_t axis, int64_t rank) {
  if (axis >= -rank && axis < rank)
    return axis < 0 ? axis + rank : axis;
  fail("axis " + std::to_string(axis) + " is not one of " + std::to_string(rank));
  return 0;
}

std::optional<std::vector<int64_t>> Node::axes(std::vector<int64_t> axes, int64_t rank) {
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

bool Node::expectOperands(size_t least, size_t most) {
  size_t count = m_operands.size();
  for (; count > 0 && !m_operands[count - 1]; --count) {
  }
  if (count > most)
    return fail("it has " + std::to_string(count) + " inputs, at most " + std::to_string(most) +
                " are possible");
  for (size_t i = 0; i < least; ++i)
    if (!operand(i))
      return fail("its input " + std::to_string(i + 1) + " is missing");
  return true;
}

RankedTensorType Node::tensorType(ArrayRef<tm::Extent> extents, Type element) {
  const RankedTensorType type = m_failed ? RankedTensorType() : tm::tensorOf(extents, element);
  if (!type)
    fail("its result would have the extents " + tm::extentsText(extents));
  return type;
}

RankedTensorType Node::broadcast(ArrayRef<Value> operands, Type element) {
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

tm::Extent Node::unknownExtent(size_t axis) const {
  const std::string output = m_proto.output_size() > 0 ? m_proto.output(0) : m_proto.name();
  return tm::symbol(context(), output + "." + std::to_string(axis));
}

Value Node::scalar(double value, Type element) {
  if (m_failed)
    return {};
  const auto type = RankedTensorType::get({}, element);
  Attribute number;
  if (isa<FloatType>(element))
    number = FloatAttr::get(element, value);
  else
    number =
        IntegerAttr::get(element, APInt(element.getIntOrFloatBitWidth(), uint64_t(int64_t(value)),
                                        false, /*implicitTrunc=*/true));
  return emit<tm::ConstantOp>(type, cast<ElementsAttr>(DenseElementsAttr::get(type, number)));
}

Value Node::sizes(ArrayRef<tm::Extent> values, ArrayRef<tm::Extent> extents) {
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

Value Node::folded(Operation *operation) { return m_graph.folded(operation); }

bool Node::finish(ArrayRef<Value> results) {
  if (m_failed)
    return false;
  for (int i = 0; i < m_proto.output_size(); ++i) {
    const std::string &name = m_proto.output(i);
    if (name.empty())
      continue;
    if (size_t(i) >= results.size() || !results[size_t(i)])
      return fail("its output `" + name + "` is not supported");
    if (!m_graph.define(name, results[size_t(i)]))
      return fail("its output `" + name + "` has the name of another value");
  }
  return true;
}

bool Node::fail(const std::string &message) {
  if (!m_failed)
    m_graph.report(m_proto, message);
  m_failed = true;
  return false;
}

} // namespace tilescope::model
