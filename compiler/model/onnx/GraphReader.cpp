// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/onnx/GraphReader.h"

#include "compiler/dialects/tm/ir/ExtentText.h"
#include "compiler/model/onnx/ElementTypes.h"
#include "compiler/model/onnx/OperatorRules.h"
#include "compiler/model/onnx/TensorData.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::model {

using compiler::Severity;

/// More diagnostics than these say nothing new.
static constexpr size_t kMostDiagnostics = 100;
/// Of graphs inside of nodes.
static constexpr size_t kMostScopes = 32;

GraphReader::GraphReader(ModelFiles &files, const compiler::ModelRequest &request,
                         compiler::ModelResult &result, OpBuilder &builder)
    : m_files(files), m_request(request), m_result(result), m_builder(builder) {}

static std::string nameOf(const onnx::NodeProto &node) {
  return !node.name().empty() || node.output_size() == 0 ? node.name() : node.output(0);
}

Location GraphReader::locationOf(const onnx::NodeProto &node) const {
  return NameLoc::get(m_builder.getStringAttr(nameOf(node)));
}

void GraphReader::add(compiler::ModelDiagnostic diagnostic) {
  m_result.ok &= diagnostic.severity != Severity::Error;
  if (m_result.diagnostics.size() < kMostDiagnostics)
    m_result.diagnostics.push_back(std::move(diagnostic));
  else
    ++m_numLeftOut;
}

void GraphReader::report(const onnx::NodeProto &node, const std::string &message) {
  add({Severity::Error, nameOf(node), node.op_type(), message});
}

void GraphReader::report(const std::string &message, Severity severity) {
  add({severity, "", "", message});
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

const Known *GraphReader::known(Value value) const {
  const auto found = m_known.find(value);
  return found == m_known.end() ? nullptr : &found->second;
}

Value GraphReader::folded(Operation *operation) {
  SmallVector<const Known *> operands;
  for (const Value operand : operation->getOperands())
    operands.push_back(known(operand));
  std::optional<Known> known = foldKnown(operation, operands);
  Value result = operation->getResult(0);
  if (!known)
    return result;
  const Location location = operation->getLoc();
  const auto type = cast<RankedTensorType>(result.getType());
  if (!isa<tm::ConstantOp, tm::SizesOp>(operation)) {
    Operation *made = nullptr;
    if (const ElementsAttr elements = constantOf(*known, type))
      made = tm::ConstantOp::create(m_builder, location, type, elements);
    else if (const auto sizes = sizesOf(*known);
             !sizes.empty() && isa<IntegerType>(type.getElementType()))
      made = tm::SizesOp::create(m_builder, location, type,
                                 tm::ExtentsAttr::get(m_builder.getContext(), sizes));
    if (made) {
      operation->erase();
      result = made->getResult(0);
    }
  }
  m_known[result] = std::move(*known);
  return result;
}

Value GraphReader::read(const onnx::TensorProto &tensor, const onnx::NodeProto *node) {
  const Result<ReadTensor> read = readTensor(m_builder.getContext(), tensor, m_files);
  if (!read) {
    if (node)
      report(*node, read.error().message);
    else
      report(read.error().message);
    return {};
  }
  const std::string name = tensor.name().empty() && node ? nameOf(*node) : tensor.name();
  const Location location = NameLoc::get(m_builder.getStringAttr(name));
  if (read->elements)
    return folded(tm::ConstantOp::create(m_builder, location, read->type, read->elements));
  return tm::WeightOp::create(m_builder, location, read->type, name, read->place.file,
                              int64_t(read->place.offset));
}

int64_t GraphReader::versionOf(const std::string &domain) const {
  for (const auto &[name, version] : m_result.operatorSets)
    if (name == domain)
      return version;
  return 0;
}

tm::Extent GraphReader::inputExtent(const onnx::TensorShapeProto::Dimension &extent,
                                    const std::string &name) {
  // Some converters write -1 or `?` for what is not known.
  if (extent.has_dim_value() && extent.dim_value() >= 0)
    return tm::number(m_builder.getContext(), extent.dim_value());
  const bool isNamed = !extent.dim_param().empty() && extent.dim_param() != "?";
  const std::string symbol = isNamed ? extent.dim_param() : name;
  if (m_usedSymbols.insert(symbol).second)
    m_result.symbols.push_back(symbol);
  for (const auto &[wanted, value] : m_request.extents)
    if (wanted == symbol)
      return tm::number(m_builder.getContext(), value);
  return tm::symbol(m_builder.getContext(), symbol);
}

RankedTensorType GraphReader::inputType(const onnx::ValueInfoProto &input) {
  const std::string what = "input `" + input.name() + "` ";
  if (!input.type().has_tensor_type()) {
    report(what + "is not a tensor");
    return {};
  }
  const onnx::TypeProto::Tensor &tensor = input.type().tensor_type();
  const Type element = elementType(m_builder.getContext(), tensor.elem_type());
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

static compiler::ModelTensor describe(const std::string &name, RankedTensorType type) {
  compiler::ModelTensor tensor{name, elementTypeName(type.getElementType()), {}};
  for (const tm::Extent extent : tm::extentsOf(type))
    tensor.extents.push_back(tm::extentText(extent));
  return tensor;
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
    const Location location = NameLoc::get(m_builder.getStringAttr(input.name()));
    define(input.name(), m_body->addArgument(type, location));
    m_result.inputs.push_back(describe(input.name(), type));
  }
  for (const auto &[name, value] : m_request.extents)
    if (!m_usedSymbols.contains(name)) {
      std::string known;
      for (const std::string &symbol : m_result.symbols)
        known += (known.empty() ? "" : ", ") + symbol;
      report("no input has an extent `" + name + "`" +
             (known.empty() ? "; all are numbers" : "; those that are not numbers: " + known));
    }
  return m_result.ok;
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

void GraphReader::countOperator(const onnx::NodeProto &node, bool isSupported) {
  ++m_result.numNodes;
  for (compiler::ModelOperator &each : m_result.operators)
    if (each.name == node.op_type() && each.domain == node.domain()) {
      ++each.count;
      return;
    }
  m_result.operators.push_back({node.op_type(), node.domain(), 1, isSupported});
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
               "it uses `" + input + "` of node `" + nameOf(other) +
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
  countOperator(node, rule != nullptr);
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
  if (m_result.nodes.size() >= compiler::kMostListedNodes)
    return;
  compiler::ModelNode listed{
      nameOf(node), node.op_type(), {node.input().begin(), node.input().end()}, {}};
  for (const std::string &output : node.output()) {
    const Value made = value(output);
    listed.outputs.push_back(made ? describe(output, cast<RankedTensorType>(made.getType()))
                                  : compiler::ModelTensor{output, "", {}});
  }
  m_result.nodes.push_back(std::move(listed));
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

/// Operations whose results nothing uses, as those are that only computed shapes.
static void eraseUnused(Block &body) {
  for (Operation &operation : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&operation))
      operation.erase();
}

/// Files keep them as initializers or as nodes of their own.
void GraphReader::countWeights() {
  for (Operation &operation : *m_body) {
    if (!isa<tm::WeightOp, tm::ConstantOp>(operation))
      continue;
    const uint64_t bytes =
        tm::bytesOf(cast<RankedTensorType>(operation.getResult(0).getType())).value_or(0);
    ++m_result.numWeights;
    m_result.weightBytes += bytes;
    if (auto mapped = dyn_cast<tm::WeightOp>(operation); mapped && !mapped.getFile().empty())
      m_result.externalBytes += bytes;
  }
}

void GraphReader::setNames(func::FuncOp function) {
  for (const auto &[index, input] : llvm::enumerate(m_result.inputs))
    function.setArgAttr(unsigned(index), "tm.name", m_builder.getStringAttr(input.name));
  for (const auto &[index, output] : llvm::enumerate(m_result.outputs))
    function.setResultAttr(unsigned(index), "tm.name", m_builder.getStringAttr(output.name));
}

func::FuncOp GraphReader::read(std::stop_token stop) {
  m_stop = std::move(stop);
  m_result.ok = true;
  const onnx::GraphProto &graph = m_files.model().graph();
  const Location location = NameLoc::get(m_builder.getStringAttr(graph.name()));
  auto function =
      func::FuncOp::create(m_builder, location, "main", m_builder.getFunctionType({}, {}));
  m_body = function.addEntryBlock();
  m_builder.setInsertionPointToStart(m_body);
  m_scopes.emplace_back();
  SmallVector<Value> outputs;
  readInitializers(graph);
  readInputs(graph);
  readNodes(graph);
  outputsOf(graph, outputs);
  for (const auto &[output, value] : llvm::zip_equal(graph.output(), outputs))
    if (value)
      m_result.outputs.push_back(describe(output.name(), cast<RankedTensorType>(value.getType())));
  if (m_numLeftOut > 0)
    m_result.diagnostics.push_back(
        {Severity::Note, "", "", "there are " + std::to_string(m_numLeftOut) + " more like these"});
  std::ranges::stable_sort(m_result.operators, std::greater(), &compiler::ModelOperator::count);
  if (!m_result.ok) {
    countWeights();
    return {};
  }
  func::ReturnOp::create(m_builder, location, outputs);
  function.setFunctionType(
      m_builder.getFunctionType(m_body->getArgumentTypes(), ValueRange(outputs).getTypes()));
  eraseUnused(*m_body);
  countWeights();
  setNames(function);
  m_result.numOperations = m_body->getOperations().size() - 1;
  return function;
}

} // namespace tilescope::model
