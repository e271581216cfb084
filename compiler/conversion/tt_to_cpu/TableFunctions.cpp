// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/TableFunctions.h"

#include "compiler/conversion/tt_to_cpu/Closeness.h"
#include "compiler/conversion/tt_to_cpu/Elementwise.h"
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"
#include "compiler/interpreter/kernels/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tilescope::compiler::interpreter;

namespace tilescope::cpu {

static constexpr StringLiteral kPrefix = "tilescope.";

static std::optional<Element> elementOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto integer = dyn_cast<IntegerType>(element))
    return integer.getWidth() == 8    ? std::optional(Element::I8)
           : integer.getWidth() == 16 ? std::optional(Element::I16)
           : integer.getWidth() == 32 ? std::optional(Element::I32)
           : integer.getWidth() == 64 ? std::optional(Element::I64)
                                      : std::nullopt;
  return element.isF16()    ? std::optional(Element::F16)
         : element.isBF16() ? std::optional(Element::BF16)
         : element.isF32()  ? std::optional(Element::F32)
         : element.isF64()  ? std::optional(Element::F64)
                            : std::nullopt;
}

/// As the tables have it.
static std::string nameOf(Operation *op) {
  if (auto library = dyn_cast<tt::ExternElementwiseOp>(op))
    return library.getSymbol().str();
  if (auto clamp = dyn_cast<tt::ClampFOp>(op))
    return ("tt.clampf." + tt::stringifyPropagateNan(clamp.getPropagateNan())).str();
  return op->getName().getStringRef().str();
}

/// Whether there is a function, for types that both hold alike.
static bool hasFunction(Operation *op) {
  if (op->getNumOperands() == 0 || op->getNumResults() != 1 ||
      !elementOf(op->getResult(0).getType()))
    return false;
  if (!llvm::all_of(op->getOperandTypes(), [](Type type) { return elementOf(type).has_value(); }))
    return false;
  return findElementwise(nameOf(op), *elementOf(op->getOperand(0).getType())) != nullptr;
}

bool isTableFunction(Operation *op) { return !hasRule(op) && hasFunction(op); }

bool differsInTable(Operation *op) {
  const std::optional<Closeness> closeness = closenessOf(op->getName().getStringRef());
  return closeness && !closeness->hasSameBits() && hasFunction(op);
}

Value KernelLowering::emitOnTiles(Operation *op, ValueRange operands) {
  if (isTableFunction(op) || (m_options.isExact && differsInTable(op)))
    return callTable(op, operands);
  return emitElementwise(m_builder, op, operands, {m_options.hasAvx512, m_options.pairsBf16});
}

std::string tableSymbolOf(Operation *op) {
  const Element element = *elementOf(op->getOperand(0).getType());
  return (kPrefix + nameOf(op) + "." + std::string(elementName(element))).str();
}

void *tableFunction(StringRef symbol) {
  if (!symbol.consume_front(kPrefix))
    return nullptr;
  const auto [name, type] = symbol.rsplit('.');
  for (Element element : {Element::I8, Element::I16, Element::I32, Element::I64, Element::F16,
                          Element::BF16, Element::F32, Element::F64})
    if (type == StringRef(elementName(element)))
      return reinterpret_cast<void *>(
          findElementwise(std::string_view(name.data(), name.size()), element));
  return nullptr;
}

/// The type in which the tables hold elements.
static Type storageOf(OpBuilder &b, Type element) {
  return element.isF16() || element.isBF16() ? b.getF32Type() : element;
}

Value KernelLowering::callTable(Operation *op, ValueRange operands) {
  OpBuilder &b = m_builder;
  const Location loc = op->getLoc();
  int64_t lanes = 0;
  for (Value operand : operands)
    lanes = std::max(lanes, lanesOf(operand));
  const auto arrayOf = [&](Type element, int64_t count) {
    return allocate(RankedTensorType::get({std::max<int64_t>(count, 1)}, element)).base;
  };
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value in = arrayOf(b.getI64Type(), static_cast<int64_t>(operands.size()));
  uint32_t dense = 0;
  for (auto [index, operand] : llvm::enumerate(operands)) {
    Type storage = storageOf(b, getElementTypeOrSelf(operand.getType()));
    Value array = arrayOf(storage, lanesOf(operand));
    LLVM::StoreOp::create(
        b, loc, isa<FloatType>(storage) ? widenFloat(b, loc, operand, storage) : operand, array);
    Value place = arith::ConstantIntOp::create(b, loc, static_cast<int64_t>(index), 64);
    LLVM::StoreOp::create(b, loc, array, elementAddress(b, loc, in, place, b.getI64Type()));
    dense |= lanesOf(operand) ? 1U << index : 0U;
  }
  Type element = elementTypeOf(op->getResult(0).getType()), storage = storageOf(b, element);
  Value out = arrayOf(storage, lanes);
  auto function = LLVM::lookupOrCreateFn(b, m_module, tableSymbolOf(op),
                                         {pointer, pointer, b.getI32Type(), b.getI64Type()},
                                         LLVM::LLVMVoidType::get(b.getContext()));
  Value flags = arith::ConstantIntOp::create(b, loc, dense, 32);
  Value count = arith::ConstantIntOp::create(b, loc, std::max<int64_t>(lanes, 1), 64);
  LLVM::CallOp::create(b, loc, *function, ValueRange{out, in, flags, count});
  Type loaded = lanes ? Type(VectorType::get({lanes}, storage)) : storage;
  Value result = LLVM::LoadOp::create(b, loc, loaded, out);
  return storage == element ? result : narrowFloat(b, loc, result, element);
}

} // namespace tilescope::cpu
