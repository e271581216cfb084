// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Code that the kernel's author brings along: functions of libraries, and assembly.
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilescope::compiler {

static LogicalResult lowerExtern(tt::ExternElementwiseOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  Type type = lowering.elementType(op.getType());
  Values results;
  for (int index = 0; index < lowering.numRegisters(op.getType()); ++index) {
    Values operands;
    for (Value source : op.getSrcs()) {
      const Values &values = lowering.values(source);
      operands.push_back(values[values.size() == 1 ? 0 : index]);
    }
    results.push_back(callExternal(b, op.getSymbol(), type, operands));
  }
  lowering.set(op, std::move(results));
  return success();
}

/// Elements of one operand that share an assembly register.
static int elementsPerRegister(Type element, int pack) {
  int bits = isa<LLVM::LLVMPointerType>(element) ? 64 : element.getIntOrFloatBitWidth();
  return std::min(pack, std::max(1, 32 / bits));
}

/// The type of an assembly register for that many elements.
static Type registerType(Builder &b, Type element, int count) {
  if (count == 1)
    return element;
  return b.getIntegerType(element.getIntOrFloatBitWidth() * count);
}

static void appendPacked(Builder &b, ArrayRef<Value> elements, int perRegister, Values &operands) {
  for (size_t first = 0; first < elements.size(); first += perRegister) {
    ArrayRef<Value> part = elements.slice(first, perRegister);
    if (perRegister == 1)
      operands.push_back(part.front());
    else
      operands.push_back(
          bitcast(b, packVector(b, part), registerType(b, part.front().getType(), perRegister)));
  }
}

/// Authors write `=r, l`, and LLVM takes the blank for a constraint.
static std::string withoutBlanks(StringRef constraints) {
  std::string text = constraints.str();
  llvm::erase_if(text, llvm::isSpace);
  return text;
}

static LogicalResult lowerInlineAsm(tt::ElementwiseInlineAsmOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  int pack = op.getPackedElement();
  int count = 1;
  for (Type type : op->getOperandTypes())
    count = std::max(count, lowering.numRegisters(type));
  for (Type type : op->getResultTypes())
    count = std::max(count, lowering.numRegisters(type));
  SmallVector<Type> asmTypes;
  for (Type type : op->getResultTypes()) {
    Type element = lowering.elementType(type);
    int perRegister = elementsPerRegister(element, pack);
    asmTypes.append(pack / perRegister, registerType(b, element, perRegister));
  }
  Type result = asmTypes.size() == 1
                    ? asmTypes.front()
                    : Type(LLVM::LLVMStructType::getLiteral(b.getContext(), asmTypes));
  const std::string constraints = withoutBlanks(op.getConstraints());
  SmallVector<Values> results(op->getNumResults());
  for (int first = 0; first < count; first += pack) {
    Values operands;
    for (Value source : op.getArgs()) {
      const Values &values = lowering.values(source);
      Values part;
      // The last pack is filled up with copies of the last element.
      for (int i = 0; i < pack; ++i)
        part.push_back(
            values[values.size() == 1 ? 0 : std::min<int>(first + i, values.size() - 1)]);
      appendPacked(b, part, elementsPerRegister(part.front().getType(), pack), operands);
    }
    Value all = inlineAsm(b, op.getAsmString(), constraints, result, operands,
                          {.sideEffects = !op.getPure()});
    int next = 0;
    for (auto [values, type] : llvm::zip(results, op->getResultTypes())) {
      Type element = lowering.elementType(type);
      int perRegister = elementsPerRegister(element, pack);
      for (int i = 0; i < pack; i += perRegister, ++next) {
        Value word =
            asmTypes.size() == 1 ? all : LLVM::ExtractValueOp::create(b, all, next).getResult();
        SmallVector<Value> elements{word};
        if (perRegister > 1)
          elements = unpackVector(b, bitcast(b, word, VectorType::get(perRegister, element)));
        for (Value value : elements)
          if (int(values.size()) < lowering.numRegisters(type))
            values.push_back(value);
      }
    }
  }
  for (auto [value, values] : llvm::zip(op->getResults(), results))
    lowering.set(value, std::move(values));
  return success();
}

void addForeignCodeLowerings(LoweringTable &table) {
  table.add<tt::ExternElementwiseOp>(lowerExtern);
  table.add<tt::ElementwiseInlineAsmOp>(lowerInlineAsm);
}

} // namespace tilescope::compiler
