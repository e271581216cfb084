// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/Elementwise.h"

#include "compiler/conversion/tt_to_cpu/Division.h"
#include "compiler/conversion/tt_to_cpu/FloatMath.h"
#include "compiler/conversion/tt_to_cpu/TableFunctions.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilescope::cpu {

namespace {
/// One operation, with its operands as tiles of one form.
struct Emission {
  OpBuilder &b;
  Operation *op;
  SmallVector<Value, 4> operands;
  const MathTarget &target;
  /// Of the result.
  Type element = elementTypeOf(op->getResult(0).getType());
  Location loc = op->getLoc();

  Value operand(unsigned i) const { return operands[i]; }
  Type resultType() const { return typeLike(operands[0], element); }
  /// The same operation on tiles.
  Value same(ValueRange tiles) const {
    OperationState state(loc, op->getName(), tiles, {resultType()}, op->getAttrs());
    return b.create(state)->getResult(0);
  }
  Value integer(int64_t value) const { return integerLike(b, loc, operands[1], value); }
  Value select(Value condition, Value yes, Value no) const {
    return arith::SelectOp::create(b, loc, condition, yes, no);
  }
};
} // namespace

/// The integer that all elements of the operand are known to be.
static std::optional<APInt> knownInteger(Value operand) {
  APInt value;
  return matchPattern(operand, m_ConstantInt(&value)) ? std::optional(value) : std::nullopt;
}

/// What all lanes of the tile have, as a scalar; else the tile.
static Value unspread(Value tile) {
  auto spread = tile.getDefiningOp<vector::BroadcastOp>();
  return spread && lanesOf(spread.getSource()) == 0 ? spread.getSource() : tile;
}

/// Of a tile and a tile or a scalar that is not 0, nor -1 where there is a sign.
static Value emitPlainDivision(const Emission &e, Value a, Value d) {
  const int64_t lanes = lanesOf(a);
  if (lanes == 0 || !hasQuotient(getElementTypeOrSelf(a.getType()).getIntOrFloatBitWidth()))
    return e.same({a, splat(e.b, e.loc, d, lanes)});
  Value quotient = emitQuotient(e.b, e.loc, a, d, isa<arith::DivSIOp, arith::RemSIOp>(e.op));
  if (isa<arith::DivSIOp, arith::DivUIOp>(e.op))
    return quotient;
  Value whole = arith::MulIOp::create(e.b, e.loc, quotient, splat(e.b, e.loc, d, lanes));
  return arith::SubIOp::create(e.b, e.loc, a, whole);
}

/// A division by zero results in -1 and leaves the dividend, and the smallest number divided by -1
/// is itself: the processor would trap.
static Value emitDivision(const Emission &e) {
  const std::optional<APInt> divisor = knownInteger(e.op->getOperand(1));
  if (divisor && !divisor->isZero() && !divisor->isAllOnes())
    return e.same(e.operands);
  const bool isSigned = isa<arith::DivSIOp, arith::RemSIOp>(e.op);
  const bool isRemainder = isa<arith::RemSIOp, arith::RemUIOp>(e.op);
  Value a = e.operand(0), d = unspread(e.operand(1));
  Value one = integerLike(e.b, e.loc, d, 1);
  auto isEqual = [&](int64_t value) -> Value {
    return arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::eq, d,
                                 integerLike(e.b, e.loc, d, value));
  };
  Value isZero = isEqual(0), isMinusOne = isEqual(-1);
  Value safe = e.select(isZero, one, d);
  if (isSigned)
    safe = e.select(isMinusOne, one, safe);
  Value result = emitPlainDivision(e, a, safe);
  if (isSigned && !isRemainder)
    result = e.select(isMinusOne, arith::SubIOp::create(e.b, e.loc, e.integer(0), a), result);
  if (isSigned && isRemainder)
    result = e.select(isMinusOne, e.integer(0), result);
  return e.select(isZero, isRemainder ? a : e.integer(-1), result);
}

/// A shift by the width or more shifts all bits out.
static Value emitShift(const Emission &e) {
  const int64_t width = getElementTypeOrSelf(e.operand(0).getType()).getIntOrFloatBitWidth();
  const std::optional<APInt> amount = knownInteger(e.op->getOperand(1));
  if (amount && amount->ult(width))
    return e.same(e.operands);
  Value fits =
      arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::ult, e.operand(1), e.integer(width));
  if (isa<arith::ShRSIOp>(e.op))
    return e.same({e.operand(0), e.select(fits, e.operand(1), e.integer(width - 1))});
  Value shifted = e.same({e.operand(0), e.select(fits, e.operand(1), e.integer(0))});
  return e.select(fits, shifted, e.integer(0));
}

/// As on GPUs: numbers outside the integer's range become its nearest, or for 8 bits the low byte of
/// the nearest of 16. NaN becomes 0, or only the top bit where one of the types has 64 bits.
static Value emitToInteger(const Emission &e) {
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

static Value emitBitcast(const Emission &e) {
  Type from = getElementTypeOrSelf(e.operand(0).getType()), to = e.resultType();
  if (from == getElementTypeOrSelf(to))
    return e.operand(0);
  return arith::BitcastOp::create(e.b, e.loc, to, e.operand(0));
}

/// As integers where they are bf16: of two scalars, LLVM would round what it has chosen.
static Value emitSelect(const Emission &e) {
  const Type element = getElementTypeOrSelf(e.operand(1).getType());
  if (!element.isBF16())
    return e.same(e.operands);
  Value chosen =
      arith::SelectOp::create(e.b, e.loc, e.operand(0), toMemory(e.b, e.loc, e.operand(1)),
                              toMemory(e.b, e.loc, e.operand(2)));
  return fromMemory(e.b, e.loc, chosen, element);
}

static Value emitHighProduct(const Emission &e) {
  Type narrow = e.operand(0).getType();
  const unsigned width = getElementTypeOrSelf(narrow).getIntOrFloatBitWidth();
  Type wide = typeLike(e.operand(0), e.b.getIntegerType(2 * width));
  auto extended = [&](unsigned i) {
    return arith::ExtUIOp::create(e.b, e.loc, wide, e.operand(i)).getResult();
  };
  Value product = arith::MulIOp::create(e.b, e.loc, extended(0), extended(1));
  Value shift = integerLike(e.b, e.loc, product, width);
  return arith::TruncIOp::create(e.b, e.loc, narrow,
                                 arith::ShRUIOp::create(e.b, e.loc, product, shift));
}

static Value emitClamp(const Emission &e) {
  if (cast<tt::ClampFOp>(e.op).getPropagateNan() == tt::PropagateNan::ALL) {
    Value low = arith::MaximumFOp::create(e.b, e.loc, e.operand(0), e.operand(1));
    return arith::MinimumFOp::create(e.b, e.loc, low, e.operand(2));
  }
  Value low = arith::MaxNumFOp::create(e.b, e.loc, e.operand(0), e.operand(1));
  return arith::MinNumFOp::create(e.b, e.loc, low, e.operand(2));
}

static Value emitAddPointer(const Emission &e) {
  Type pointee = getElementTypeOrSelf(tt::getPointeeType(e.op->getResult(0).getType()));
  return elementAddress(e.b, e.loc, e.operand(0), e.operand(1), elementTypeOf(pointee));
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

static Value emitFloatCast(const Emission &e) {
  Type from = getElementTypeOrSelf(e.operand(0).getType()),
       to = getElementTypeOrSelf(e.resultType());
  if (to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth())
    return widenFloat(e.b, e.loc, e.operand(0), to);
  Value source = e.operand(0);
  if (from.isF64() && to.isF32())
    return arith::TruncFOp::create(e.b, e.loc, e.resultType(), source);
  if (from.isF64())
    source = emitRoundedToOdd(e, source);
  return narrowFloatOn(e.b, e.loc, source, to, e.target);
}

static bool isArithmetic(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp,
             arith::XOrIOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp,
             arith::CmpIOp, arith::CmpFOp, arith::SelectOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp, arith::AddFOp, arith::SubFOp,
             arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp>(op);
}

bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op);
}

/// Between formats of one size no cast of LLVM is, and rounding toward zero is none of its own.
static bool isPlainFloatCast(Operation *op) {
  Type from = elementTypeOf(op->getOperand(0).getType());
  Type to = elementTypeOf(op->getResult(0).getType());
  if (!from || !to || from.getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth())
    return false;
  if (auto truncate = dyn_cast<arith::TruncFOp>(op))
    return !truncate.getRoundingmode();
  auto convert = dyn_cast<tt::FpToFpOp>(op);
  return !convert || convert.getRounding() != tt::RoundingMode::RTZ ||
         to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
}

bool isElementwise(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 || op->getNumOperands() == 0)
    return false;
  for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (!elementTypeOf(type))
      return false;
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
    return !elementTypeOf(op->getResult(0).getType()).isInteger(1);
  if (isa<arith::ExtFOp, arith::TruncFOp, tt::FpToFpOp>(op))
    return isPlainFloatCast(op);
  if (isDivision(op) || isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, tt::MulhiUIOp>(op))
    return !elementTypeOf(op->getResult(0).getType()).isInteger(1);
  return isArithmetic(op) || isFloatMath(op) ||
         isa<arith::BitcastOp, tt::BitcastOp, tt::AddPtrOp, tt::IntToPtrOp, tt::PtrToIntOp,
             tt::ClampFOp, tt::PreciseSqrtOp, tt::PreciseDivFOp>(op) ||
         isTableFunction(op);
}

/// Whether it rounds to bf16 what it computes in fp32: for bf16 itself, LLVM calls a library.
static bool isRoundedToBf16(Operation *op) {
  return elementTypeOf(op->getResult(0).getType()).isBF16() &&
         isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::MaximumFOp,
             arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp, arith::SIToFPOp,
             arith::UIToFPOp, tt::ClampFOp, tt::PreciseDivFOp>(op);
}

/// For operands of one form.
static Value emit(const Emission &e) {
  return TypeSwitch<Operation *, Value>(e.op)
      .Case<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
          [&](Operation *) { return emitDivision(e); })
      .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [&](Operation *) { return emitShift(e); })
      .Case([&](arith::SelectOp) { return emitSelect(e); })
      .Case<arith::FPToSIOp, arith::FPToUIOp>([&](Operation *) { return emitToInteger(e); })
      .Case<arith::BitcastOp, tt::BitcastOp>([&](Operation *) { return emitBitcast(e); })
      .Case([&](tt::IntToPtrOp) {
        return LLVM::IntToPtrOp::create(e.b, e.loc, e.resultType(), e.operand(0)).getResult();
      })
      .Case([&](tt::PtrToIntOp) {
        return LLVM::PtrToIntOp::create(e.b, e.loc, e.resultType(), e.operand(0)).getResult();
      })
      .Case([&](tt::AddPtrOp) { return emitAddPointer(e); })
      .Case([&](tt::MulhiUIOp) { return emitHighProduct(e); })
      .Case([&](tt::ClampFOp) { return emitClamp(e); })
      .Case<arith::ExtFOp, arith::TruncFOp, tt::FpToFpOp>(
          [&](Operation *) { return emitFloatCast(e); })
      .Case([&](tt::PreciseDivFOp) {
        return arith::DivFOp::create(e.b, e.loc, e.operand(0), e.operand(1)).getResult();
      })
      .Default([&](Operation *op) {
        return isArithmetic(op) ? e.same(e.operands) : emitFloatMath(e.b, op, e.operands, e.target);
      });
}

Value emitElementwise(OpBuilder &b, Operation *op, ValueRange operands, const MathTarget &target) {
  Emission e{b, op, llvm::to_vector<4>(operands), target};
  int64_t lanes = 0;
  for (Value operand : operands)
    lanes = std::max(lanes, lanesOf(operand));
  for (Value &operand : e.operands)
    operand = splat(b, e.loc, operand, lanes);
  if (!isRoundedToBf16(op))
    return emit(e);
  for (Value &operand : e.operands)
    if (getElementTypeOrSelf(operand.getType()).isBF16())
      operand = widenFloat(b, e.loc, operand, b.getF32Type());
  e.element = b.getF32Type();
  return narrowFloatOn(b, e.loc, emit(e), b.getBF16Type(), target);
}

int costOf(Operation *op) {
  if (isDivision(op) || isTableFunction(op))
    return 20;
  if (isa<arith::DivFOp, tt::PreciseDivFOp, tt::PreciseSqrtOp>(op))
    return 6;
  if (isFloatMath(op))
    return costOfFloatMath(op);
  return 1;
}

} // namespace tilescope::cpu
