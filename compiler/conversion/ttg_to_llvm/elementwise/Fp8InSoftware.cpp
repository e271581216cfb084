// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/elementwise/Fp8InSoftware.h"

#include <bit>
#include <cmath>

using namespace mlir;

namespace tilescope::compiler {
namespace {

constexpr int kSingleMantissaBits = 23, kSingleBias = 127;

/// What sets an 8-bit format apart.
struct Format {
  explicit Format(FloatType type)
      : mantissaBits(llvm::APFloat::semanticsPrecision(type.getFloatSemantics()) - 1),
        minExponent(llvm::APFloat::semanticsMinExponent(type.getFloatSemantics())),
        largest(llvm::APFloat::getLargest(type.getFloatSemantics()).convertToFloat()),
        nan(llvm::APFloat::getNaN(type.getFloatSemantics()).bitcastToAPInt().getZExtValue()),
        hasNegativeZero(nan != 0x80), hasInfinity(isa<Float8E5M2Type>(type)) {}

  int mantissaBits;
  /// Exponent of the smallest normal value.
  int minExponent;
  float largest;
  uint8_t nan;
  /// Where there is none, its code is NaN.
  bool hasNegativeZero;
  bool hasInfinity;

  int droppedBits() const { return kSingleMantissaBits - mantissaBits; }
  int bias() const { return 1 - minExponent; }
};

/// Integer arithmetic on the bits of an f32, with constants.
class Bits {
public:
  explicit Bits(Builder &builder) : b(builder) {}

  Value constant(uint32_t value) { return i32Constant(b, static_cast<int32_t>(value)); }
  Value mask(Value x, uint32_t bits) { return LLVM::AndOp::create(b, x, constant(bits)); }
  Value plus(Value x, uint32_t y) { return LLVM::AddOp::create(b, x, constant(y)); }
  Value up(Value x, int bits) { return LLVM::ShlOp::create(b, x, constant(bits)); }
  Value down(Value x, int bits) { return LLVM::LShrOp::create(b, x, constant(bits)); }
  Value isBelow(Value x, uint32_t y) {
    return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ult, x, constant(y));
  }
  Value asFloat(Value x) { return bitcast(b, x, b.getF32Type()); }
  Value asBits(Value x) { return bitcast(b, x, b.getI32Type()); }

private:
  Builder &b;
};

uint32_t bitsOf(float value) { return std::bit_cast<uint32_t>(value); }

} // namespace

/// The code of a magnitude that is normal in the format: rounded, then moved to its bias.
static Value encodeNormal(Builder &b, Value magnitude, const Format &format, bool towardZero) {
  Bits bits(b);
  int dropped = format.droppedBits();
  Value rounded = magnitude;
  if (!towardZero) {
    Value odd = bits.mask(bits.down(magnitude, dropped), 1);
    rounded = LLVM::AddOp::create(b, bits.plus(magnitude, (1u << (dropped - 1)) - 1), odd);
  }
  int rebias = (kSingleBias - format.bias()) << format.mantissaBits;
  return bits.plus(bits.down(rounded, dropped), static_cast<uint32_t>(-rebias));
}

/// The code of a magnitude below the normal ones: how many of the smallest steps it has.
static Value encodeSubnormal(Builder &b, Value magnitude, const Format &format, bool towardZero) {
  Bits bits(b);
  int stepExponent = format.minExponent - format.mantissaBits;
  if (towardZero) {
    Value steps =
        LLVM::FMulOp::create(b, bits.asFloat(magnitude),
                             floatConstant(b, b.getF32Type(), std::ldexp(1.0, -stepExponent)));
    return LLVM::FPToUIOp::create(b, b.getI32Type(), steps);
  }
  // Adding a number whose last place is the step rounds to it.
  float magic = std::ldexp(1.0f, stepExponent + kSingleMantissaBits);
  Value sum =
      LLVM::FAddOp::create(b, bits.asFloat(magnitude), floatConstant(b, b.getF32Type(), magic));
  return bits.plus(bits.asBits(sum), -bitsOf(magic));
}

Value encodeFp8(Builder &b, Value value, FloatType type, bool towardZero) {
  Format format(type);
  Bits bits(b);
  Value all = bits.asBits(value);
  Value magnitude =
      LLVM::UMinOp::create(b, bits.mask(all, 0x7fffffff), bits.constant(bitsOf(format.largest)));
  Value isSmall = bits.isBelow(magnitude, bitsOf(std::ldexp(1.0f, format.minExponent)));
  Value code = LLVM::SelectOp::create(b, isSmall, encodeSubnormal(b, magnitude, format, towardZero),
                                      encodeNormal(b, magnitude, format, towardZero));
  Value sign = bits.mask(bits.down(all, 24), 0x80);
  if (!format.hasNegativeZero)
    sign = LLVM::SelectOp::create(b, bits.isBelow(code, 1), bits.constant(0), sign);
  code = LLVM::OrOp::create(b, code, sign);
  Value isNan = LLVM::FCmpOp::create(b, LLVM::FCmpPredicate::uno, value, value);
  code = LLVM::SelectOp::create(b, isNan, bits.constant(format.nan), code);
  return LLVM::TruncOp::create(b, b.getI8Type(), code);
}

Value decodeFp8(Builder &b, Value code, FloatType type) {
  Format format(type);
  Bits bits(b);
  Value all = LLVM::ZExtOp::create(b, b.getI32Type(), code), magnitude = bits.mask(all, 0x7f);
  // With the code's bits in place the number is right but for the difference of the biases.
  Value small = bits.asFloat(bits.up(magnitude, format.droppedBits()));
  Value scale = floatConstant(b, b.getF32Type(), std::ldexp(1.0, kSingleBias - format.bias()));
  Value scaled = bits.asBits(LLVM::FMulOp::create(b, small, scale));
  if (format.hasInfinity) {
    // The codes from infinity on have all bits of the exponent.
    Value isFinite = bits.isBelow(magnitude, 0x7c);
    Value special =
        LLVM::OrOp::create(b, bits.up(magnitude, format.droppedBits()), bits.constant(0x7f800000));
    scaled = LLVM::SelectOp::create(b, isFinite, scaled, special);
  } else {
    Value isNan =
        LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, format.hasNegativeZero ? magnitude : all,
                             bits.constant(format.nan));
    scaled = LLVM::SelectOp::create(b, isNan, bits.constant(0x7fc00000), scaled);
  }
  return bits.asFloat(LLVM::OrOp::create(b, scaled, bits.up(bits.mask(all, 0x80), 24)));
}

} // namespace tilescope::compiler
