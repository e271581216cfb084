// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Matrix products by fused multiply-add: every thread holds all of K for its rows and columns.
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/common/RegisterFinder.h"
#include "compiler/conversion/ttg_to_llvm/dot/MmaDot.h"

using namespace mlir;

namespace tilescope::compiler {

static Value toAccumulatorType(Builder &b, Value value, Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  if (isa<IntegerType>(type))
    return LLVM::SExtOp::create(b, type, value);
  return LLVM::FPExtOp::create(b, type, value);
}

static LogicalResult lowerDot(tt::DotOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  auto resultType = cast<RankedTensorType>(op.getType());
  auto factorType = cast<RankedTensorType>(op.getA().getType());
  auto parent = dyn_cast<ttg::DotOperandEncodingAttr>(factorType.getEncoding());
  if (!parent || !isa<ttg::BlockedEncodingAttr>(parent.getParent()))
    return lowerMmaDot(op, lowering);
  Type type = lowering.elementType(resultType);
  for (Value factor : {op.getA(), op.getB()}) {
    Type element = getElementTypeOrSelf(factor.getType());
    if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8)
      return op.emitError("factors of ") << element << " are widened before lowering";
  }
  const RegisterFinder a(lowering.layout(factorType));
  const RegisterFinder bRegisters(lowering.layout(op.getB().getType()));
  const LinearLayout &layout = lowering.layout(resultType);
  int rank = resultType.getRank();
  int64_t depth = factorType.getShape().back();
  Values results;
  for (auto [index, accumulator] : llvm::enumerate(lowering.values(op.getC()))) {
    SmallVector<int64_t> left, right;
    for (int dim = 0; dim < rank; ++dim)
      left.push_back(Lowering::registerPart(layout, index, tensorDim(dim)));
    right = left;
    Value sum = accumulator;
    for (int64_t k = 0; k < depth; ++k) {
      left[rank - 1] = k;
      right[rank - 2] = k;
      int leftRegister = a.find(left), rightRegister = bRegisters.find(right);
      if (leftRegister < 0 || rightRegister < 0)
        return op.emitError("the factors' layouts do not hold what the result's threads need");
      Value x = toAccumulatorType(b, lowering.values(op.getA())[leftRegister], type);
      Value y = toAccumulatorType(b, lowering.values(op.getB())[rightRegister], type);
      if (isa<IntegerType>(type))
        sum = LLVM::AddOp::create(b, sum, LLVM::MulOp::create(b, x, y));
      else
        sum = LLVM::FMAOp::create(b, x, y, sum);
    }
    results.push_back(sum);
  }
  lowering.set(op, std::move(results));
  return success();
}

void addDotLowerings(LoweringTable &table) { table.add<tt::DotOp>(lowerDot); }

} // namespace tilescope::compiler
