// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/Elementwise.h"

#include "compiler/conversion/tt_to_cpu/Closeness.h"
#include "compiler/conversion/tt_to_cpu/Division.h"
#include "compiler/conversion/tt_to_cpu/Emission.h"
#include "compiler/conversion/tt_to_cpu/TableFunctions.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilescope::cpu {

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
  const bool isSigned = isa<arith::DivSIOp, arith::RemSIOp>(e.op);
  const bool isRemainder = isa<arith::RemSIOp, arith::RemUIOp>(e.op);
  // Truth values are divided by 1, or by 0.
  if (e.element.isInteger(1))
    return isRemainder ? e.integer(0) : e.operand(0);
  const std::optional<APInt> divisor = knownInteger(e.op->getOperand(1));
  if (divisor && !divisor->isZero() && !divisor->isAllOnes())
    return e.same(e.operands);
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
  const int64_t width = e.source().getIntOrFloatBitWidth();
  if (width == 1) {
    Value isKept = arith::XOrIOp::create(e.b, e.loc, e.operand(1), e.integer(1));
    return isa<arith::ShRSIOp>(e.op)
               ? e.operand(0)
               : arith::AndIOp::create(e.b, e.loc, e.operand(0), isKept).getResult();
  }
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
  const unsigned width = e.source().getIntOrFloatBitWidth();
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
  Value x = e.operand(0);
  Value low = arith::MaxNumFOp::create(e.b, e.loc, x, e.operand(1));
  Value clamped = arith::MinNumFOp::create(e.b, e.loc, low, e.operand(2));
  if (cast<tt::ClampFOp>(e.op).getPropagateNan() != tt::PropagateNan::ALL)
    return clamped;
  Value isNan = arith::CmpFOp::create(e.b, e.loc, arith::CmpFPredicate::UNO, x, x);
  return e.select(isNan, x, clamped);
}

static Value emitAddPointer(const Emission &e) {
  Type pointee = getElementTypeOrSelf(tt::getPointeeType(e.op->getResult(0).getType()));
  return elementAddress(e.b, e.loc, e.operand(0), e.operand(1), elementTypeOf(pointee));
}

bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op);
}

static Value emitSame(const Emission &e) { return e.same(e.operands); }

static Value emitDivF(const Emission &e) {
  return arith::DivFOp::create(e.b, e.loc, e.operand(0), e.operand(1));
}

static Value emitToPointer(const Emission &e) {
  return LLVM::IntToPtrOp::create(e.b, e.loc, e.resultType(), e.operand(0));
}

static Value emitFromPointer(const Emission &e) {
  return LLVM::PtrToIntOp::create(e.b, e.loc, e.resultType(), e.operand(0));
}

static Value emitMath(const Emission &e) { return emitFloatMath(e.b, e.op, e.operands, e.target); }

namespace {
/// How code computes an operation.
struct Rule {
  StringLiteral name;
  Value (*emit)(const Emission &);
  /// In simple operations.
  int cost = 1;
  Closeness closeness = {};
  /// bf16 is computed in fp32, and rounded: for bf16 itself, LLVM calls a library.
  bool widensBf16 = false;
};
} // namespace

static constexpr Closeness kEitherZero{.eitherZero = true};
/// Narrower floats are computed in fp32, and rounded once more.
static constexpr Closeness kRoundedTwice{.narrow = 1};
/// LLVM computes functions of constants itself, and joins the sine and the cosine of one number.
static constexpr Closeness kByLibrary{.narrow = 1, .fp32 = 1, .fp64 = 1};
static constexpr int kDivision = 20, kFloatDivision = 6, kPolynomial = 20, kLibraryCall = 100;

static constexpr Rule kRules[] = {
    // Integers and truth values.
    {"arith.addi", emitSame},
    {"arith.subi", emitSame},
    {"arith.muli", emitSame},
    {"arith.andi", emitSame},
    {"arith.ori", emitSame},
    {"arith.xori", emitSame},
    {"arith.maxsi", emitSame},
    {"arith.minsi", emitSame},
    {"arith.maxui", emitSame},
    {"arith.minui", emitSame},
    {"arith.cmpi", emitSame},
    {"arith.select", emitSelect},
    {"arith.divsi", emitDivision, kDivision},
    {"arith.divui", emitDivision, kDivision},
    {"arith.remsi", emitDivision, kDivision},
    {"arith.remui", emitDivision, kDivision},
    {"arith.shli", emitShift},
    {"arith.shrsi", emitShift},
    {"arith.shrui", emitShift},
    {"tt.mulhiui", emitHighProduct},
    {"math.absi", emitMath},
    {"math.ctlz", emitMath},
    {"math.cttz", emitMath},
    {"math.ctpop", emitMath},
    // Casts, and addresses.
    {"arith.extsi", emitSame},
    {"arith.extui", emitSame},
    {"arith.trunci", emitSame},
    {"arith.sitofp", emitFromInteger},
    {"arith.uitofp", emitFromInteger},
    {"arith.fptosi", emitToInteger},
    {"arith.fptoui", emitToInteger},
    {"arith.extf", emitFloatCast},
    {"arith.truncf", emitFloatCast},
    {"tt.fp_to_fp", emitFloatCast},
    {"arith.bitcast", emitBitcast},
    {"tt.bitcast", emitBitcast},
    {"tt.int_to_ptr", emitToPointer},
    {"tt.ptr_to_int", emitFromPointer},
    {"tt.addptr", emitAddPointer},
    // Floats.
    {"arith.addf", emitSame, 1, {}, true},
    {"arith.subf", emitSame, 1, {}, true},
    {"arith.mulf", emitSame, 1, {}, true},
    {"arith.divf", emitDivF, kFloatDivision, {}, true},
    {"tt.precise_divf", emitDivF, kFloatDivision, {}, true},
    {"arith.negf", emitSame},
    {"arith.cmpf", emitSame},
    {"arith.maximumf", emitSame, 1, kEitherZero, true},
    {"arith.minimumf", emitSame, 1, kEitherZero, true},
    {"arith.maxnumf", emitSame, 1, kEitherZero, true},
    {"arith.minnumf", emitSame, 1, kEitherZero, true},
    {"tt.clampf", emitClamp, 1, kEitherZero, true},
    {"math.absf", emitMath},
    {"math.copysign", emitMath},
    {"math.floor", emitMath},
    {"math.ceil", emitMath},
    {"math.trunc", emitMath},
    {"math.roundeven", emitMath},
    {"math.fma", emitMath, 1, kRoundedTwice},
    {"math.sqrt", emitMath, kFloatDivision},
    {"tt.precise_sqrt", emitMath, kFloatDivision},
    {"math.rsqrt", emitMath, kFloatDivision, {.narrow = 1, .fp32 = 2, .fp64 = 2}},
    // Polynomials of fp32 (FloatMath.h); of fp64, the C library's.
    {"math.exp", emitMath, kPolynomial, {.narrow = 1, .fp32 = 2}},
    {"math.exp2", emitMath, kPolynomial, {.narrow = 1, .fp32 = 2}},
    {"math.log", emitMath, kPolynomial, {.narrow = 1, .fp32 = 2}},
    {"math.log2", emitMath, kPolynomial, {.narrow = 1, .fp32 = 2}},
    {"math.tanh", emitMath, kPolynomial, {.narrow = 1, .fp32 = 3}},
    {"math.erf", emitMath, kPolynomial, {.narrow = 1, .fp32 = 3}},
    // The C library's, which the interpreter calls, too. Those that have no rule are called through its functions: MLIR
    // would compute `math.log1p` as log(1 + x), and `math.expm1` as exp(x) - 1.
    {"math.log10", emitMath, kLibraryCall, kByLibrary},
    {"math.sin", emitMath, kLibraryCall, kByLibrary},
    {"math.cos", emitMath, kLibraryCall, kByLibrary},
    {"math.tan", emitMath, kLibraryCall, kByLibrary},
    {"math.asin", emitMath, kLibraryCall, kByLibrary},
    {"math.acos", emitMath, kLibraryCall, kByLibrary},
    {"math.atan", emitMath, kLibraryCall, kByLibrary},
    {"math.sinh", emitMath, kLibraryCall, kByLibrary},
    {"math.cosh", emitMath, kLibraryCall, kByLibrary},
    {"math.asinh", emitMath, kLibraryCall, kByLibrary},
    {"math.acosh", emitMath, kLibraryCall, kByLibrary},
    {"math.atanh", emitMath, kLibraryCall, kByLibrary},
    {"math.erfc", emitMath, kLibraryCall, kByLibrary},
    {"math.cbrt", emitMath, kLibraryCall, kByLibrary},
    {"math.round", emitMath, kLibraryCall},
    {"math.powf", emitMath, kLibraryCall, kByLibrary},
    {"math.atan2", emitMath, kLibraryCall, kByLibrary},
};

static const Rule *findRule(StringRef operation) {
  static const llvm::StringMap<const Rule *> rules = [] {
    llvm::StringMap<const Rule *> all;
    for (const Rule &rule : kRules)
      all[rule.name] = &rule;
    return all;
  }();
  return rules.lookup(operation);
}

static const Rule *ruleOf(Operation *op) { return findRule(op->getName().getStringRef()); }

bool hasRule(Operation *op) { return ruleOf(op) != nullptr; }

std::vector<std::string_view> ruleNames() {
  std::vector<std::string_view> names;
  for (const Rule &rule : kRules)
    names.emplace_back(rule.name);
  return names;
}

std::optional<Closeness> closenessOf(std::string_view operation) {
  const Rule *rule = findRule(operation);
  return rule ? std::optional(rule->closeness) : std::nullopt;
}

/// Between formats of one size no cast of LLVM is, and rounding to 16 bits toward zero is none of its own.
static bool isPlainFloatCast(Operation *op) {
  Type from = elementTypeOf(op->getOperand(0).getType());
  Type to = elementTypeOf(op->getResult(0).getType());
  if (from.getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth())
    return false;
  if (auto truncate = dyn_cast<arith::TruncFOp>(op))
    return !truncate.getRoundingmode();
  return to.getIntOrFloatBitWidth() >= 32 || !roundsTowardZero(op);
}

bool isElementwise(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 || op->getNumOperands() == 0)
    return false;
  for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (!elementTypeOf(type))
      return false;
  if (isa<arith::ExtFOp, arith::TruncFOp, tt::FpToFpOp>(op))
    return isPlainFloatCast(op);
  return hasRule(op) || isTableFunction(op);
}

Value emitElementwise(OpBuilder &b, Operation *op, ValueRange operands, const MathTarget &target) {
  const Rule &rule = *ruleOf(op);
  Emission e{b, op, llvm::to_vector<4>(operands), target};
  int64_t lanes = 0;
  for (Value operand : operands)
    lanes = std::max(lanes, lanesOf(operand));
  for (Value &operand : e.operands)
    operand = splat(b, e.loc, operand, lanes);
  if (!rule.widensBf16 || !e.element.isBF16())
    return rule.emit(e);
  for (Value &operand : e.operands)
    operand = widenFloat(b, e.loc, operand, b.getF32Type());
  e.element = b.getF32Type();
  return narrowFloatOn(b, e.loc, rule.emit(e), b.getBF16Type(), target);
}

int costOf(Operation *op) {
  const Rule *rule = ruleOf(op);
  return rule ? rule->cost : kDivision;
}

} // namespace tilescope::cpu
