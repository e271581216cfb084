// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Each polynomial is a minimax fit (Lawson's iteration in 50 digits, coefficients rounded to fp32)
// of what its comment says, on the interval that the reduction leaves.
#include "compiler/conversion/tt_to_cpu/FloatMath.h"

#include "compiler/conversion/tt_to_cpu/Avx512Math.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <array>
#include <limits>

using namespace mlir;

namespace tilescope::cpu {
namespace {

/// Arithmetic on fp32 tiles that all have as many lanes as one of them.
struct Calculator {
  OpBuilder &b;
  Location loc;
  Value like;
  bool hasAvx512 = false;

  Value number(double value) const { return floatLike(b, loc, like, value); }
  Value integer(int64_t value) const { return integerLike(b, loc, bits(like), value); }
  Value add(Value x, Value y) const { return arith::AddFOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) const { return arith::SubFOp::create(b, loc, x, y); }
  Value mul(Value x, Value y) const { return arith::MulFOp::create(b, loc, x, y); }
  Value div(Value x, Value y) const { return arith::DivFOp::create(b, loc, x, y); }
  Value fma(Value x, Value y, Value z) const { return math::FmaOp::create(b, loc, x, y, z); }
  Value abs(Value x) const { return math::AbsFOp::create(b, loc, x); }
  Value withSignOf(Value x, Value sign) const { return math::CopySignOp::create(b, loc, x, sign); }
  Value is(arith::CmpFPredicate predicate, Value x, double y) const {
    return arith::CmpFOp::create(b, loc, predicate, x, number(y));
  }
  Value select(Value condition, Value yes, Value no) const {
    return arith::SelectOp::create(b, loc, condition, yes, no);
  }
  Value bits(Value x) const {
    return arith::BitcastOp::create(b, loc, typeLike(x, b.getI32Type()), x);
  }
  Value floatOf(Value x) const {
    return arith::BitcastOp::create(b, loc, typeLike(x, b.getF32Type()), x);
  }
  /// c[0] + x (c[1] + x (c[2] + …))
  Value polynomial(Value x, ArrayRef<float> c) const {
    Value sum = number(c.back());
    for (float coefficient : llvm::reverse(c.drop_back()))
      sum = fma(sum, x, number(coefficient));
    return sum;
  }
  /// NaN stays.
  Value clamp(Value x, double low, double high) const {
    Value raised = select(is(arith::CmpFPredicate::OLT, x, low), number(low), x);
    return select(is(arith::CmpFPredicate::OGT, raised, high), number(high), raised);
  }
};

/// Adding it to a small number leaves the nearest integer in the low bits.
constexpr double kRounder = 12582912.0;
constexpr int64_t kRounderBits = 0x4b400000;

} // namespace

/// 2^n e^r for an integer n in [-300, 300], given as it is and as n + kRounder, and |r| <= ln(2)/2.
static Value scaledExponential(const Calculator &c, Value whole, Value rounded, Value r) {
  // (e^r - 1 - r) / r^2, relative error of e^r: 3.3e-9.
  static constexpr float kTerms[] = {0.49999994f, 0.166665152f, 0.041668456f, 0.00836941879f,
                                     0.00138131448f};
  Value tail = c.mul(c.mul(r, r), c.polynomial(r, kTerms));
  Value power = c.add(c.add(tail, r), c.number(1));
  if (c.hasAvx512)
    return emitScale(c.b, c.loc, power, whole);
  // In two steps, so that numbers beyond the normal range come out right.
  Value n = arith::SubIOp::create(c.b, c.loc, c.bits(rounded), c.integer(kRounderBits));
  Value half = arith::ShRSIOp::create(c.b, c.loc, n, c.integer(1));
  Value rest = arith::SubIOp::create(c.b, c.loc, n, half);
  auto powerOfTwo = [&](Value exponent) {
    Value biased = arith::AddIOp::create(c.b, c.loc, exponent, c.integer(127));
    return c.floatOf(arith::ShLIOp::create(c.b, c.loc, biased, c.integer(23)));
  };
  return c.mul(c.mul(power, powerOfTwo(half)), powerOfTwo(rest));
}

static Value emitExp(const Calculator &c, Value x) {
  x = c.clamp(x, -105, 90);
  Value rounded = c.fma(x, c.number(1.4426950408889634), c.number(kRounder));
  Value n = c.sub(rounded, c.number(kRounder));
  // ln(2) in two parts; the product with the first is exact.
  Value r = c.fma(n, c.number(-0.693145751953125), x);
  r = c.fma(n, c.number(-1.4286068203094172e-6), r);
  return scaledExponential(c, n, rounded, r);
}

static Value emitExp2(const Calculator &c, Value x) {
  x = c.clamp(x, -151, 129);
  Value rounded = c.add(x, c.number(kRounder));
  Value n = c.sub(rounded, c.number(kRounder));
  Value r = c.sub(x, n);
  return scaledExponential(c, n, rounded, c.mul(r, c.number(0.6931471805599453)));
}

namespace {
/// x = 2^exponent (1 + fraction), where sqrt(1/2) <= 1 + fraction < sqrt(2).
struct Split {
  Value exponent, fraction;
};
} // namespace

static Split splitNumber(const Calculator &c, Value x) {
  Value isSmall = c.is(arith::CmpFPredicate::OLT, x, 1.17549435e-38);
  Value scaled = c.select(isSmall, c.mul(x, c.number(8388608)), x);
  Value bits = c.bits(scaled);
  // The bits of sqrt(1/2).
  Value offset = arith::SubIOp::create(c.b, c.loc, bits, c.integer(0x3f3504f3));
  Value exponent = arith::ShRSIOp::create(c.b, c.loc, offset, c.integer(23));
  Value shifted = arith::ShLIOp::create(c.b, c.loc, exponent, c.integer(23));
  Value mantissa = c.floatOf(arith::SubIOp::create(c.b, c.loc, bits, shifted));
  Value number = arith::SIToFPOp::create(c.b, c.loc, typeLike(x, c.b.getF32Type()), exponent);
  number = c.select(isSmall, c.sub(number, c.number(23)), number);
  return {number, c.sub(mantissa, c.number(1))};
}

/// log(1 + f) - f, for f of `Split`.
static Value logarithmTail(const Calculator &c, Value f) {
  // (log(1 + f) - f + f^2/2) / f^3, relative error of log(1 + f): 7.5e-10.
  static constexpr float kTerms[] = {0.333333135f,  -0.250000089f, 0.200021192f,
                                     -0.166679963f, 0.142195523f,  -0.124055892f,
                                     0.118881628f,  -0.116756514f, 0.0674663857f};
  Value square = c.mul(f, f);
  Value cubic = c.mul(c.mul(square, f), c.polynomial(f, kTerms));
  return c.fma(square, c.number(-0.5), cubic);
}

/// The result where the logarithm is of a number above zero, and what else it is elsewhere.
static Value withSpecialLogarithms(const Calculator &c, Value x, Value result) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  using P = arith::CmpFPredicate;
  result = c.select(c.is(P::OEQ, x, inf), x, result);
  result = c.select(c.is(P::OEQ, x, 0), c.number(-inf), result);
  return c.select(c.is(P::OGE, x, 0), result, c.number(std::numeric_limits<double>::quiet_NaN()));
}

static Value emitLog(const Calculator &c, Value x) {
  const Split s = splitNumber(c, x);
  Value tail = c.fma(s.exponent, c.number(1.4286068203094172e-6), logarithmTail(c, s.fraction));
  Value sum = c.add(tail, s.fraction);
  return withSpecialLogarithms(c, x, c.fma(s.exponent, c.number(0.693145751953125), sum));
}

static Value emitLog2(const Calculator &c, Value x) {
  const Split s = splitNumber(c, x);
  // log2(e) is 1 and this.
  Value rest = c.number(0.4426950408889634);
  Value tail = logarithmTail(c, s.fraction);
  Value sum = c.fma(tail, rest, c.mul(s.fraction, rest));
  sum = c.add(c.add(sum, tail), s.fraction);
  return withSpecialLogarithms(c, x, c.add(sum, s.exponent));
}

static Value emitTanh(const Calculator &c, Value x) {
  Value magnitude = c.abs(x);
  // (tanh(x)/x - 1) / x^2 in x^2, for |x| < 0.625; relative error of tanh: 4.1e-9.
  static constexpr float kTerms[] = {-0.333332837f, 0.133314908f, -0.0537434965f, 0.0206505861f,
                                     -0.0057170447f};
  Value square = c.mul(x, x);
  Value near = c.fma(c.mul(square, c.polynomial(square, kTerms)), x, x);
  Value power = emitExp(c, c.add(magnitude, magnitude));
  Value far = c.sub(c.number(1), c.div(c.number(2), c.add(power, c.number(1))));
  Value isNear = c.is(arith::CmpFPredicate::OLT, magnitude, 0.625);
  return c.withSignOf(c.select(isNear, near, far), x);
}

/// erf(x)/x near multiples of 1/8, as polynomials in the distance from each, by number of the multiple. Relative error
/// 5.3e-8, nearly all of it that of the first terms as numbers of fp32.
static constexpr std::array<std::array<float, 32>, 5> kErfTerms = {
    {{1.1283792f,  1.1225296f,  1.1053055f,  1.0776451f,  1.0409998f,  0.9971854f,  0.9482075f,
      0.8960858f,  0.8427008f,  0.78967845f, 0.7383201f,  0.68957824f, 0.6440701f,  0.6021192f,
      0.5638124f,  0.5290614f,  0.49766114f, 0.46933928f, 0.44379434f, 0.42072296f, 0.39983723f,
      0.38087416f, 0.36359978f, 0.34780943f, 0.33332598f, 0.31999683f, 0.30769098f, 0.29629576f,
      0.28571406f, 0.27586198f, 0.26666665f, 0.2580645f},
     {-2.8431921e-05f, -0.09315495f,  -0.18116572f, -0.25944608f, -0.32443437f, -0.37389725f,
      -0.40703526f,    -0.42438942f,  -0.4275933f,  -0.4190262f,  -0.4014392f,  -0.37761349f,
      -0.3500932f,     -0.3210135f,   -0.29202136f, -0.26427495f, -0.23849708f, -0.2150581f,
      -0.19406757f,    -0.17545958f,  -0.15906358f, -0.14465763f, -0.1320049f,  -0.120876245f,
      -0.111062236f,   -0.102378264f, -0.09466517f, -0.08778755f, -0.08163105f, -0.07609925f,
      -0.07111087f,    -0.0665972f},
     {-0.37388012f, -0.36562383f, -0.335341f,   -0.28844735f, -0.22993362f, -0.165262f,
      -0.1001958f,  -0.03975317f, 0.012510623f, 0.054143075f, 0.08461226f,  0.10426781f,
      0.1144792f,   0.11709717f,  0.11410854f,  0.10737695f,  0.098561004f, 0.088861935f,
      0.07912542f,  0.06989422f,  0.061434604f, 0.053931992f, 0.047408964f, 0.041768942f,
      0.036857776f, 0.032694943f, 0.029109634f, 0.02599135f,  0.02334364f,  0.021008186f,
      0.018934036f, 0.017179666f},
     {-0.057166502f, 0.055334937f,   0.10461118f,    0.14288025f,   0.16676258f,   0.17514233f,
      0.16924688f,   0.15154874f,    0.12584838f,    0.096228406f,  0.06635121f,   0.039099988f,
      0.016222436f,  -0.0013416479f, -0.0136455f,    -0.021279894f, -0.025151433f, -0.02625029f,
      -0.025495978f, -0.023632469f,  -0.021236157f,  -0.018693712f, -0.016242607f, -0.014004245f,
      -0.012034572f, -0.010336364f,  -0.0088947825f, -0.007679091f, -0.006651878f, -0.005786981f,
      -0.00505589f,  -0.004436236f},
     {0.56847537f,   0.10153911f,     0.086877674f,  0.051622324f,   0.036446888f,
      0.0015336587f, -0.029466916f,   -0.03927273f,  -0.06268495f,   -0.047814257f,
      -0.05352405f,  -0.050479766f,   -0.04355282f,  -0.03493626f,   -0.022835625f,
      -0.005390669f, 0.0004351018f,   0.0001489299f, -0.0009836972f, -0.0013779252f,
      0.008212739f,  0.01208289f,     0.0063742027f, 0.00035292312f, 0.009658022f,
      0.0034424872f, -0.00015532761f, 0.004009759f,  -0.0046694255f, -0.002843142f,
      0.008423293f,  0.002755181f}}};
/// From here on erf is 1 in fp32, and so is this number times the last polynomial.
static constexpr double kLastErf = 3.9374998;
/// Adding it to a number below 2^21 leaves the nearest multiple of 1/8 in the low bits.
static constexpr double kEighths = kRounder / 8;

static Value emitErfByTable(const Calculator &c, Value x) {
  Value magnitude = c.clamp(c.abs(x), 0, kLastErf);
  Value number = c.bits(c.add(magnitude, c.number(kEighths)));
  Value distance = emitRemainder(c.b, c.loc, magnitude, /*binaryPlaces=*/3);
  const auto entry = [&](const std::array<float, 32> &table) {
    return emitLookup(c.b, c.loc, table, number);
  };
  Value sum = entry(kErfTerms.back());
  for (const auto &terms : llvm::reverse(llvm::ArrayRef(kErfTerms).drop_back()))
    sum = c.fma(sum, distance, entry(terms));
  return c.mul(c.withSignOf(magnitude, x), sum);
}

static Value emitErf(const Calculator &c, Value x) {
  if (c.hasAvx512)
    return emitErfByTable(c, x);
  Value magnitude = c.clamp(c.abs(x), 0, 4);
  // erf(x)/x - 1 in x^2, for |x| < 1; error 1.2e-9.
  static constexpr float kNear[] = {0.128379166f,   -0.37612626f,   0.112836003f,
                                    -0.0268544443f, 0.00518953567f, -0.000802084222f,
                                    7.88912294e-05f};
  // -log(1 - erf(x)) on [0.97, 4]; error of erf: 1.2e-9.
  static constexpr float kFar[] = {0.000293032528f, 1.1272794f,     0.637839913f,   0.103362121f,
                                   -0.0219558254f,  0.00297599752f, -0.00018915828f};
  Value near = c.fma(x, c.polynomial(c.mul(x, x), kNear), x);
  Value rest = emitExp(c, c.sub(c.number(0), c.polynomial(magnitude, kFar)));
  Value far = c.withSignOf(c.sub(c.number(1), rest), x);
  return c.select(c.is(arith::CmpFPredicate::OLT, magnitude, 1), near, far);
}

static Value emitRsqrt(const Calculator &c, Value x) {
  return c.div(c.number(1), math::SqrtOp::create(c.b, c.loc, x));
}

using Formula = Value (*)(const Calculator &, Value);

/// The polynomials; null where there is none.
static Formula formulaOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Formula>(op)
      .Case([](math::ExpOp) { return emitExp; })
      .Case([](math::Exp2Op) { return emitExp2; })
      .Case([](math::LogOp) { return emitLog; })
      .Case([](math::Log2Op) { return emitLog2; })
      .Case([](math::TanhOp) { return emitTanh; })
      .Case([](math::ErfOp) { return emitErf; })
      .Default([](Operation *) { return nullptr; });
}

Value narrowFloatOn(OpBuilder &b, Location loc, Value tile, Type element,
                    const MathTarget &target) {
  const int64_t lanes = lanesOf(tile);
  if (element.isBF16() && target.roundsToBf16 && lanes > 0 && lanes % (2 * kAvx512Lanes) == 0)
    return emitRoundToBf16(b, loc, tile);
  return narrowFloat(b, loc, tile, element);
}

/// For types narrower than fp32, in fp32.
static Value emitWide(OpBuilder &b, Operation *op, ValueRange operands, const MathTarget &target) {
  const Location loc = op->getLoc();
  SmallVector<Value, 4> wide;
  for (Value operand : operands)
    wide.push_back(widenFloat(b, loc, operand, b.getF32Type()));
  return narrowFloatOn(b, loc, emitFloatMath(b, op, wide, target),
                       getElementTypeOrSelf(operands[0].getType()), target);
}

Value emitFloatMath(OpBuilder &b, Operation *op, ValueRange operands, const MathTarget &target) {
  Type type = operands[0].getType(), element = getElementTypeOrSelf(type);
  const Location loc = op->getLoc();
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32)
    return emitWide(b, op, operands, target);
  const int64_t lanes = lanesOf(operands[0]);
  const Calculator calculator{b, loc, operands[0],
                              target.hasAvx512 && lanes > 0 && lanes % kAvx512Lanes == 0};
  if (isa<math::RsqrtOp>(op))
    return emitRsqrt(calculator, operands[0]);
  if (isa<tt::PreciseSqrtOp>(op))
    return math::SqrtOp::create(b, loc, operands[0]);
  if (Formula formula = element.isF32() ? formulaOf(op) : nullptr)
    return formula(calculator, operands[0]);
  OperationState state(loc, op->getName(), operands, {type});
  return b.create(state)->getResult(0);
}

} // namespace tilescope::cpu
