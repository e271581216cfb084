// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/torch_export/ExportReader.h"

#include "compiler/model/torch_export/AtenRules.h"
#include "compiler/model/torch_export/ExtentExpression.h"
#include "compiler/model/torch_export/ScalarTypes.h"
#include "compiler/model/torch_export/WeightReader.h"

using namespace mlir;

namespace tilescope::model {

using compiler::Severity;
using Kind = ExportedArgument::Kind;

ExportReader::ExportReader(const ExportFiles &files, const compiler::ModelRequest &request,
                           compiler::ModelResult &result, OpBuilder &builder)
    : GraphBuilder(request, result, builder), m_files(files), m_program(files.program()),
      m_aliases(files.program()) {}

bool ExportReader::define(StringRef name, Value value) {
  return !m_sizes.contains(name) && m_values.try_emplace(name, value).second;
}
bool ExportReader::define(StringRef name, tm::Extent size) {
  return !m_values.contains(name) && m_sizes.try_emplace(name, size).second;
}

const ExportedTensor *ExportReader::described(StringRef name) const {
  const auto found = m_program.tensors.find(std::string_view(name));
  return found == m_program.tensors.end() ? nullptr : &found->second;
}

RankedTensorType ExportReader::typeOf(const std::string &what, const ExportedTensor &tensor) {
  MLIRContext *context = builder().getContext();
  const Type element = elementTypeOf(context, tensor.elementType);
  if (!element) {
    report(what + " has elements of type " + scalarTypeName(tensor.elementType) +
           ", which is not supported");
    return {};
  }
  tm::ExtentList extents;
  for (const ExportedSize &extent : tensor.extents)
    extents.push_back(extent.symbol.empty()
                          ? tm::number(context, extent.value)
                          : readExtentExpression(context, extent.symbol, [&](StringRef symbol) {
                              return inputExtent(symbol.str());
                            }));
  const RankedTensorType type = tm::tensorOf(extents, element);
  if (!type)
    report(what + " has extents that no tensor can have");
  return type;
}

Value ExportReader::readWeight(const ExportedInput &input) {
  const StoredWeight *weight = m_files.weight(input.weight);
  const std::string what = "weight `" + input.weight + "`";
  if (!weight) {
    report(what + " is not in the file");
    return {};
  }
  const RankedTensorType type = typeOf(what, weight->tensor);
  if (!type)
    return {};
  const Result<Value> read = weightValue(*this, input.weight, *weight, type, m_files);
  if (read)
    return *read;
  report(what + " " + read.error().message);
  return {};
}

void ExportReader::readInput(const ExportedInput &input) {
  if (input.kind == ExportedInput::Kind::Other) {
    report("an input is " +
           (input.what == "user_input" ? std::string("neither a tensor nor a number that is fixed")
                                       : "a `" + input.what + "`") +
           ", which is not supported");
    return;
  }
  if (input.name.empty())
    return;
  Value value;
  if (input.kind != ExportedInput::Kind::User) {
    value = readWeight(input);
  } else if (const ExportedTensor *tensor = described(input.name)) {
    const RankedTensorType type = typeOf("input `" + input.name + "`", *tensor);
    value = type ? addInput(input.name, type) : Value();
  } else {
    report("input `" + input.name + "` has no type");
  }
  if (!value)
    m_lost.insert(input.name);
  else if (!define(input.name, value))
    report("two inputs have the name `" + input.name + "`");
}

void ExportReader::readInputs() {
  for (const ExportedInput &input : m_program.inputs)
    readInput(input);
  checkExtents();
  checkRanges();
}

/// PyTorch writes 2 where a program was exported for any extent, and runs it with 0 and 1, too.
static constexpr int64_t kLeastNamed = 2;

void ExportReader::checkRanges() {
  for (const auto &[symbol, value] : request().extents) {
    const auto found = m_program.ranges.find(symbol);
    if (found == m_program.ranges.end())
      continue;
    const auto &[least, most] = found->second;
    const bool hasLeast = least && *least > kLeastNamed;
    if ((!hasLeast || value >= *least) && (!most || value <= *most))
      continue;
    report("`" + symbol + "` cannot be " + std::to_string(value) + ": the model was exported for " +
           (hasLeast && most ? std::to_string(*least) + " to " + std::to_string(*most)
            : hasLeast       ? std::to_string(*least) + " and more"
                             : std::to_string(*most) + " at most"));
  }
}

void ExportReader::giveUp(const ExportedNode &node) {
  for (const ExportedArgument &output : node.outputs) {
    m_lost.insert(output.text);
    for (const std::string &name : output.texts)
      m_lost.insert(name);
    for (const ExportedSize &size : output.sizes)
      m_lost.insert(size.symbol);
  }
}

/// A fault that has been reported already says nothing new.
bool ExportReader::isThere(const ExportedNode &node, const std::string &name) {
  if (name.empty() || m_values.contains(name) || m_sizes.contains(name))
    return true;
  if (m_lost.contains(name))
    return false;
  if (m_unmade.contains(name)) {
    report(node.name, OperatorName(node.target).shown,
           "it uses `" + name + "`, a result that is not supported");
    return false;
  }
  const auto makes = [&](const ExportedNode &other) {
    return llvm::any_of(other.outputs, [&](const ExportedArgument &output) {
      return output.text == name || llvm::is_contained(output.texts, name);
    });
  };
  const auto maker = llvm::find_if(m_program.nodes, makes);
  report(node.name, OperatorName(node.target).shown,
         maker == m_program.nodes.end()
             ? "it uses `" + name + "`, which nothing in the model makes"
             : "it uses `" + name + "` of node `" + maker->name +
                   "`, which does not come before it: the nodes form a cycle or are out of order");
  return false;
}

bool ExportReader::canRead(const ExportedNode &node) {
  for (const ExportedOperand &operand : node.operands) {
    if (operand.value.kind == Kind::Tensor && !isThere(node, operand.value.text))
      return false;
    for (const std::string &name : operand.value.texts)
      if (!isThere(node, name))
        return false;
    for (const ExportedSize &size : operand.value.sizes)
      if (!isThere(node, size.symbol))
        return false;
  }
  return true;
}

/// What layers use that drop something at random in training.
static bool isRandom(const OperatorName &name) {
  static const StringSet<> kRandom{"aten.bernoulli", "aten.exponential", "aten.multinomial",
                                   "aten.normal",    "aten.rand",        "aten.rand_like",
                                   "aten.randint",   "aten.randn",       "aten.randn_like",
                                   "aten.randperm",  "aten.uniform",     "aten.native_dropout"};
  return kRandom.contains(name.base);
}

bool ExportReader::readNode(const ExportedNode &node) {
  const OperatorName name(node.target);
  const AtenRule *rule = findAtenRule(name);
  countOperator(name.shown, "", rule != nullptr);
  if (!rule) {
    report(node.name, name.shown,
           "the operator `" + name.shown + "` is not supported" +
               (isRandom(name) ? ": its result is random, as in training; if the model is to be "
                                 "run, call `model.eval()` before the export"
                               : ""));
    return false;
  }
  if (rule->needsOperands && !canRead(node))
    return false;
  AtenNode context(node, name, *this);
  return rule->read(context) && !context.failed();
}

void ExportReader::listNode(const ExportedNode &node) {
  if (result().nodes.size() >= compiler::kMostListedNodes)
    return;
  compiler::ModelNode listed{node.name, OperatorName(node.target).shown, {}, {}};
  for (const ExportedOperand &operand : node.operands) {
    if (operand.value.kind == Kind::Tensor)
      listed.inputs.push_back(operand.value.text);
    llvm::append_range(listed.inputs, operand.value.texts);
  }
  for (const ExportedArgument &output : node.outputs) {
    std::vector<std::string> names = output.texts;
    if (output.kind == Kind::Tensor)
      names.push_back(output.text);
    for (const std::string &name : names)
      listed.outputs.push_back(describe(name, value(name)));
  }
  result().nodes.push_back(std::move(listed));
}

bool ExportReader::readNodes() {
  for (const ExportedNode &node : m_program.nodes) {
    if (m_stop.stop_requested())
      return false;
    if (!readNode(node))
      giveUp(node);
    m_aliases.follow(node);
    listNode(node);
    ++m_position;
  }
  return true;
}

SmallVector<std::pair<std::string, Value>> ExportReader::readOutputs() {
  SmallVector<std::pair<std::string, Value>> outputs;
  bool keepsState = false;
  for (const ExportedOutput &output : m_program.outputs) {
    keepsState |= output.what.find("mutation") != std::string::npos;
    if (!output.isResult)
      continue;
    if (output.name.empty())
      report("an output is not a tensor, which is not supported");
    else if (!value(output.name) && !m_lost.contains(output.name))
      report(
          "output `" + output.name + "` is " +
          (m_unmade.contains(output.name) ? "a result that is not supported" : "made by no node"));
    else
      outputs.emplace_back(output.name, value(output.name));
  }
  if (keepsState)
    report(
        "the model changes weights or inputs of its own: a run begins with those of the file and "
        "keeps no changes",
        Severity::Warning);
  return outputs;
}

func::FuncOp ExportReader::read(std::stop_token stop) {
  m_stop = std::move(stop);
  begin("main");
  readInputs();
  readNodes();
  return finish(readOutputs());
}

} // namespace tilescope::model
