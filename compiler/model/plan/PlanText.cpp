// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/plan/PlanText.h"

#include "compiler/dialects/tm/ir/Extents.h"
#include "compiler/model/plan/Arena.h"

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

static int64_t bytesOf(RankedTensorType type) {
  return type.getNumElements() * std::max(1U, type.getElementTypeBitWidth() / 8);
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
        return json::Object{{"file", op.getFile()},
                            {"offset", int64_t(op.getOffset())},
                            {"bytes", bytesOf(tensorType(value))}};
      })
      .Default([](Operation *) { return json::Object(); });
}

namespace {
class Buffers {
public:
  json::Object tensor(Value value, ArrayRef<int64_t> shape) {
    return json::Object{{"dtype", tritonType(tensorType(value).getElementType())},
                        {"shape", json::Array(shape)},
                        {"buffer", numberOf(value)}};
  }
  /// The step reads or writes it.
  void use(Value value, int64_t step, bool isResult) {
    Life &life = m_lives[size_t(numberOf(value))];
    life.last = std::max(life.last, step);
    if (!isResult)
      return;
    life.first = step;
    life.bytes = bytesOf(tensorType(value));
  }

  /// Buffers that steps write get their places, and the size of the arena is returned.
  json::Object place() {
    std::vector<Lifetime> lifetimes;
    std::vector<size_t> numbers;
    for (const auto &[number, life] : llvm::enumerate(m_lives))
      if (life.first >= 0) {
        lifetimes.push_back({life.bytes, life.first, life.last});
        numbers.push_back(number);
      }
    const Arena arena = planArena(lifetimes);
    for (const auto &[number, lifetime, offset] :
         llvm::zip_equal(numbers, lifetimes, arena.offsets))
      m_buffers[number] = json::Object{{"at", offset},
                                       {"bytes", lifetime.bytes},
                                       {"first", lifetime.first},
                                       {"last", lifetime.last}};
    return json::Object{{"bytes", arena.bytes}, {"least_bytes", arena.leastBytes}};
  }

  json::Array take() { return std::move(m_buffers); }

private:
  /// Of a buffer; `first` is -1 where no step writes it.
  struct Life {
    int64_t bytes = 0, first = -1, last = -1;
  };

  int64_t numberOf(Value value) {
    while (auto reshape = value.getDefiningOp<tm::ReshapeOp>())
      value = reshape.getOperand();
    const auto [number, isNew] = m_numbers.try_emplace(value, int64_t(m_buffers.size()));
    if (isNew) {
      m_buffers.push_back(bufferOf(value));
      m_lives.emplace_back();
    }
    return number->second;
  }

  llvm::DenseMap<Value, int64_t> m_numbers;
  json::Array m_buffers;
  std::vector<Life> m_lives;
};
} // namespace

static json::Object stepJson(const EmittedStep &step, int64_t number, Buffers &buffers) {
  json::Array tensors;
  for (const EmittedTensor &tensor : step.kernel.tensors) {
    json::Object each = buffers.tensor(tensor.value, tensor.shape);
    buffers.use(tensor.value, number, tensor.isResult);
    each["argument"] = tensor.name;
    each["is_result"] = tensor.isResult;
    tensors.push_back(std::move(each));
  }
  return json::Object{{"node", json::fixUTF8(step.node)},
                      {"function", step.function},
                      {"block", json::fixUTF8(launchText(step, false))},
                      {"tensors", std::move(tensors)}};
}

std::string planText(func::FuncOp function, const Emission &emission) {
  Buffers buffers;
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
  for (const auto &[number, step] : llvm::enumerate(emission.steps))
    steps.push_back(stepJson(step, int64_t(number), buffers));
  Operation *end = function.getBody().front().getTerminator();
  for (const auto &[i, value] : llvm::enumerate(end->getOperands())) {
    outputs.push_back(named(value, function.getResultAttr(unsigned(i), "tm.name")));
    buffers.use(value, int64_t(emission.steps.size()), false);
  }
  json::Object arena = buffers.place();
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
