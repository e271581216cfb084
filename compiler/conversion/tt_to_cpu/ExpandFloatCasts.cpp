// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Casts of floats that neither LLVM nor the processor has become arithmetic on their bits, and blocks
// of 8-bit floats become blocks of these bits:
//
//     %y = tt.fp_to_fp %x : tensor<64xf8E4M3FN> -> tensor<64xf32>
//
//     %rest = arith.andi %x, 0x7f                    %x : tensor<64xi8>, in 32 bits
//     %small = arith.mulf bitcast(%rest << 20), 2^120
//     %y = … the sign, and NaN where %rest is 0x7f
#include "compiler/conversion/tt_to_cpu/Emission.h"
#include "compiler/conversion/tt_to_cpu/Passes.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <bit>
#include <optional>

using namespace mlir;

namespace tilescope::cpu {

#define GEN_PASS_DEF_EXPANDFLOATCASTS
#include "compiler/conversion/tt_to_cpu/Passes.h.inc"

namespace {

/// A float of 8 or 16 bits.
struct Format {
  unsigned bits;
  int mantissaBits;
  /// Exponent of the smallest normal number.
  int minExponent;
  /// Of the largest number.
  int64_t largestCode;
  /// Of NaN; 0: there are many, as IEEE has them.
  int64_t nanCode = 0;
  /// Numbers beyond the largest become it, as the device does for 8 bits.
  bool saturates = true;
  /// There is no negative zero: that code is NaN.
  bool hasNegativeZero = true;

  bool isIeee() const { return nanCode == 0; }
};

/// Arithmetic on numbers or blocks of the shape of one of them.
struct Calculator {
  OpBuilder &b;
  Location loc;
  Type shape;

  Type of(Type element) const {
    auto block = dyn_cast<RankedTensorType>(shape);
    return block ? Type(block.clone(element)) : element;
  }
  Value constant(Type element, Attribute value) const {
    Type type = of(element);
    if (auto block = dyn_cast<RankedTensorType>(type))
      return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(block, value));
    return arith::ConstantOp::create(b, loc, cast<TypedAttr>(value));
  }
  Value integer(int64_t value, unsigned bits = 32) const {
    Type type = b.getIntegerType(bits);
    return constant(type,
                    b.getIntegerAttr(type, APInt(64, static_cast<uint64_t>(value)).trunc(bits)));
  }
  Value power(int exponent) const {
    return constant(b.getF32Type(),
                    b.getF32FloatAttr(std::bit_cast<float>(exponentBits(exponent))));
  }
  /// Of 2^exponent as fp32.
  static uint32_t exponentBits(int exponent) { return static_cast<uint32_t>(exponent + 127) << 23; }

  template <typename Op> Value make(Value x, Value y) const { return Op::create(b, loc, x, y); }
  Value bitAnd(Value x, int64_t mask) const { return make<arith::AndIOp>(x, integer(mask)); }
  Value shiftLeft(Value x, int64_t n) const { return make<arith::ShLIOp>(x, integer(n)); }
  Value shiftRight(Value x, int64_t n) const { return make<arith::ShRUIOp>(x, integer(n)); }
  Value is(arith::CmpIPredicate predicate, Value x, int64_t y) const {
    return arith::CmpIOp::create(b, loc, predicate, x, integer(y));
  }
  Value select(Value condition, Value yes, Value no) const {
    return arith::SelectOp::create(b, loc, condition, yes, no);
  }
  Value bitcast(Value x, Type element) const {
    return tt::BitcastOp::create(b, loc, of(element), x);
  }
  Value floatOf(Value bits) const { return bitcast(bits, b.getF32Type()); }
  Value bitsOf(Value number) const { return bitcast(number, b.getI32Type()); }
  /// fp32 of a narrower number, or a narrower number of fp32 that it can represent; not of 8 bits.
  Value cast(Value x, Type element) const {
    Type from = getElementTypeOrSelf(x.getType());
    if (from == element)
      return x;
    if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
      return arith::ExtFOp::create(b, loc, of(element), x);
    return arith::TruncFOp::create(b, loc, of(element), x);
  }
};

} // namespace

static std::optional<Format> formatOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<Float8E5M2Type>(element))
    return Format{8, 2, -14, 0x7b};
  if (isa<Float8E4M3FNType>(element))
    return Format{8, 3, -6, 0x7e, 0x7f};
  if (isa<Float8E5M2FNUZType>(element))
    return Format{8, 2, -15, 0x7f, 0x80, true, false};
  if (isa<Float8E4M3FNUZType>(element))
    return Format{8, 3, -7, 0x7f, 0x80, true, false};
  if (element.isF16())
    return Format{16, 10, -14, 0x7bff, 0, false};
  if (element.isBF16())
    return Format{16, 7, -126, 0x7f7f, 0, false};
  return std::nullopt;
}

static bool hasEightBits(Type type) {
  const std::optional<Format> format = formatOf(type);
  return format && format->bits == 8;
}

/// fp32 of the bits of an 8-bit float, in 32 bits.
static Value decode(const Calculator &c, const Format &format, Value code) {
  Value rest = c.bitAnd(code, 0x7f);
  // As the bits of fp32 they are the number times a power of two, also where it is not normal.
  Value scaled = c.floatOf(c.shiftLeft(rest, 23 - format.mantissaBits));
  Value number = c.make<arith::MulFOp>(scaled, c.power(format.minExponent - 1 + 127));
  Value bits = c.bitsOf(number);
  constexpr int64_t kNan = 0x7fc00000, kInfinity = 0x7f800000;
  if (format.isIeee()) {
    // Of infinity and NaN the mantissa stays.
    Value mantissa = c.shiftLeft(c.bitAnd(rest, 3), 21);
    Value special = c.make<arith::OrIOp>(mantissa, c.integer(kInfinity));
    bits = c.select(c.is(arith::CmpIPredicate::uge, rest, 0x7c), special, bits);
  } else if (format.hasNegativeZero) {
    bits = c.select(c.is(arith::CmpIPredicate::eq, rest, format.nanCode), c.integer(kNan), bits);
  }
  bits = c.make<arith::OrIOp>(bits, c.shiftLeft(c.bitAnd(code, 0x80), 24));
  if (!format.hasNegativeZero)
    bits = c.select(c.is(arith::CmpIPredicate::eq, c.bitAnd(code, 0xff), format.nanCode),
                    c.integer(kNan), bits);
  return c.floatOf(bits);
}

/// The magnitude's code: that of the nearest number, ties to even, or of the next one toward zero.
static Value encodeMagnitude(const Calculator &c, const Format &format, Value magnitude,
                             bool towardZero) {
  const int dropped = 23 - format.mantissaBits;
  const int64_t below = Calculator::exponentBits(format.minExponent - 1);
  Value rounded = magnitude;
  if (!towardZero) {
    Value odd = c.bitAnd(c.shiftRight(magnitude, dropped), 1);
    Value half = c.integer((int64_t(1) << (dropped - 1)) - 1);
    rounded = c.make<arith::AddIOp>(magnitude, c.make<arith::AddIOp>(half, odd));
  }
  Value normal = c.shiftRight(c.make<arith::SubIOp>(rounded, c.integer(below)), dropped);
  if (format.minExponent == -126)
    // fp32 has the same exponents.
    return c.shiftRight(rounded, dropped);
  Value isSmall =
      c.is(arith::CmpIPredicate::ult, magnitude, Calculator::exponentBits(format.minExponent));
  Value small = c.floatOf(c.select(isSmall, magnitude, c.integer(0)));
  Value steps;
  if (towardZero) {
    Value scaled = c.make<arith::MulFOp>(small, c.power(format.mantissaBits - format.minExponent));
    steps = arith::FPToSIOp::create(c.b, c.loc, c.of(c.b.getI32Type()), scaled);
  } else {
    // The last place of this number is the format's smallest step.
    const int exponent = format.minExponent - format.mantissaBits + 23;
    Value sum = c.bitsOf(c.make<arith::AddFOp>(small, c.power(exponent)));
    steps = c.make<arith::SubIOp>(sum, c.integer(Calculator::exponentBits(exponent)));
  }
  return c.select(isSmall, steps, normal);
}

/// The code, in 32 bits, of fp32.
static Value encode(const Calculator &c, const Format &format, Value number, bool towardZero) {
  Value bits = c.bitsOf(number);
  Value magnitude = c.bitAnd(bits, 0x7fffffff);
  constexpr int64_t kInfinity = 0x7f800000;
  Value code = encodeMagnitude(c, format, magnitude, towardZero);
  Value largest = c.integer(format.largestCode);
  if (format.saturates || towardZero)
    code = c.select(c.is(arith::CmpIPredicate::ugt, code, format.largestCode), largest, code);
  if (!format.saturates)
    code = c.select(c.is(arith::CmpIPredicate::eq, magnitude, kInfinity),
                    c.integer(format.largestCode + 1), code);
  const int signShift = 32 - static_cast<int>(format.bits);
  Value sign = c.bitAnd(c.shiftRight(bits, signShift), int64_t(1) << (format.bits - 1));
  if (!format.hasNegativeZero)
    sign = c.select(c.is(arith::CmpIPredicate::eq, code, 0), c.integer(0), sign);
  Value isNan = c.is(arith::CmpIPredicate::ugt, magnitude, kInfinity);
  if (!format.hasNegativeZero)
    return c.select(isNan, c.integer(format.nanCode), c.make<arith::OrIOp>(code, sign));
  Value nan = c.integer(format.nanCode);
  if (format.isIeee()) {
    // The upper bits of the mantissa stay, and the first one says that it is quiet.
    const int64_t quiet = int64_t(1) << (format.mantissaBits - 1);
    Value payload = c.bitAnd(c.shiftRight(magnitude, 23 - format.mantissaBits), quiet - 1);
    nan = c.make<arith::OrIOp>(payload, c.integer((format.largestCode + 1) | quiet));
  }
  return c.make<arith::OrIOp>(c.select(isNan, nan, code), sign);
}

/// fp64 to fp32 so that rounding the result once more is as rounding once: an inexact number gets an
/// odd last bit.
static Value roundToOdd(const Calculator &c, Value wide) {
  OpBuilder &b = c.b;
  Value nearest = arith::TruncFOp::create(b, c.loc, c.of(b.getF32Type()), wide);
  Value back = arith::ExtFOp::create(b, c.loc, wide.getType(), nearest);
  const auto magnitude = [&](Value x) -> Value { return math::AbsFOp::create(b, c.loc, x); };
  const auto compare = [&](arith::CmpFPredicate predicate, Value x, Value y) -> Value {
    return arith::CmpFOp::create(b, c.loc, predicate, x, y);
  };
  Value isBeyond = compare(arith::CmpFPredicate::OGT, magnitude(back), magnitude(wide));
  Value bits = c.bitsOf(nearest);
  Value toward = c.select(isBeyond, c.make<arith::SubIOp>(bits, c.integer(1)), bits);
  Value odd = c.make<arith::OrIOp>(toward, c.integer(1));
  return c.floatOf(c.select(compare(arith::CmpFPredicate::ONE, back, wide), odd, bits));
}

static bool isCast(Operation *op) { return isa<tt::FpToFpOp, arith::ExtFOp, arith::TruncFOp>(op); }

/// Casts of and to 8 bits, between formats of one size, and toward zero.
static bool isExpanded(Operation *op) {
  if (!isCast(op))
    return false;
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  const unsigned fromBits = getElementTypeOrSelf(from).getIntOrFloatBitWidth();
  const unsigned toBits = getElementTypeOrSelf(to).getIntOrFloatBitWidth();
  return hasEightBits(from) || hasEightBits(to) || fromBits == toBits ||
         (roundsTowardZero(op) && toBits == 16 && toBits < fromBits);
}

static void expandCast(Operation *op) {
  OpBuilder b(op);
  Value x = op->getOperand(0);
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  const Calculator c{b, op->getLoc(), op->getResult(0).getType()};
  const std::optional<Format> source = formatOf(x.getType()), target = formatOf(to);
  const auto word = [&](Value code) -> Value {
    return arith::ExtUIOp::create(b, c.loc, c.of(b.getI32Type()), code);
  };
  if (hasEightBits(x.getType()))
    x = decode(c, *source, word(c.bitcast(x, b.getI8Type())));
  else if (getElementTypeOrSelf(x.getType()).isF64())
    x = roundToOdd(c, x);
  else
    x = c.cast(x, b.getF32Type());
  const bool encodes = target && (hasEightBits(to) || roundsTowardZero(op));
  if (encodes) {
    Type bits = b.getIntegerType(target->bits);
    Value code = encode(c, *target, x, roundsTowardZero(op));
    x = c.bitcast(arith::TruncIOp::create(b, c.loc, c.of(bits), code), to);
  } else {
    x = c.cast(x, to);
  }
  op->replaceAllUsesWith(ValueRange{x});
  op->erase();
}

/// fp16 has all numbers of 8 bits.
static void widenFactors(tt::DotOp dot) {
  OpBuilder b(dot);
  for (OpOperand *factor : {&dot.getAMutable(), &dot.getBMutable()}) {
    if (!hasEightBits(factor->get().getType()))
      continue;
    auto type = cast<RankedTensorType>(factor->get().getType());
    auto wide = tt::FpToFpOp::create(b, dot.getLoc(), type.clone(b.getF16Type()), factor->get());
    factor->set(wide);
  }
}

/// What takes floats of any kind gets fp32 for those of 8 bits, whose bits would count as an integer.
static void widenOperands(Operation *op) {
  OpBuilder b(op);
  for (OpOperand &value : op->getOpOperands()) {
    if (!hasEightBits(value.get().getType()))
      continue;
    Type wide = b.getF32Type();
    if (auto type = dyn_cast<RankedTensorType>(value.get().getType()))
      wide = type.clone(wide);
    value.set(tt::FpToFpOp::create(b, op->getLoc(), wide, value.get()));
  }
}

// 8 bits as integers
// --------------------------------------------------------------------------------

/// With integers in place of 8-bit floats.
static Type asBits(Type type) {
  if (auto block = dyn_cast<RankedTensorType>(type))
    return block.clone(asBits(block.getElementType()));
  if (auto pointer = dyn_cast<tt::PointerType>(type))
    return tt::PointerType::get(asBits(pointer.getPointeeType()), pointer.getAddressSpace());
  return hasEightBits(type) ? IntegerType::get(type.getContext(), 8) : type;
}

static void useBits(arith::ConstantOp constant) {
  Type type = constant.getType();
  if (asBits(type) == type)
    return;
  const auto code = [](const APFloat &number) { return number.bitcastToAPInt(); };
  TypedAttr bits;
  if (auto elements = dyn_cast<DenseElementsAttr>(constant.getValue()))
    bits = elements.mapValues(IntegerType::get(type.getContext(), 8), code);
  else
    bits = IntegerAttr::get(asBits(type), code(cast<FloatAttr>(constant.getValue()).getValue()));
  constant.setValueAttr(bits);
  constant.getResult().setType(bits.getType());
}

/// Whether it computes with floats of 8 bits, which have no arithmetic.
static bool computes(Operation *op) {
  if (auto rmw = dyn_cast<tt::AtomicRMWOp>(op))
    return rmw.getAtomicRmwOp() != tt::RMWOp::XCHG && hasEightBits(rmw.getVal().getType());
  const bool isArithmetic = isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
                            isa<tt::ClampFOp, tt::PreciseDivFOp, tt::PreciseSqrtOp>(op);
  return isArithmetic && !isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp>(op) &&
         llvm::any_of(op->getOperandTypes(), hasEightBits);
}

static void useBits(ModuleOp module) {
  module.walk([](Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      useBits(constant);
    for (Value result : op->getResults())
      result.setType(asBits(result.getType()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(asBits(argument.getType()));
    auto function = dyn_cast<tt::FuncOp>(op);
    if (!function)
      return;
    const auto converted = [](TypeRange types) {
      return llvm::map_to_vector(types, [](Type type) { return asBits(type); });
    };
    const FunctionType type = function.getFunctionType();
    function.setType(FunctionType::get(op->getContext(), converted(type.getInputs()),
                                       converted(type.getResults())));
  });
}

namespace {
class ExpandFloatCasts : public impl::ExpandFloatCastsBase<ExpandFloatCasts> {
public:
  void runOnOperation() override;
};
} // namespace

void ExpandFloatCasts::runOnOperation() {
  SmallVector<Operation *> casts;
  bool mayUseBits = true;
  getOperation().walk([&](tt::DotOp dot) { widenFactors(dot); });
  getOperation().walk([&](Operation *op) {
    if (isa<tt::PrintOp, arith::FPToSIOp, arith::FPToUIOp>(op))
      widenOperands(op);
  });
  getOperation().walk([&](Operation *op) {
    if (isExpanded(op))
      casts.push_back(op);
    else
      mayUseBits &= !computes(op);
  });
  for (Operation *op : casts)
    expandCast(op);
  // What remains is reported as not supported.
  if (mayUseBits)
    useBits(getOperation());
}

} // namespace tilescope::cpu
