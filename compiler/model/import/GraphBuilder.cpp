// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/import/GraphBuilder.h"

#include "compiler/dialects/tm/ir/ExtentText.h"
#include "compiler/model/import/ElementNames.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::model {

using compiler::Severity;

/// More diagnostics than these say nothing new.
static constexpr size_t kMostDiagnostics = 100;

GraphBuilder::GraphBuilder(const compiler::ModelRequest &request, compiler::ModelResult &result,
                           OpBuilder &builder)
    : m_request(request), m_result(result), m_builder(builder) {}

Location GraphBuilder::named(StringRef name) const {
  return NameLoc::get(m_builder.getStringAttr(name));
}

void GraphBuilder::report(const std::string &node, const std::string &operatorName,
                          const std::string &message) {
  m_result.ok = false;
  if (m_result.diagnostics.size() < kMostDiagnostics)
    m_result.diagnostics.push_back({Severity::Error, node, operatorName, message});
  else
    ++m_numLeftOut;
}

void GraphBuilder::report(const std::string &message, Severity severity) {
  m_result.ok &= severity != Severity::Error;
  if (m_result.diagnostics.size() < kMostDiagnostics)
    m_result.diagnostics.push_back({severity, "", "", message});
  else
    ++m_numLeftOut;
}

const Known *GraphBuilder::known(Value value) const {
  const auto found = m_known.find(value);
  return found == m_known.end() ? nullptr : &found->second;
}

Value GraphBuilder::folded(Operation *operation) {
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

tm::Extent GraphBuilder::inputExtent(const std::string &symbol) {
  if (m_usedSymbols.insert(symbol).second)
    m_result.symbols.push_back(symbol);
  for (const auto &[wanted, value] : m_request.extents)
    if (wanted == symbol)
      return tm::number(m_builder.getContext(), value);
  return tm::symbol(m_builder.getContext(), symbol);
}

void GraphBuilder::checkExtents() {
  for (const auto &[name, value] : m_request.extents)
    if (!m_usedSymbols.contains(name)) {
      std::string known;
      for (const std::string &symbol : m_result.symbols)
        known += (known.empty() ? "" : ", ") + symbol;
      report("no input has an extent `" + name + "`" +
             (known.empty() ? "; all are numbers" : "; those that are not numbers: " + known));
    }
}

compiler::ModelTensor GraphBuilder::describe(const std::string &name, Value value) {
  if (!value)
    return {name, "", {}};
  const auto type = cast<RankedTensorType>(value.getType());
  compiler::ModelTensor tensor{name, elementTypeName(type.getElementType()), {}};
  for (const tm::Extent extent : tm::extentsOf(type))
    tensor.extents.push_back(tm::extentText(extent));
  return tensor;
}

void GraphBuilder::begin(StringRef name) {
  m_result.ok = true;
  m_function =
      func::FuncOp::create(m_builder, named(name), "main", m_builder.getFunctionType({}, {}));
  m_body = m_function.addEntryBlock();
  m_builder.setInsertionPointToStart(m_body);
}

Value GraphBuilder::addInput(const std::string &name, RankedTensorType type) {
  const Value input = m_body->addArgument(type, named(name));
  m_result.inputs.push_back(describe(name, input));
  return input;
}

void GraphBuilder::countOperator(const std::string &name, const std::string &domain,
                                 bool isSupported) {
  ++m_result.numNodes;
  for (compiler::ModelOperator &each : m_result.operators)
    if (each.name == name && each.domain == domain) {
      ++each.count;
      return;
    }
  m_result.operators.push_back({name, domain, 1, isSupported});
}

/// Operations whose results nothing uses, as those are that only computed shapes.
static void eraseUnused(Block &body) {
  for (Operation &operation : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&operation))
      operation.erase();
}

/// Files keep them as weights or as nodes of their own.
void GraphBuilder::countWeights() {
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

void GraphBuilder::setNames() {
  for (const auto &[index, input] : llvm::enumerate(m_result.inputs))
    m_function.setArgAttr(unsigned(index), "tm.name", m_builder.getStringAttr(input.name));
  for (const auto &[index, output] : llvm::enumerate(m_result.outputs))
    m_function.setResultAttr(unsigned(index), "tm.name", m_builder.getStringAttr(output.name));
}

func::FuncOp GraphBuilder::finish(ArrayRef<std::pair<std::string, Value>> outputs) {
  SmallVector<Value> values;
  for (const auto &[name, value] : outputs)
    if (value) {
      m_result.outputs.push_back(describe(name, value));
      values.push_back(value);
    }
  if (m_numLeftOut > 0)
    m_result.diagnostics.push_back(
        {Severity::Note, "", "", "there are " + std::to_string(m_numLeftOut) + " more like these"});
  std::ranges::stable_sort(m_result.operators, std::greater(), &compiler::ModelOperator::count);
  if (!m_result.ok) {
    countWeights();
    return {};
  }
  func::ReturnOp::create(m_builder, m_function.getLoc(), values);
  m_function.setFunctionType(
      m_builder.getFunctionType(m_body->getArgumentTypes(), ValueRange(values).getTypes()));
  eraseUnused(*m_body);
  countWeights();
  setNames();
  m_result.numOperations = m_body->getOperations().size() - 1;
  return m_function;
}

} // namespace tilescope::model
