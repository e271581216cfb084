// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/plan/PlanText.h"

#include "compiler/dialects/tm/ir/Extents.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
namespace json = llvm::json;

namespace tilescope::model {

/// Little-endian, as memory has them; truth values are bytes.
static std::string elementBytes(const APInt &bits) {
  const unsigned size = std::max(1U, bits.getBitWidth() / 8);
  std::string bytes;
  for (unsigned i = 0; i < size; ++i)
    bytes += char(bits.extractBitsAsZExtValue(std::min(8U, bits.getBitWidth() - 8 * i), 8 * i));
  return bytes;
}

static APInt bitsOf(Attribute element) {
  if (auto real = dyn_cast<FloatAttr>(element))
    return real.getValue().bitcastToAPInt();
  return cast<IntegerAttr>(element).getValue();
}

static json::Object dataBuffer(const std::string &bytes, int64_t repeat) {
  return json::Object{{"data", llvm::toHex(bytes, true)}, {"repeat", repeat}};
}

static json::Object constantBuffer(ElementsAttr value) {
  const auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements || elements.empty())
    return dataBuffer("", 0);
  if (elements.isSplat())
    return dataBuffer(elementBytes(bitsOf(elements.getSplatValue<Attribute>())),
                      elements.getNumElements());
  std::string bytes;
  // As memory has them already, and there may be millions.
  if (elements.getElementType().getIntOrFloatBitWidth() >= 8) {
    const ArrayRef<char> raw = elements.getRawData();
    return dataBuffer(std::string(raw.begin(), raw.end()), 1);
  }
  for (const Attribute element : elements.getValues<Attribute>())
    bytes += elementBytes(bitsOf(element));
  return dataBuffer(bytes, 1);
}

static json::Object sizesBuffer(tm::SizesOp op) {
  const unsigned width = tensorType(op.getResult()).getElementType().getIntOrFloatBitWidth();
  std::string bytes;
  for (const AffineExpr value : op.getValues().getValues())
    bytes += elementBytes(APInt(width, uint64_t(tm::numberOf(value).value_or(0)), true, true));
  return dataBuffer(bytes, 1);
}

/// What holds the elements before any step.
static json::Object bufferOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return json::Object{{"input", int64_t(argument.getArgNumber())}};
  return llvm::TypeSwitch<Operation *, json::Object>(value.getDefiningOp())
      .Case([](tm::ConstantOp op) { return constantBuffer(op.getValue()); })
      .Case([](tm::SizesOp op) { return sizesBuffer(op); })
      .Case([&](tm::FillOp op) {
        return dataBuffer(elementBytes(bitsOf(op.getValue())), tensorType(value).getNumElements());
      })
      .Case([&](tm::WeightOp op) {
        json::Object buffer{{"file", op.getFile()},
                            {"offset", int64_t(op.getOffset())},
                            {"bytes", storageBytes(tensorType(value))}};
        if (!op.getOrder().empty()) {
          buffer["order"] = json::Array(op.getOrder());
          buffer["shape"] = json::Array(tensorType(value).getShape());
        }
        return buffer;
      })
      .Default([](Operation *) { return json::Object(); });
}

namespace {
class Buffers {
public:
  explicit Buffers(const MemoryPlan &memory) : m_memory(memory) {}

  json::Object tensor(Value value, ArrayRef<int64_t> shape) {
    return json::Object{{"dtype", tritonType(tensorType(value).getElementType())},
                        {"shape", json::Array(shape)},
                        {"buffer", numberOf(storageOf(value))}};
  }

  json::Array take() { return std::move(m_buffers); }

private:
  int64_t numberOf(Value value) {
    const auto [number, isNew] = m_numbers.try_emplace(value, int64_t(m_buffers.size()));
    if (const PlannedTensor *written = isNew ? m_memory.find(value) : nullptr)
      m_buffers.push_back(json::Object{{"at", written->offset},
                                       {"bytes", written->life.bytes},
                                       {"first", written->life.first},
                                       {"last", written->life.last}});
    else if (isNew)
      m_buffers.push_back(bufferOf(value));
    return number->second;
  }

  const MemoryPlan &m_memory;
  llvm::DenseMap<Value, int64_t> m_numbers;
  json::Array m_buffers;
};
} // namespace

static json::Object stepJson(const EmittedStep &step, Buffers &buffers) {
  json::Array tensors;
  for (const EmittedTensor &tensor : step.kernel.tensors) {
    json::Object each = buffers.tensor(tensor.value, tensor.shape);
    each["argument"] = tensor.name;
    each["is_result"] = tensor.isResult;
    tensors.push_back(std::move(each));
  }
  return json::Object{{"node", json::fixUTF8(step.node)},
                      {"function", step.function},
                      {"block", json::fixUTF8(launchText(step, false))},
                      {"tensors", std::move(tensors)}};
}

std::string planText(func::FuncOp function, const Emission &emission, const MemoryPlan &memory) {
  Buffers buffers(memory);
  const auto named = [&](Value value, Attribute name) {
    json::Object tensor = buffers.tensor(value, tensorType(value).getShape());
    const auto text = dyn_cast_or_null<StringAttr>(name);
    tensor["name"] = json::fixUTF8(text ? text.getValue() : "");
    return tensor;
  };
  json::Array inputs, steps, outputs;
  json::Object functions;
  for (const BlockArgument argument : function.getArguments())
    inputs.push_back(named(argument, function.getArgAttr(argument.getArgNumber(), "tm.name")));
  for (const EmittedStep &step : emission.steps)
    steps.push_back(stepJson(step, buffers));
  Operation *end = function.getBody().front().getTerminator();
  for (const auto &[i, value] : llvm::enumerate(end->getOperands()))
    outputs.push_back(named(value, function.getResultAttr(unsigned(i), "tm.name")));
  json::Object arena{{"bytes", memory.bytes}, {"least_bytes", memory.leastBytes}};
  for (const auto &[name, definition, helper] : emission.functions)
    functions[name] = kImports + (helper.empty() ? helper : "\n\n" + helper) + "\n\n" + definition;
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(json::Object{{"arena", std::move(arena)},
                                                             {"functions", std::move(functions)},
                                                             {"inputs", std::move(inputs)},
                                                             {"outputs", std::move(outputs)},
                                                             {"steps", std::move(steps)},
                                                             {"buffers", buffers.take()}});
  return text;
}

} // namespace tilescope::model
