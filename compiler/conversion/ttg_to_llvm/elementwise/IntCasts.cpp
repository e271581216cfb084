// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Conversions from integers to floating-point types.
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/elementwise/Pairs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::compiler {

static Value splat(Builder &b, uint16_t bits) {
  auto pair = VectorType::get(2, b.getI16Type());
  return LLVM::ConstantOp::create(b, pair, DenseElementsAttr::get(pair, APInt(16, bits)));
}

static Value placed(Builder &b, Value bytes, uint16_t mask, uint16_t exponent) {
  return LLVM::OrOp::create(b, LLVM::AndOp::create(b, bytes, splat(b, mask)), splat(b, exponent));
}

/// Signed bytes as f16: a byte with its sign flipped, put behind the exponent of 1024, is 1152 more
/// than what it stands for, and exact.
static Value bytesToF16Pair(Builder &b, Value bytes) {
  Value flipped = LLVM::XOrOp::create(b, bytes, splat(b, 0x80));
  auto halves = VectorType::get(2, b.getF16Type());
  Value large = bitcast(b, LLVM::OrOp::create(b, flipped, splat(b, 0x6400)), halves);
  return LLVM::FSubOp::create(b, large, bitcast(b, splat(b, 0x6480), halves));
}

/// Signed bytes as bf16: the low seven bits behind the exponent of 128, less 128, or less 256 where
/// the sign is set. The sign's bit is the lowest one of the exponent, so it turns 128 into 256.
static Value bytesToBf16Pair(Builder &b, Value bytes) {
  auto halves = VectorType::get(2, b.getBF16Type());
  Value large = bitcast(b, placed(b, bytes, 0x7f, 0x4300), halves);
  return LLVM::FSubOp::create(b, large, bitcast(b, placed(b, bytes, 0x80, 0x4300), halves));
}

/// Whether pairs are converted by a few instructions of full rate; the one that converts is slow.
static bool convertsInPairs(Type from, Type to, int capability) {
  return from.isInteger(8) && (to.isF16() || (to.isBF16() && capability >= 90));
}

// Integers to bf16 go through f32: targets before sm_90 cannot convert directly.
template <typename Op, typename Target>
static LogicalResult lowerIntToFloat(Op op, Lowering &lowering) {
  Builder &b = lowering.b;
  const Type from = getElementTypeOrSelf(op.getIn().getType());
  const Type to = lowering.elementType(op.getType());
  Values values = lowering.values(op.getIn());
  if (std::is_same_v<Op, arith::SIToFPOp> && values.size() > 1 &&
      convertsInPairs(from, to, lowering.capability())) {
    values = inPairs(values, [&](Value low, Value high) {
      auto pair = VectorType::get(2, b.getI16Type());
      Value bytes = LLVM::ZExtOp::create(b, pair, packVector(b, {low, high}));
      SmallVector<Value> halves =
          unpackVector(b, to.isF16() ? bytesToF16Pair(b, bytes) : bytesToBf16Pair(b, bytes));
      return std::pair(halves[0], halves[1]);
    });
  } else {
    const bool isViaF32 = to.isBF16() && lowering.capability() < 90;
    for (Value &value : values) {
      value = Target::create(b, isViaF32 ? b.getF32Type() : to, value);
      if (isViaF32)
        value = LLVM::FPTruncOp::create(b, to, value);
    }
  }
  lowering.set(op.getResult(), std::move(values));
  return success();
}

void addIntCastLowerings(LoweringTable &table) {
  table.add<arith::SIToFPOp>(lowerIntToFloat<arith::SIToFPOp, LLVM::SIToFPOp>);
  table.add<arith::UIToFPOp>(lowerIntToFloat<arith::UIToFPOp, LLVM::UIToFPOp>);
}

} // namespace tilescope::compiler
