// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/onnx/GraphReader.h"

#include "compiler/model/onnx/ElementTypes.h"
#include "compiler/model/onnx/OperatorRules.h"
#include "compiler/model/onnx/TensorData.h"

using namespace mlir;

namespace tilescope::model {

/// Of graphs inside of nodes.
static constexpr size_t kMostScopes = 32;

GraphReader::GraphReader(ModelFiles &files, const compiler::ModelRequest &request,
                         compiler::ModelResult &result, OpBuilder &builder)
    : GraphBuilder(request, result, builder), m_files(files) {}

void GraphReader::report(const onnx::NodeProto &node, const std::string &message) {
  report(nodeName(node), node.op_type(), message);
}

Value GraphReader::value(StringRef name) const {
  for (const llvm::StringMap<Value> &scope : llvm::reverse(m_scopes))
    if (const auto found = scope.find(name); found != scope.end())
      return found->second;
  return {};
}

bool GraphReader::define(StringRef name, Value value) {
  return m_scopes.back().try_emplace(name, value).second;
}

Value GraphReader::read(const onnx::TensorProto &tensor, const onnx::NodeProto *node) {
  const Result<ReadTensor> read = readTensor(builder().getContext(), tensor, m_files);
  if (!read) {
    if (node)
      report(*node, read.error().message);
    else
      report(read.error().message);
    return {};
  }
  const std::string name = tensor.name().empty() && node ? nodeName(*node) : tensor.name();
  const Location location = named(name);
  if (read->elements)
    return folded(tm::ConstantOp::create(builder(), location, read->type, read->elements));
  return tm::WeightOp::create(builder(), location, read->type, name, read->place.file,
                              int64_t(read->place.offset));
}

int64_t GraphReader::versionOf(const std::string &domain) const {
  for (const auto &[name, version] : result().operatorSets)
    if (name == domain)
      return version;
  return 0;
}

tm::Extent GraphReader::inputExtent(const onnx::TensorShapeProto::Dimension &extent,
                                    const std::string &name) {
  // Some converters write -1 or `?` for what is not known.
  if (extent.has_dim_value() && extent.dim_value() >= 0)
    return tm::number(builder().getContext(), extent.dim_value());
  const bool isNamed = !extent.dim_param().empty() && extent.dim_param() != "?";
  return GraphBuilder::inputExtent(isNamed ? extent.dim_param() : name);
}

RankedTensorType GraphReader::inputType(const onnx::ValueInfoProto &input) {
  const std::string what = "input `" + input.name() + "` ";
  if (!input.type().has_tensor_type()) {
    report(what + "is not a tensor");
    return {};
  }
  const onnx::TypeProto::Tensor &tensor = input.type().tensor_type();
  const Type element = elementType(builder().getContext(), tensor.elem_type());
  if (!element || !tensor.has_shape()) {
    report(what + (element ? std::string("does not say how many axes it has")
                           : "has elements of type " + dataTypeName(tensor.elem_type()) +
                                 ", which is not supported"));
    return {};
  }
  tm::ExtentList extents;
  for (int axis = 0; axis < tensor.shape().dim_size(); ++axis)
    extents.push_back(
        inputExtent(tensor.shape().dim(axis), input.name() + "." + std::to_string(axis)));
  const RankedTensorType type = tm::tensorOf(extents, element);
  if (!type)
    report(what + "has extents that no tensor can have");
  return type;
}

bool GraphReader::readInputs(const onnx::GraphProto &graph) {
  for (const onnx::ValueInfoProto &input : graph.input()) {
    // Early files list weights among the inputs.
    if (value(input.name()))
      continue;
    const RankedTensorType type = inputType(input);
    if (!type) {
      m_lost.insert(input.name());
      continue;
    }
    define(input.name(), addInput(input.name(), type));
  }
  checkExtents();
  return result().ok;
}

bool GraphReader::readInitializers(const onnx::GraphProto &graph) {
  if (graph.sparse_initializer_size() > 0)
    report("it has sparse weights, which are not supported");
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    const Value weight = read(tensor, nullptr);
    if (!weight) {
      m_lost.insert(tensor.name());
      continue;
    }
    if (!define(tensor.name(), weight))
      report("two weights have the name `" + tensor.name() + "`");
  }
  return true;
}

void GraphReader::giveUp(const onnx::NodeProto &node) {
  for (const std::string &output : node.output())
    m_lost.insert(output);
}

/// Whether all that the node uses is there. A fault that has been reported already says nothing new.
bool GraphReader::canRead(const onnx::GraphProto &graph, const onnx::NodeProto &node) {
  for (const std::string &input : node.input()) {
    if (input.empty() || value(input))
      continue;
    if (m_lost.contains(input))
      return false;
    for (const onnx::NodeProto &other : graph.node())
      if (llvm::is_contained(other.output(), input)) {
        report(node,
               "it uses `" + input + "` of node `" + nodeName(other) +
                   "`, which does not come before it: the nodes form a cycle or are out of order");
        return false;
      }
    report(node, "it uses `" + input + "`, which nothing in the model makes");
    return false;
  }
  return true;
}

bool GraphReader::readNode(const onnx::GraphProto &graph, const onnx::NodeProto &node) {
  const OperatorRule *rule = findRule(node.domain(), node.op_type());
  countOperator(node.op_type(), node.domain(), rule != nullptr);
  if (!rule) {
    const std::string domain = node.domain().empty() ? "" : " of `" + node.domain() + "`";
    report(node, "the operator `" + node.op_type() + "`" + domain + " is not supported");
    return false;
  }
  if (!canRead(graph, node))
    return false;
  const int64_t version = versionOf("");
  if (version == 0) {
    report(node, "the model does not say which version of the operators it uses");
    return false;
  }
  Node context(node, version, *this);
  return rule->read(context) && !context.failed();
}

void GraphReader::listNode(const onnx::NodeProto &node) {
  if (result().nodes.size() >= compiler::kMostListedNodes)
    return;
  compiler::ModelNode listed{
      nodeName(node), node.op_type(), {node.input().begin(), node.input().end()}, {}};
  for (const std::string &output : node.output())
    listed.outputs.push_back(describe(output, value(output)));
  result().nodes.push_back(std::move(listed));
}

bool GraphReader::readNodes(const onnx::GraphProto &graph) {
  for (const onnx::NodeProto &node : graph.node()) {
    if (m_stop.stop_requested())
      return false;
    if (!readNode(graph, node))
      giveUp(node);
    listNode(node);
  }
  return true;
}

bool GraphReader::outputsOf(const onnx::GraphProto &graph, SmallVectorImpl<Value> &outputs) {
  for (const onnx::ValueInfoProto &output : graph.output()) {
    outputs.push_back(value(output.name()));
    if (!outputs.back() && !m_lost.contains(output.name()))
      report("output `" + output.name() + "` is made by no node");
  }
  return llvm::all_of(outputs, [](Value output) { return output != nullptr; });
}

bool GraphReader::readInline(const onnx::GraphProto &graph, SmallVectorImpl<Value> &outputs) {
  if (m_scopes.size() >= kMostScopes)
    return false;
  m_scopes.emplace_back();
  const bool isRead = readInitializers(graph) && readNodes(graph) && outputsOf(graph, outputs);
  m_scopes.pop_back();
  return isRead;
}

func::FuncOp GraphReader::read(std::stop_token stop) {
  m_stop = std::move(stop);
  const onnx::GraphProto &graph = m_files.model().graph();
  begin(graph.name());
  m_scopes.emplace_back();
  SmallVector<Value> outputs;
  readInitializers(graph);
  readInputs(graph);
  readNodes(graph);
  outputsOf(graph, outputs);
  SmallVector<std::pair<std::string, Value>> named;
  for (const auto &[output, value] : llvm::zip_equal(graph.output(), outputs))
    named.emplace_back(output.name(), value);
  return finish(named);
}

} // namespace tilescope::model
