// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/onnx/Node.h"

#include "compiler/model/onnx/GraphReader.h"

using namespace mlir;

namespace tilescope::model {

std::string nodeName(const onnx::NodeProto &node) {
  return !node.name().empty() || node.output_size() == 0 ? node.name() : node.output(0);
}

Node::Node(const onnx::NodeProto &proto, int64_t version, GraphReader &graph)
    : NodeBuilder(graph, nodeName(proto), proto.op_type(),
                  proto.output_size() > 0 ? proto.output(0) : proto.name()),
      m_proto(proto), m_version(version), m_graph(graph) {
  for (const std::string &name : proto.input())
    m_operands.push_back(name.empty() ? Value() : graph.value(name));
}

Value Node::operand(size_t index) const {
  return index < m_operands.size() ? m_operands[index] : Value();
}

RankedTensorType Node::type(size_t index) const {
  return cast<RankedTensorType>(operand(index).getType());
}

const Known *Node::known(size_t index) const {
  return operand(index) ? m_graph.known(operand(index)) : nullptr;
}

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

Value Node::secondOperand() {
  const Value second = operand(1);
  if (m_version >= 7 || !second || !operand(0) || !has("axis"))
    return second;
  const int64_t rank = type(0).getRank(), own = type(1).getRank();
  const auto told = axes({integer("axis", 0)}, rank);
  if (!told || own == 0)
    return second;
  const int64_t behind = rank - told->front() - own;
  if (behind < 0) {
    fail("its attribute `axis` is " + std::to_string(told->front()) + ", from where on " +
         tm::extentsText(extents(0)) + " does not have the axes of " + tm::extentsText(extents(1)));
    return {};
  }
  if (behind == 0)
    return second;
  tm::ExtentList aligned = extents(1);
  aligned.append(size_t(behind), number(1));
  return emit<tm::ReshapeOp>(tensorType(aligned, element(1)), second, Value());
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

bool Node::finish(ArrayRef<Value> results) {
  if (failed())
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

} // namespace tilescope::model
