// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Conversions from integers to floating-point types.
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::compiler {

static Value bits(Builder &b, uint32_t number) {
  return i32Constant(b, static_cast<int32_t>(number));
}

/// Four bytes become two pairs of 16-bit numbers, each with `high` as its upper byte.
static std::pair<Value, Value> spread(Builder &b, Value bytes, uint8_t high) {
  Value highs = bits(b, high * 0x01010101u);
  auto pair = [&](uint32_t selector) {
    return callIntrinsic(b, "llvm.nvvm.prmt", b.getI32Type(), {bytes, highs, bits(b, selector)});
  };
  return {pair(0x4140), pair(0x4342)};
}

static Value difference(Builder &b, Type halves, Value large, Value excess) {
  return LLVM::FSubOp::create(b, bitcast(b, large, halves), bitcast(b, excess, halves));
}

/// Signed bytes as f16: a byte with its sign flipped, put behind the exponent of 1024, is 1152 more
/// than what it stands for, and exact.
static std::pair<Value, Value> bytesToF16(Builder &b, Value bytes) {
  auto halves = VectorType::get(2, b.getF16Type());
  Value flipped = LLVM::XOrOp::create(b, bytes, bits(b, 0x80808080u));
  auto [first, second] = spread(b, flipped, 0x64);
  Value excess = bits(b, 0x64806480u);
  return {difference(b, halves, first, excess), difference(b, halves, second, excess)};
}

/// Signed bytes as bf16: the low seven bits behind the exponent of 128, less 128, or less 256 where
/// the sign is set. The sign's bit is the lowest one of the exponent, so it turns 128 into 256.
static std::pair<Value, Value> bytesToBf16(Builder &b, Value bytes) {
  auto halves = VectorType::get(2, b.getBF16Type());
  auto convert = [&](Value pair) {
    return difference(b, halves, LLVM::AndOp::create(b, pair, bits(b, 0xff7fff7fu)),
                      LLVM::AndOp::create(b, pair, bits(b, 0xff80ff80u)));
  };
  auto [first, second] = spread(b, bytes, 0x43);
  return {convert(first), convert(second)};
}

/// Signed bytes as 16-bit floats, four at a time; the last ones may stand in for missing ones.
static Values convertBytes(Builder &b, const Values &bytes, Type to) {
  Values results;
  for (size_t first = 0; first < bytes.size(); first += 4) {
    Values four;
    for (size_t i = 0; i < 4; ++i)
      four.push_back(bytes[std::min(first + i, bytes.size() - 1)]);
    Value word = bitcast(b, packVector(b, four), b.getI32Type());
    auto [low, high] = to.isF16() ? bytesToF16(b, word) : bytesToBf16(b, word);
    llvm::append_range(results, unpackVector(b, low));
    llvm::append_range(results, unpackVector(b, high));
  }
  results.truncate(bytes.size());
  return results;
}

/// Whether several are converted by a few instructions of full rate; the one that converts is slow.
static bool convertsTogether(Type from, Type to, int capability) {
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
      convertsTogether(from, to, lowering.capability())) {
    values = convertBytes(b, values, to);
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
