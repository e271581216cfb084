// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Conversions between floating-point types, with 8-bit floats as bytes. Those that have
// instructions go by way of f16, whose range and precision contain theirs; the others by way of
// f32.
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/elementwise/Fp8InSoftware.h"
#include "compiler/conversion/ttg_to_llvm/elementwise/Pairs.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::compiler {

static bool isFp8(Type type) { return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8; }

static Values bytesToF16(Builder &b, const Values &bytes, Type fp8, int capability) {
  Type half = b.getF16Type(), i16 = b.getI16Type();
  if (capability < 89) {
    // An e5m2 byte is the upper half of the f16 with its value.
    Values results;
    for (Value byte : bytes) {
      Value wide = LLVM::ZExtOp::create(b, i16, byte);
      results.push_back(bitcast(b, LLVM::ShlOp::create(b, wide, intConstant(b, i16, 8)), half));
    }
    return results;
  }
  StringRef name =
      isa<Float8E5M2Type>(fp8) ? "llvm.nvvm.e5m2x2.to.f16x2.rn" : "llvm.nvvm.e4m3x2.to.f16x2.rn";
  return inPairs(bytes, [&](Value low, Value high) {
    Value packed = bitcast(b, packVector(b, {low, high}), i16);
    SmallVector<Value> halves =
        unpackVector(b, callIntrinsic(b, name, VectorType::get(2, half), {packed}));
    return std::pair(halves[0], halves[1]);
  });
}

static std::pair<Value, Value> splitBytes(Builder &b, Value packed) {
  SmallVector<Value> bytes = unpackVector(b, bitcast(b, packed, VectorType::get(2, b.getI8Type())));
  return {bytes[0], bytes[1]};
}

/// f16 to e5m2 without an instruction: the upper byte, after rounding to it. NaN stays NaN.
static Value roundF16ToE5M2(Builder &b, Value half, bool towardZero) {
  Type i16 = b.getI16Type();
  auto constant = [&](int64_t value) { return intConstant(b, i16, value); };
  Value bits = bitcast(b, half, i16);
  Value rounded = bits;
  if (!towardZero) {
    Value odd = LLVM::AndOp::create(b, LLVM::LShrOp::create(b, bits, constant(8)), constant(1));
    rounded = LLVM::AddOp::create(b, LLVM::AddOp::create(b, bits, constant(0x7f)), odd);
  }
  Value quiet = LLVM::OrOp::create(b, bits, constant(0x0200));
  Value isNan = LLVM::FCmpOp::create(b, LLVM::FCmpPredicate::uno, half, half);
  Value chosen = LLVM::SelectOp::create(b, isNan, quiet, rounded);
  return LLVM::TruncOp::create(b, b.getI8Type(), LLVM::LShrOp::create(b, chosen, constant(8)));
}

static Values f16ToBytes(Builder &b, const Values &halves, Type fp8, int capability,
                         bool towardZero) {
  if (isa<Float8E5M2Type>(fp8) && (towardZero || capability < 89)) {
    Values results;
    for (Value half : halves)
      results.push_back(roundF16ToE5M2(b, half, towardZero));
    return results;
  }
  StringRef name =
      isa<Float8E5M2Type>(fp8) ? "llvm.nvvm.f16x2.to.e5m2x2.rn" : "llvm.nvvm.f16x2.to.e4m3x2.rn";
  return inPairs(halves, [&](Value low, Value high) {
    return splitBytes(b, callIntrinsic(b, name, b.getI16Type(), {packVector(b, {low, high})}));
  });
}

static Values f32ToBytes(Builder &b, const Values &floats, Type fp8) {
  StringRef name =
      isa<Float8E5M2Type>(fp8) ? "llvm.nvvm.ff.to.e5m2x2.rn" : "llvm.nvvm.ff.to.e4m3x2.rn";
  return inPairs(floats, [&](Value low, Value high) {
    return splitBytes(b, callIntrinsic(b, name, b.getI16Type(), {high, low}));
  });
}

static Values widen(Builder &b, const Values &values, Type type) {
  Values results;
  for (Value value : values)
    results.push_back(value.getType() == type ? value
                                              : LLVM::FPExtOp::create(b, type, value).getResult());
  return results;
}

static Value narrowTowardZero(Builder &b, Value value, Type type) {
  if (type.isBF16())
    return callIntrinsic(b, "llvm.nvvm.f2bf16.rz", type, {value});
  return bitcast(b, ptx::cvtRzF16F32(b, value), type);
}

static Values narrow(Builder &b, const Values &values, Type type, bool towardZero) {
  Values results;
  for (Value value : values) {
    if (value.getType() == type)
      results.push_back(value);
    else if (towardZero && value.getType().isF32() && !type.isF32())
      results.push_back(narrowTowardZero(b, value, type));
    else
      results.push_back(LLVM::FPTruncOp::create(b, type, value));
  }
  return results;
}

static Values mapEach(const Values &values, llvm::function_ref<Value(Value)> convert) {
  return llvm::map_to_vector<8>(values, convert);
}

/// Between types of 16 bits and more.
static Values convertWide(Builder &b, const Values &values, Type to, bool towardZero) {
  Type from = values.front().getType();
  if (to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth())
    return widen(b, values, to);
  if (to.getIntOrFloatBitWidth() == from.getIntOrFloatBitWidth() && to != from)
    return narrow(b, widen(b, values, b.getF32Type()), to, towardZero);
  return narrow(b, values, to, towardZero);
}

/// Whether the target has instructions between this type and f16.
static bool hasInstructions(Type fp8, int capability) {
  // Older GPUs lack the instruction for e5m2: a shift of bits replaces it.
  return isa<Float8E5M2Type>(fp8) || (isa<Float8E4M3FNType>(fp8) && capability >= 89);
}

static Values fromFp8(Builder &b, const Values &bytes, FloatType from, int capability) {
  if (hasInstructions(from, capability))
    return bytesToF16(b, bytes, from, capability);
  return mapEach(bytes, [&](Value byte) { return decodeFp8(b, byte, from); });
}

static Values toFp8(Builder &b, Values values, FloatType to, int capability, bool towardZero) {
  Type single = b.getF32Type();
  if (!values.front().getType().isF16())
    values = convertWide(b, values, single, false);
  bool inSoftware = !hasInstructions(to, capability) || (towardZero && isa<Float8E4M3FNType>(to));
  if (inSoftware)
    return mapEach(widen(b, values, single),
                   [&](Value value) { return encodeFp8(b, value, to, towardZero); });
  if (values.front().getType().isF32()) {
    if (!towardZero && capability >= 89)
      return f32ToBytes(b, values, to);
    values = narrow(b, values, b.getF16Type(), /*towardZero=*/true);
  }
  return f16ToBytes(b, values, to, capability, towardZero);
}

static LogicalResult convertFloats(Operation *op, bool towardZero, Lowering &lowering) {
  Builder &b = lowering.b;
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  Values values = lowering.values(op->getOperand(0));
  if (isFp8(from))
    values = fromFp8(b, values, cast<FloatType>(from), lowering.capability());
  if (isFp8(to))
    values = toFp8(b, values, cast<FloatType>(to), lowering.capability(), towardZero);
  else
    values = convertWide(b, values, to, towardZero);
  lowering.set(op->getResult(0), std::move(values));
  return success();
}

static LogicalResult lowerFpToFp(tt::FpToFpOp op, Lowering &lowering) {
  return convertFloats(op, op.getRounding() == tt::RoundingMode::RTZ, lowering);
}
static LogicalResult lowerExtF(arith::ExtFOp op, Lowering &lowering) {
  return convertFloats(op, false, lowering);
}
static LogicalResult lowerTruncF(arith::TruncFOp op, Lowering &lowering) {
  return convertFloats(op, false, lowering);
}

void addFloatCastLowerings(LoweringTable &table) {
  table.add<tt::FpToFpOp>(lowerFpToFp);
  table.add<arith::ExtFOp>(lowerExtF);
  table.add<arith::TruncFOp>(lowerTruncF);
}

} // namespace tilescope::compiler
