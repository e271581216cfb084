// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/Fillers.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/pipeline/RealConstant.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>
#include <optional>
#include <set>
#include <vector>

using namespace mlir;

namespace tilescope::compiler {

static bool isLeast(Filler filler) {
  return filler == Filler::MinusInfinity || filler == Filler::LeastUnsigned;
}

bool isInfinite(Filler filler) {
  return isLeast(filler) || filler == Filler::Infinity || filler == Filler::LargestUnsigned;
}

Filler withoutSign(Filler filler) {
  if (!isInfinite(filler))
    return filler;
  return isLeast(filler) ? Filler::LeastUnsigned : Filler::LargestUnsigned;
}

bool isReduction(Operation *op) { return isa<tt::ReduceOp, tt::ScanOp>(op); }

bool keepsElements(Operation *op) {
  return isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp, tt::ExpandDimsOp,
             tt::BroadcastOp, tt::ReshapeOp, tt::TransOp, tt::SplatOp>(op);
}

Value withoutShape(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp, tt::TransOp,
             arith::ExtFOp, arith::ExtSIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Of `tl.argmax` and `tl.argmin`, which compare values that have their indices with them.
static Filler fillerOfIndexed(tt::ReduceOp reduce) {
  if (reduce.getSrcs().size() != 2)
    return Filler::Unknown;
  Block &block = reduce.getCombineOp().front();
  const auto comparesValues = [&](auto compare) {
    return compare.getLhs() == block.getArgument(0) && compare.getRhs() == block.getArgument(2);
  };
  for (arith::CmpFOp compare : block.getOps<arith::CmpFOp>()) {
    if (comparesValues(compare) && compare.getPredicate() == arith::CmpFPredicate::OGT)
      return Filler::MinusInfinity;
    if (comparesValues(compare) && compare.getPredicate() == arith::CmpFPredicate::OLT)
      return Filler::Infinity;
  }
  for (arith::CmpIOp compare : block.getOps<arith::CmpIOp>()) {
    const arith::CmpIPredicate predicate = compare.getPredicate();
    if (!comparesValues(compare))
      continue;
    if (predicate == arith::CmpIPredicate::sgt)
      return Filler::MinusInfinity;
    if (predicate == arith::CmpIPredicate::slt)
      return Filler::Infinity;
    if (predicate == arith::CmpIPredicate::ugt)
      return Filler::LeastUnsigned;
    if (predicate == arith::CmpIPredicate::ult)
      return Filler::LargestUnsigned;
  }
  return Filler::Unknown;
}

Filler fillerOf(Operation *reduction) {
  Operation *combiner = nullptr;
  auto reduce = dyn_cast<tt::ReduceOp>(reduction);
  if (reduce)
    combiner = reduce.getSingleCombiner();
  if (!combiner)
    return reduce ? fillerOfIndexed(reduce) : Filler::Unknown;
  // The library sorts by exchanging neighbors in this way, which sums nothing up.
  const auto type = cast<RankedTensorType>(reduce.getSrcs().front().getType());
  if (isa<arith::XOrIOp>(combiner) && type.getDimSize(reduce.getAxis()) == 2)
    return Filler::Unknown;
  if (isa<arith::AddFOp, arith::AddIOp, arith::OrIOp, arith::XOrIOp>(combiner))
    return Filler::Zero;
  if (isa<arith::MulFOp, arith::MulIOp>(combiner))
    return Filler::One;
  if (isa<arith::MaxNumFOp, arith::MaximumFOp, arith::MaxSIOp>(combiner))
    return Filler::MinusInfinity;
  if (isa<arith::MinNumFOp, arith::MinimumFOp, arith::MinSIOp>(combiner))
    return Filler::Infinity;
  if (isa<arith::MaxUIOp>(combiner))
    return Filler::LeastUnsigned;
  return isa<arith::MinUIOp>(combiner) ? Filler::LargestUnsigned : Filler::Unknown;
}

static Filler opposite(Filler filler) {
  return filler == Filler::MinusInfinity ? Filler::Infinity
         : filler == Filler::Infinity    ? Filler::MinusInfinity
                                         : Filler::Unknown;
}

/// Whether a loop hands the value from one iteration to the next.
static bool isCarried(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa<scf::ForOp>(argument.getOwner()->getParentOp()) &&
         argument.getArgNumber() > 0;
}

/// Of functions of one element.
static std::optional<Filler> beforeFunction(Operation *op, Filler filler) {
  const bool isZero = filler == Filler::Zero, isLarge = filler == Filler::Infinity;
  if (isa<math::ExpOp, math::Exp2Op>(op))
    return isZero ? Filler::MinusInfinity : isLarge ? Filler::Infinity : Filler::Unknown;
  if (isa<math::LogOp, math::Log2Op>(op))
    return isZero ? Filler::One : isLarge ? Filler::Infinity : Filler::Unknown;
  if (isa<math::AbsFOp, math::SqrtOp>(op))
    return isZero || isLarge ? filler : Filler::Unknown;
  if (isa<math::RsqrtOp>(op))
    return isZero ? Filler::Infinity : Filler::Unknown;
  if (isa<math::SinOp, math::TanhOp, math::ErfOp>(op))
    return isZero ? filler : Filler::Unknown;
  if (isa<arith::NegFOp>(op))
    return isZero ? filler : opposite(filler);
  return std::nullopt;
}

/// Of sums and differences.
static Filler beforeSum(Operation *op, Value source, Filler filler) {
  const bool isSum = isa<arith::AddFOp, arith::AddIOp>(op);
  // What a loop adds up is not changed by it either.
  if (filler == Filler::Zero && isSum && llvm::any_of(op->getOperands(), isCarried))
    return filler;
  // `-x` is `0 - x`.
  if (filler == Filler::Zero && !isSum)
    return source == op->getOperand(1) && numberConstant(op->getOperand(0)) == 0.0
               ? filler
               : Filler::Unknown;
  if (!isInfinite(filler) || !isa<arith::AddFOp, arith::SubFOp>(op))
    return Filler::Unknown;
  return isSum || source == op->getOperand(0) ? filler : opposite(filler);
}

Filler before(Operation *op, Value source, Filler filler) {
  // No number that is extended is below 0, or above its largest one.
  if (isa_and_nonnull<arith::ExtUIOp>(op))
    return withoutSign(filler);
  if (!op || op->getNumRegions() > 0 || keepsElements(op))
    return filler;
  if (const std::optional<Filler> known = beforeFunction(op, filler))
    return *known;
  if (isa<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp>(op))
    return beforeSum(op, source, filler);
  if (isa<arith::MulFOp, arith::MulIOp>(op))
    return filler == Filler::Zero || (isInfinite(filler) && isa<arith::MulFOp>(op))
               ? filler
               : Filler::Unknown;
  if (isa<arith::DivFOp>(op)) {
    const bool isDividend = source == op->getOperand(0);
    if (filler == Filler::Zero)
      return isDividend ? filler : Filler::Infinity;
    return isInfinite(filler) && isDividend ? filler : Filler::Unknown;
  }
  // A running maximum; not so `maximum(x, 0)`, where 0 is as good.
  const bool isRunning = (filler == Filler::MinusInfinity && isa<arith::MaxNumFOp>(op)) ||
                         (filler == Filler::Infinity && isa<arith::MinNumFOp>(op));
  if (isRunning && llvm::none_of(op->getOperands(),
                                 [](Value operand) { return matchPattern(operand, m_Constant()); }))
    return filler;
  return Filler::Unknown;
}

bool dependsOnSign(Operation *op, Value source, Filler filler) {
  if (!isa_and_nonnull<arith::MulFOp, arith::DivFOp>(op))
    return false;
  const Value other = op->getOperand(source == op->getOperand(0) ? 1 : 0);
  const std::optional<double> number = realConstant(other);
  // 0 / x is 0 whatever `x` is.
  if (filler == Filler::Zero)
    return isa<arith::DivFOp>(op) && source == op->getOperand(1) && number.value_or(0) == 0;
  return isInfinite(filler) && number.value_or(0) <= 0;
}

APInt integerFor(Filler filler, unsigned width) {
  switch (filler) {
  case Filler::MinusInfinity:
    return APInt::getSignedMinValue(width);
  case Filler::Infinity:
    return APInt::getSignedMaxValue(width);
  case Filler::LargestUnsigned:
    return APInt::getMaxValue(width);
  default:
    return APInt(width, filler == Filler::One ? 1 : 0);
  }
}

/// Of integers, the largest number, or the smallest one.
static std::string infinityCode(Filler filler, Type type) {
  const auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return isLeast(filler) ? "float(\"-inf\")" : "float(\"inf\")";
  const APInt number = integerFor(filler, integer.getWidth());
  return withoutSign(filler) == filler ? std::to_string(number.getZExtValue())
                                       : std::to_string(number.getSExtValue());
}

std::string fillerCode(Filler filler, Value value) {
  switch (filler) {
  case Filler::Zero:
    return isa<FloatType>(getElementTypeOrSelf(value.getType())) ? "0.0" : "0";
  case Filler::One:
    return isa<FloatType>(getElementTypeOrSelf(value.getType())) ? "1.0" : "1";
  case Filler::MinusInfinity:
  case Filler::Infinity:
  case Filler::LeastUnsigned:
  case Filler::LargestUnsigned:
    return infinityCode(filler, getElementTypeOrSelf(value.getType()));
  case Filler::Unknown:
    break;
  }
  return {};
}

bool fits(double number, Filler filler) {
  static constexpr double kLarge = 1e4;
  switch (filler) {
  case Filler::Zero:
    return number == 0;
  case Filler::One:
    return number == 1;
  case Filler::MinusInfinity:
    return number <= -kLarge;
  case Filler::Infinity:
    return number >= kLarge;
  case Filler::LeastUnsigned:
    return number == 0;
  case Filler::LargestUnsigned:
    // The upper half of them is below 0 with a sign.
    return number == -1 || std::abs(number) >= kLarge;
  case Filler::Unknown:
    break;
  }
  return true;
}

bool combinesExtremes(Operation *op) {
  return isa_and_nonnull<arith::AddFOp, arith::SubFOp>(op) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           Operation *reduction = operand.getDefiningOp();
           return reduction && isReduction(reduction) && isInfinite(fillerOf(reduction));
         });
}

bool isBoundedBehind(Operation *reduction, double number) {
  const Filler filler = fillerOf(reduction);
  return isInfinite(filler) && reduction->getNumResults() == 1 &&
         llvm::all_of(reduction->getResult(0).getUsers(), [&](Operation *user) {
           const bool isMaximum = isLeast(filler);
           if (isMaximum
                   ? !isa<arith::MaxNumFOp, arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(user)
                   : !isa<arith::MinNumFOp, arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>(
                         user))
             return false;
           return llvm::any_of(user->getOperands(), [&](Value operand) {
             const std::optional<double> bound = numberConstant(withoutShape(operand));
             return bound && (isMaximum ? *bound >= number : *bound <= number);
           });
         });
}

bool isOfReduction(Value value, bool isShared) {
  std::vector<Value> open = {value};
  std::set<void *> seen;
  while (!open.empty()) {
    const Value each = open.back();
    open.pop_back();
    Operation *op = each.getDefiningOp();
    if (!op || !seen.insert(each.getAsOpaquePointer()).second)
      continue;
    isShared |= isa<tt::SplatOp, tt::BroadcastOp>(op);
    if (isReduction(op))
      return isShared;
    if (!isa<tt::LoadOp>(op))
      llvm::append_range(open, op->getOperands());
  }
  return false;
}

bool hasPoleAtZero(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (isa<math::LogOp, math::Log2Op, math::RsqrtOp>(user))
      return true;
    const bool isDivided = isa<arith::DivFOp>(user) && user->getOperand(0) == value;
    return isDivided || keepsElements(user) ? hasPoleAtZero(user->getResult(0))
                                            : isa<arith::DivFOp>(user);
  });
}

bool dropsFound(Operation *op, Value source, Filler filler) {
  auto select = dyn_cast_or_null<arith::SelectOp>(op);
  if (!select || filler == Filler::Unknown || source == select.getCondition() ||
      !isOfReduction(select.getCondition(), true))
    return false;
  const std::optional<double> other = realConstant(
      source == select.getTrueValue() ? select.getFalseValue() : select.getTrueValue());
  return other && fits(*other, filler);
}

} // namespace tilescope::compiler
