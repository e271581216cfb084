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

/// erf(x)/x near multiples of 4/15, as polynomials in the distance from a center of each: from 0 to 4, by number of the
/// multiple; relative error 1.6e-8. At the centers it is nearly a number of fp32, so that the first terms are exact.
static constexpr std::array<float, 16> kCenters = {
    3.06412e-02f,   2.692526e-01f,  5.2998924e-01f, 7.9897016e-01f, 1.0669923e+00f, 1.3313712e+00f,
    1.5969315e+00f, 1.8678968e+00f, 2.1356478e+00f, 2.3976219e+00f, 2.669017e+00f,  2.9360416e+00f,
    3.2005742e+00f, 3.4649572e+00f, 3.7298508e+00f, 4.e+00f};
static constexpr std::array<std::array<float, 16>, 6> kErfTerms = {
    {{1.1280261e+00f, 1.1016941e+00f, 1.031068e+00f, 9.2805433e-01f, 8.1414807e-01f, 7.062481e-01f,
      6.1122185e-01f, 5.30944e-01f, 4.6705943e-01f, 4.1678923e-01f, 3.746097e-01f, 3.405834e-01f,
      3.1244206e-01f, 2.8860357e-01f, 2.681072e-01f, 2.5e-01f},
     {-2.3036946e-02f, -1.939595e-01f, -3.3777064e-01f, -4.1564503e-01f, -4.2429483e-01f,
      -3.8647166e-01f, -3.275863e-01f, -2.6580393e-01f, -2.1317464e-01f, -1.7233443e-01f,
      -1.4001426e-01f, -1.1593155e-01f, -9.760808e-02f, -8.3290115e-02f, -7.1881205e-02f,
      -6.2499385e-02f},
     {-3.754914e-01f, -3.2910502e-01f, -2.1473739e-01f, -7.574251e-02f, 3.622417e-02f,
      9.8569185e-02f, 1.1704595e-01f, 1.0785204e-01f, 8.8024296e-02f, 6.828099e-02f, 5.1549885e-02f,
      3.9282106e-02f, 3.04569e-02f, 2.4030946e-02f, 1.9270845e-02f, 1.56494e-02f},
     {1.3814657e-02f, 1.1143542e-01f, 1.7032883e-01f, 1.6359358e-01f, 1.102324e-01f, 4.8122156e-02f,
      2.099623e-03f, -2.0989543e-02f, -2.626751e-02f, -2.3228612e-02f, -1.7809251e-02f,
      -1.3004593e-02f, -9.435102e-03f, -6.919976e-03f, -5.164975e-03f, -3.484257e-03f},
     {1.1277844e-01f, 8.505621e-02f, 2.4914185e-02f, -3.31945e-02f, -5.9368648e-02f,
      -5.3391654e-02f, -3.2171864e-02f, -1.1704248e-02f, 1.8017521e-04f, 4.5525637e-03f,
      4.956106e-03f, 3.945749e-03f, 2.8331007e-03f, 1.9756986e-03f, 1.3817197e-03f, 4.1424395e-03f},
     {-1.0489823e-02f, -3.7418295e-02f, -4.9499348e-02f, -3.301903e-02f, -5.961891e-03f,
      1.2851529e-02f, 1.714528e-02f, 1.2293014e-02f, 5.755248e-03f, 1.3531701e-03f, -4.985933e-04f,
      -8.569143e-04f, -7.3923246e-04f, -5.469516e-04f, -3.312553e-04f, 8.39091e-03f}}};

static Value emitErfByTable(const Calculator &c, Value x) {
  Value magnitude = c.clamp(c.abs(x), 0, 4);
  Value number = c.bits(c.fma(magnitude, c.number(3.75), c.number(kRounder)));
  const auto entry = [&](const std::array<float, 16> &table) {
    return emitLookup(c.b, c.loc, table, number);
  };
  Value distance = c.sub(magnitude, entry(kCenters));
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
