// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/SplitDot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tilescope::ttg {

std::optional<FactorParts> partsOfFactors(tt::DotOp dot) {
  Type result = getElementTypeOrSelf(dot.getType());
  for (Value value : {dot.getA(), dot.getB(), dot.getC()})
    if (!getElementTypeOrSelf(value.getType()).isF32())
      return std::nullopt;
  Type half = BFloat16Type::get(dot.getContext());
  switch (dot.getInputPrecision()) {
  case tt::InputPrecision::TF32x3:
    return FactorParts{result, tt::InputPrecision::TF32, 2};
  case tt::InputPrecision::BF16x3:
    return FactorParts{half, tt::InputPrecision::IEEE, 2};
  case tt::InputPrecision::BF16x6:
    return FactorParts{half, tt::InputPrecision::IEEE, 3};
  default:
    return std::nullopt;
  }
}

/// The nearest value with tf32's 10 bits of mantissa.
static Value roundToTf32(OpBuilder &builder, Location loc, Value value) {
  return tt::ElementwiseInlineAsmOp::create(builder, loc, value.getType(),
                                            "cvt.rna.tf32.f32 $0, $1;", "=r,r", /*pure=*/true,
                                            /*packed_element=*/1, value)
      ->getResult(0);
}

static SmallVector<Value> split(OpBuilder &builder, Location loc, Value factor,
                                const FactorParts &parts) {
  SmallVector<Value> result;
  auto type = cast<RankedTensorType>(factor.getType());
  const bool isNarrow = parts.type != type.getElementType();
  const auto narrowed = [&](Value value) -> Value {
    return arith::TruncFOp::create(builder, loc, type.clone(parts.type), value);
  };
  Value rest = factor;
  while (result.size() + 1 < parts.count) {
    Value part = isNarrow ? narrowed(rest) : roundToTf32(builder, loc, rest);
    result.push_back(part);
    if (isNarrow)
      part = arith::ExtFOp::create(builder, loc, type, part);
    rest = arith::SubFOp::create(builder, loc, rest, part);
  }
  // The instruction itself drops what tf32 cannot hold of the rest.
  result.push_back(isNarrow ? narrowed(rest) : rest);
  return result;
}

Value sumOfProducts(OpBuilder &builder, Location loc, const SplitFactors &factors, Value addend,
                    const FactorParts &parts, MultiplyParts multiply) {
  const SmallVector<Value> left = split(builder, factors.left.getLoc(), factors.left, parts);
  const SmallVector<Value> right = split(builder, factors.right.getLoc(), factors.right, parts);
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(cast<RankedTensorType>(addend.getType())));
  Value sum = zero;
  for (unsigned order = parts.count - 1; order > 0; --order)
    for (unsigned i = order + 1; i-- > 0;)
      sum = multiply(left[i], right[order - i], sum);
  Value isNan = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, sum, sum);
  sum = arith::SelectOp::create(builder, loc, isNan, zero, sum);
  sum = multiply(left[0], right[0], sum);
  return arith::AddFOp::create(builder, loc, sum, addend);
}

void splitDot(tt::DotOp dot, const FactorParts &parts) {
  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  const auto multiply = [&](Value left, Value right, Value sum) -> Value {
    return tt::DotOp::create(builder, loc, dot.getType(), left, right, sum, parts.precision,
                             dot.getMaxNumImpreciseAcc());
  };
  Value sum = sumOfProducts(builder, loc, {dot.getA(), dot.getB()}, dot.getC(), parts, multiply);
  dot.replaceAllUsesWith(sum);
  dot.erase();
}

} // namespace tilescope::ttg
