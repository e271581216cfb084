// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Arithmetic on pairs. Which neighbors share an instruction makes no difference to the result, so
// pairs of registers are combined as they come.
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

using namespace mlir;

namespace tilescope::compiler {

/// The operation on reals, or on vectors of them.
static Value combine(Builder &b, ttng::PackedArithOpKind kind, ArrayRef<Value> operands) {
  using Kind = ttng::PackedArithOpKind;
  switch (kind) {
  case Kind::ADD:
    return LLVM::FAddOp::create(b, operands[0], operands[1]);
  case Kind::SUB:
    return LLVM::FSubOp::create(b, operands[0], operands[1]);
  case Kind::MUL:
    return LLVM::FMulOp::create(b, operands[0], operands[1]);
  case Kind::FMA:
    return LLVM::FMAOp::create(b, operands[0], operands[1], operands[2]);
  case Kind::MIN:
    return LLVM::MinNumOp::create(b, operands[0], operands[1]);
  case Kind::MAX:
    return LLVM::MaxNumOp::create(b, operands[0], operands[1]);
  }
  llvm_unreachable("all kinds are covered");
}

/// Pairs of f32, which sm_100 has. The instruction is named, so that no pair is taken apart again.
static Value combineWords(Builder &b, ttng::PackedArithOpKind kind, ArrayRef<Value> operands) {
  SmallVector<Value> words;
  for (Value operand : operands)
    words.push_back(bitcast(b, operand, b.getI64Type()));
  Value result = ptx::packedF32x2(b, ttng::stringifyPackedArithOpKind(kind), words);
  return bitcast(b, result, operands.front().getType());
}

static LogicalResult lowerPacked(ttng::PackedArithOp op, Lowering &lowering) {
  using Kind = ttng::PackedArithOpKind;
  Builder &b = lowering.b;
  Type type = op.getType();
  if (llvm::any_of(op.getOperandTypes(), [&](Type operand) { return operand != type; }) ||
      op.getPackedType() > ttng::PackedArithType::BF16X2)
    return op.emitError("packs of different types, or of elements of less than 16 bits, are not "
                        "supported");
  Type element = lowering.elementType(type);
  const bool isOrder = op.getOpKind() == Kind::MIN || op.getOpKind() == Kind::MAX;
  const bool asWords = element.isF32() && lowering.capability() >= 100 && !isOrder;
  const size_t count = lowering.numRegisters(type);
  Values results;
  for (size_t index = 0; index < count; index += 2) {
    SmallVector<Value> operands;
    for (Value operand : op.getOperands()) {
      ArrayRef<Value> values = lowering.values(operand);
      operands.push_back(count == 1 ? values.front() : packVector(b, values.slice(index, 2)));
    }
    Value result = asWords && count > 1 ? combineWords(b, op.getOpKind(), operands)
                                        : combine(b, op.getOpKind(), operands);
    if (count == 1)
      results.push_back(result);
    else
      llvm::append_range(results, unpackVector(b, result));
  }
  lowering.set(op, std::move(results));
  return success();
}

void addPackedArithLowerings(LoweringTable &table) { table.add<ttng::PackedArithOp>(lowerPacked); }

} // namespace tilescope::compiler
