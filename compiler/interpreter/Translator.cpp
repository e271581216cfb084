// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Translator.h"

#include "compiler/interpreter/MemoryPlan.h"
#include "compiler/interpreter/kernels/FloatFormats.h"

#include "llvm/ADT/APFloat.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler::interpreter {

std::optional<Element> getElement(Type type) {
  // The place of a buffer; tokens are nothing.
  if (isa<ttg::MemDescType, ttg::AsyncTokenType>(type))
    return Element::I64;
  Type scalar = getElementTypeOrSelf(type);
  if (auto pointer = dyn_cast<tt::PointerType>(scalar))
    return isa<RankedTensorType>(pointer.getPointeeType()) ? std::nullopt
                                                           : std::optional(Element::Pointer);
  if (scalar.isIndex())
    return Element::I64;
  if (auto integer = dyn_cast<IntegerType>(scalar)) {
    switch (integer.getWidth()) {
    case 1:
      return Element::I1;
    case 8:
      return Element::I8;
    case 16:
      return Element::I16;
    case 32:
      return Element::I32;
    case 64:
      return Element::I64;
    default:
      return std::nullopt;
    }
  }
  if (isa<Float8E5M2Type>(scalar))
    return Element::F8E5M2;
  if (isa<Float8E4M3FNType>(scalar))
    return Element::F8E4M3;
  if (isa<Float8E5M2FNUZType>(scalar))
    return Element::F8E5M2FNUZ;
  if (isa<Float8E4M3FNUZType>(scalar))
    return Element::F8E4M3FNUZ;
  if (scalar.isF16())
    return Element::F16;
  if (scalar.isBF16())
    return Element::BF16;
  if (scalar.isF32())
    return Element::F32;
  if (scalar.isF64())
    return Element::F64;
  return std::nullopt;
}

static Shape getShape(Type type) {
  Shape shape;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    shape.rank = static_cast<int>(tensor.getRank());
    for (int d = 0; d < shape.rank; ++d)
      shape.extent[d] = tensor.getDimSize(d);
    shape.count = tensor.getNumElements();
  }
  return shape;
}

uint32_t Translator::newValue(Type type, Location location) {
  std::optional<Element> element = getElement(type);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if ((!element || (tensor && tensor.getRank() > kMaxRank)) && !m_context.error) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    m_context.error =
        TranslationError{location, "values of type `" + text + "` cannot be executed"};
  }
  ValueInfo info;
  info.element = element.value_or(Element::I32);
  info.shape = tensor && tensor.getRank() > kMaxRank ? Shape() : getShape(type);
  // Values of regions are scalars, whose memory the number of lanes multiplies; others are placed
  // later.
  if (m_outer) {
    info.offset = m_program->memorySize;
    m_program->memorySize += 8;
  }
  m_program->values.push_back(info);
  return static_cast<uint32_t>(m_program->values.size() - 1);
}

uint32_t Translator::valueOf(Value value) {
  if (auto found = m_values.find(value); found != m_values.end())
    return found->second;
  uint32_t id = newValue(value.getType(), value.getLoc());
  m_values[value] = id;
  if (TranslationNotes *noted = notes()) {
    noted->values.resize(id + 1);
    noted->values[id] = value;
  }
  // Each value that a region uses from around it becomes one more argument.
  if (m_outer && m_region && !m_region->isAncestor(value.getParentRegion()) &&
      m_region->getParentOp()->getParentOfType<tt::FuncOp>() ==
          value.getParentRegion()->getParentOfType<tt::FuncOp>()) {
    m_program->arguments.push_back(id);
    m_program->captured.push_back(m_outer->valueOf(value));
  }
  return id;
}

std::vector<uint32_t> Translator::valuesOf(ValueRange values) {
  std::vector<uint32_t> ids;
  for (Value value : values)
    ids.push_back(valueOf(value));
  return ids;
}

uint32_t Translator::defineResults(Operation *op) {
  // Results that were numbered before their definition need not be consecutive.
  bool isKnown =
      llvm::any_of(op->getResults(), [&](Value result) { return m_values.contains(result); });
  uint32_t first =
      isKnown ? m_values.lookup(op->getResult(0)) : static_cast<uint32_t>(m_program->values.size());
  for (auto [index, result] : llvm::enumerate(op->getResults()))
    if (valueOf(result) != first + index)
      fail(op, "`" + op->getName().getStringRef().str() + "` is used before it is executed");
  return first;
}

Instruction &Translator::emit(Operation *op, Instruction::Run run, ValueRange operands) {
  Instruction instruction;
  instruction.run = run;
  instruction.in = valuesOf(operands);
  Location location = op->getLoc();
  if (m_context.locations.empty() || m_context.locations.back() != location)
    m_context.locations.push_back(location);
  instruction.location = static_cast<uint32_t>(m_context.locations.size() - 1);
  if (TranslationNotes *noted = notes())
    noted->places.push_back({op, m_context.call});
  return m_program->code.emplace_back(std::move(instruction));
}

Instruction &Translator::emitWithResult(Operation *op, Instruction::Run run, ValueRange operands) {
  uint32_t out = defineResults(op);
  Instruction &instruction = emit(op, run, operands);
  instruction.out = out;
  instruction.numOut = op->getNumResults();
  return instruction;
}

uint32_t Translator::emitJump(Operation *op, Instruction::Run run, std::vector<uint32_t> in) {
  m_program->isStraightLine = false;
  emit(op, run, {}).in = std::move(in);
  return here() - 1;
}

bool Translator::fail(Operation *op, std::string message) {
  if (!m_context.error)
    m_context.error = TranslationError{op->getLoc(), std::move(message)};
  return true;
}

bool Translator::isExecuted(Operation *op) const {
  return !m_context.slice || m_outer || op->hasTrait<OpTrait::IsTerminator>() ||
         isa<scf::ForOp, scf::IfOp>(op) || m_context.slice->writers.contains(op) ||
         llvm::any_of(op->getResults(), [&](Value result) { return isComputed(result); });
}

void Translator::translate(Operation *op) {
  emitTrace(op);
  if (!isExecuted(op))
    return;
  emitWarpWait(op);
  // What guides only the compiler.
  StringRef name = op->getName().getStringRef();
  if (name == "llvm.intr.assume" || name == "gpu.barrier" || name == "ttg.barrier" ||
      name == "tt.grid_dependency_wait" || name == "tt.grid_dependency_launch_dependents")
    return;
  for (Handler handler :
       {&Translator::translateElementwise, &Translator::translateAssembly,
        &Translator::translateConstant, &Translator::translateShape, &Translator::translateMemory,
        &Translator::translateDot, &Translator::translateStructuredControl,
        &Translator::translateBranch, &Translator::translateCall, &Translator::translateRegionOp,
        &Translator::translateDebug, &Translator::translateLayoutOp})
    if ((this->*handler)(op))
      return;
  fail(op, "`" + name.str() + "` cannot be executed on the CPU");
}

// Constants
// ------------------------------------------------------------------------------------------

static void appendElement(std::string &bytes, Attribute value, Element element) {
  std::array<std::byte, 8> data{};
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    storeInteger(data.data(), element,
                 element == Element::I1 ? integer.getValue().getBoolValue()
                                        : integer.getValue().getSExtValue());
  } else if (auto number = dyn_cast<FloatAttr>(value)) {
    APFloat exact = number.getValue();
    bool losesInfo = false;
    if (element == Element::F64) {
      double converted = exact.convertToDouble();
      std::memcpy(data.data(), &converted, sizeof(converted));
    } else {
      exact.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &losesInfo);
      float converted = exact.convertToFloat();
      std::memcpy(data.data(), &converted, sizeof(converted));
    }
  }
  bytes.append(reinterpret_cast<const char *>(data.data()), storageSize(element));
}

void Translator::emitConstant(Operation *op, Value result, std::string bytes) {
  uint32_t id = valueOf(result);
  Instruction &instruction = emit(op, runConstant, {});
  instruction.out = id;
  instruction.numOut = 1;
  instruction.text = std::move(bytes);
}

bool Translator::translateConstant(Operation *op) {
  if (isa<ub::PoisonOp>(op)) {
    for (Value result : op->getResults())
      if (std::optional<Element> element = getElement(result.getType()))
        emitConstant(op, result, std::string(storageSize(*element), '\0'));
    return true;
  }
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant)
    return false;
  std::optional<Element> element = getElement(constant.getType());
  if (!element)
    return fail(op, "a constant of this type cannot be executed");
  std::string bytes;
  auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (dense && !dense.isSplat()) {
    for (Attribute value : dense.getValues<Attribute>())
      appendElement(bytes, value, *element);
  } else {
    appendElement(bytes, dense ? dense.getSplatValue<Attribute>() : constant.getValue(), *element);
  }
  emitConstant(op, constant.getResult(), std::move(bytes));
  return true;
}

// Programs
// -------------------------------------------------------------------------------------------

std::shared_ptr<Program> Translator::translateKernel(tt::FuncOp kernel) {
  m_activeCallees.insert(kernel);
  for (Value argument : kernel.getArguments()) {
    // Where only addresses are followed, a descriptor stands for the tensor that it describes.
    if (m_context.slice && isa<tt::TensorDescType>(argument.getType()))
      m_values[argument] = newValue(
          tt::PointerType::get(IntegerType::get(kernel.getContext(), 8), 1), argument.getLoc());
    m_program->arguments.push_back(valueOf(argument));
  }
  translateBlocks(kernel.getBody());
  if (m_context.error)
    return nullptr;
  if (TranslationNotes *noted = notes()) {
    noted->values.resize(m_program->values.size());
    noteBuffers(*noted);
    m_program->keepsValues = true;
  }
  planMemory(*m_program);
  return m_program;
}

} // namespace tilescope::compiler::interpreter
