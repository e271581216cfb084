// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/Emission.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tilescope::cpu {

/// As on GPUs: truth values say what is not zero; numbers outside the integer's range become its nearest, or for 8 bits the low byte of
/// the nearest of 16. NaN becomes 0, or only the top bit where one of the types has 64 bits.
Value emitToInteger(const Emission &e) {
  if (e.element.isInteger(1))
    return arith::CmpFOp::create(e.b, e.loc, arith::CmpFPredicate::UNE, e.operand(0),
                                 floatLike(e.b, e.loc, e.operand(0), 0));
  const char *name = isa<arith::FPToSIOp>(e.op) ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
  Value x = e.operand(0);
  // With AVX512-FP16, LLVM 22 makes the least integer of a NaN of this type.
  if (getElementTypeOrSelf(x.getType()).isF16())
    x = widenFloat(e.b, e.loc, x, e.b.getF32Type());
  const unsigned width = getElementTypeOrSelf(e.resultType()).getIntOrFloatBitWidth();
  const Type type = width == 8 ? typeLike(x, e.b.getI16Type()) : e.resultType();
  Value result =
      LLVM::CallIntrinsicOp::create(e.b, e.loc, type, e.b.getStringAttr(name), ValueRange{x})
          .getResult(0);
  if (width == 8)
    return arith::TruncIOp::create(e.b, e.loc, e.resultType(), result);
  const bool isWide = width == 64 || (width == 32 && getElementTypeOrSelf(x.getType()).isF64());
  if (!isWide)
    return result;
  Value isNan = arith::CmpFOp::create(e.b, e.loc, arith::CmpFPredicate::UNO, x, x);
  return e.select(isNan, integerLike(e.b, e.loc, result, int64_t(uint64_t(1) << (width - 1))),
                  result);
}

Value emitBitcast(const Emission &e) {
  if (e.source() == e.element)
    return e.operand(0);
  return arith::BitcastOp::create(e.b, e.loc, e.resultType(), e.operand(0));
}

/// fp64 to fp32 so that rounding the result once more is as rounding once: an inexact number gets an
/// odd last bit.
static Value emitRoundedToOdd(const Emission &e, Value wide) {
  Type narrow = typeLike(wide, e.b.getF32Type()), word = typeLike(wide, e.b.getI32Type());
  Value rounded = arith::TruncFOp::create(e.b, e.loc, narrow, wide);
  Value back = arith::ExtFOp::create(e.b, e.loc, wide.getType(), rounded);
  auto compare = [&](arith::CmpFPredicate predicate, Value x, Value y) -> Value {
    return arith::CmpFOp::create(e.b, e.loc, predicate, x, y);
  };
  Value zero = floatLike(e.b, e.loc, wide, 0);
  Value isBelow = compare(arith::CmpFPredicate::OLT, back, wide);
  Value isPositive = compare(arith::CmpFPredicate::OGT, wide, zero);
  Value isNearZero = arith::XOrIOp::create(e.b, e.loc, isBelow, isPositive);
  Value bits = arith::BitcastOp::create(e.b, e.loc, word, rounded);
  auto number = [&](int64_t value) { return integerLike(e.b, e.loc, bits, value); };
  // Toward the exact number: away from zero where the rounded one is nearer to it.
  Value step = e.select(isNearZero, number(-1), number(1));
  Value isEven =
      arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::eq,
                            arith::AndIOp::create(e.b, e.loc, bits, number(1)), number(0));
  Value isInexact = compare(arith::CmpFPredicate::ONE, back, wide);
  Value moves = arith::AndIOp::create(e.b, e.loc, isInexact, isEven);
  Value odd = arith::AddIOp::create(e.b, e.loc, bits, e.select(moves, step, number(0)));
  return arith::BitcastOp::create(e.b, e.loc, narrow, odd);
}

/// Of integers of 64 bits that fp64 may not hold, a multiple of 4096 that it holds and that lies between the same numbers
/// of a narrower type.
static Value emitHeldByFp64(const Emission &e) {
  constexpr int64_t kMost = int64_t{1} << 52, kStep = 1 << 12;
  using P = arith::CmpIPredicate;
  Value x = e.operand(0);
  const auto is = [&](P predicate, Value value, int64_t number) -> Value {
    return arith::CmpIOp::create(e.b, e.loc, predicate, value, e.integer(number));
  };
  Value isLarge =
      isa<arith::UIToFPOp>(e.op)
          ? is(P::ugt, x, kMost)
          : arith::OrIOp::create(e.b, e.loc, is(P::sgt, x, kMost), is(P::slt, x, -kMost));
  Value low = arith::AndIOp::create(e.b, e.loc, x, e.integer(kStep - 1));
  Value high = arith::AndIOp::create(e.b, e.loc, x, e.integer(-kStep));
  Value marked = arith::OrIOp::create(e.b, e.loc, high, e.integer(kStep));
  return e.select(isLarge, e.select(is(P::eq, low, 0), high, marked), x);
}

Value emitFromInteger(const Emission &e) {
  if (!e.element.isBF16())
    return e.same(e.operands);
  const unsigned width = e.source().getIntOrFloatBitWidth();
  Emission wide = e;
  wide.element = width <= 16 ? Type(e.b.getF32Type()) : Type(e.b.getF64Type());
  Value number = wide.same({width == 64 ? emitHeldByFp64(e) : e.operand(0)});
  if (width > 16)
    number = emitRoundedToOdd(e, number);
  return narrowFloatOn(e.b, e.loc, number, e.element, e.target);
}

bool roundsTowardZero(Operation *op) {
  auto convert = dyn_cast<tt::FpToFpOp>(op);
  return convert && convert.getRounding() == tt::RoundingMode::RTZ;
}

/// fp64 to fp32: the neighbor of the nearest one where that is farther from zero.
static Value emitTowardZero(const Emission &e) {
  Value x = e.operand(0);
  Value nearest = arith::TruncFOp::create(e.b, e.loc, e.resultType(), x);
  Value back = arith::ExtFOp::create(e.b, e.loc, x.getType(), nearest);
  Value isFar = arith::CmpFOp::create(e.b, e.loc, arith::CmpFPredicate::OGT,
                                      math::AbsFOp::create(e.b, e.loc, back),
                                      math::AbsFOp::create(e.b, e.loc, x));
  Type word = typeLike(x, e.b.getI32Type());
  Value bits = arith::BitcastOp::create(e.b, e.loc, word, nearest);
  Value step = arith::ExtUIOp::create(e.b, e.loc, word, isFar);
  return arith::BitcastOp::create(e.b, e.loc, e.resultType(),
                                  arith::SubIOp::create(e.b, e.loc, bits, step));
}

Value emitFloatCast(const Emission &e) {
  Type from = getElementTypeOrSelf(e.operand(0).getType()),
       to = getElementTypeOrSelf(e.resultType());
  if (to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth())
    return widenFloat(e.b, e.loc, e.operand(0), to);
  Value source = e.operand(0);
  if (from.isF64() && to.isF32() && roundsTowardZero(e.op))
    return emitTowardZero(e);
  if (from.isF64() && to.isF32())
    return arith::TruncFOp::create(e.b, e.loc, e.resultType(), source);
  if (from.isF64())
    source = emitRoundedToOdd(e, source);
  return narrowFloatOn(e.b, e.loc, source, to, e.target);
}

} // namespace tilescope::cpu
