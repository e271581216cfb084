// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/AxisInfoRules.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/Dialect.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;

namespace tilescope::compiler {

using Infos = ArrayRef<const AxisInfo *>;

static int64_t multiplyDivisors(int64_t a, int64_t b) {
  return a > AxisInfo::kMaxDivisor / b ? AxisInfo::kMaxDivisor : a * b;
}

static SmallVector<int64_t, 4> shapeOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return SmallVector<int64_t, 4>(tensor.getShape());
  return {1};
}

/// Distance in memory of neighboring elements of a pointer type; 1 for other types.
static int64_t stepOf(Type type) {
  auto pointer = dyn_cast<tt::PointerType>(getElementTypeOrSelf(type));
  if (!pointer || isa<RankedTensorType>(pointer.getPointeeType()))
    return 1;
  return std::max<int64_t>(1, tt::getElementBitWidth(pointer.getPointeeType()) / 8);
}

/// Length of aligned runs in which `dividend` walks from one multiple of the run's length to the
/// next while `divisor`, a multiple of that length, stays the same: the quotient is constant there
/// and the remainder is contiguous. 1 when there are none.
static int64_t quotientRun(const AxisInfo &dividend, const AxisInfo &divisor, int d) {
  if (!divisor.isStepless(d))
    return 1;
  int64_t run =
      std::gcd(dividend.contiguity[d], std::gcd(dividend.divisibility[d], divisor.divisibility[d]));
  return std::gcd(run, divisor.constancy[d]);
}

static AxisInfo deriveConstant(arith::ConstantOp op) {
  SmallVector<int64_t, 4> shape = shapeOf(op.getType());
  Attribute value = op.getValue();
  if (auto dense = dyn_cast<SplatElementsAttr>(value))
    value = dense.getSplatValue<Attribute>();
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    // A true mask is 1, not -1.
    APInt number = integer.getValue();
    return AxisInfo::ofConstant(
        number.getBitWidth() == 1 ? number.getZExtValue() : number.getSExtValue(), shape);
  }
  AxisInfo info = AxisInfo::unknown(shape.size());
  if (isa<FloatAttr>(value))
    info.constancy = shape;
  return info;
}

/// Addition and subtraction; `step` is the distance of the left side's neighbors, and what the
/// right side is scaled by.
static AxisInfo deriveSum(const AxisInfo &left, const AxisInfo &right, int64_t step,
                          bool subtract) {
  AxisInfo info = AxisInfo::unknown(left.rank());
  for (int d = 0; d < left.rank(); ++d) {
    int64_t contiguity = std::gcd(left.contiguity[d], right.constancy[d]);
    if (!subtract)
      contiguity = std::max(contiguity, std::gcd(left.constancy[d], right.contiguity[d]));
    int64_t rightDivisor = multiplyDivisors(right.divisibility[d], step);
    int64_t both = std::gcd(left.divisibility[d], rightDivisor);
    int64_t divisor = both;
    bool leftSteps = !left.isStepless(d), rightSteps = !right.isStepless(d);
    if (leftSteps && rightSteps) {
      // Both walk: i + i is even, and i - i is nothing when the runs coincide.
      if (!(subtract && left.contiguity[d] == right.contiguity[d]))
        divisor = both % 2 == 0 ? 2 : 1;
    } else if (leftSteps || rightSteps) {
      divisor = contiguity == std::max(left.contiguity[d], right.contiguity[d])
                    ? both
                    : std::gcd(both, multiplyDivisors(contiguity, step));
    }
    info.contiguity[d] = contiguity;
    info.divisibility[d] = divisor;
    info.constancy[d] = std::gcd(left.constancy[d], right.constancy[d]);
  }
  return info;
}

static AxisInfo deriveProduct(const AxisInfo &left, const AxisInfo &right) {
  AxisInfo info = AxisInfo::unknown(left.rank());
  for (int d = 0; d < left.rank(); ++d) {
    if (left.constant == 1 || right.constant == 1) {
      const AxisInfo &same = left.constant == 1 ? right : left;
      info.contiguity[d] = same.contiguity[d];
      info.divisibility[d] = same.divisibility[d];
    } else {
      int64_t leftDivisor = left.isStepless(d) ? left.divisibility[d] : 1;
      int64_t rightDivisor = right.isStepless(d) ? right.divisibility[d] : 1;
      info.divisibility[d] = multiplyDivisors(leftDivisor, rightDivisor);
    }
    info.constancy[d] = std::gcd(left.constancy[d], right.constancy[d]);
  }
  return info;
}

static AxisInfo deriveQuotient(const AxisInfo &left, const AxisInfo &right) {
  if (right.constant == 1)
    return left;
  AxisInfo info = AxisInfo::unknown(left.rank());
  for (int d = 0; d < left.rank(); ++d) {
    info.constancy[d] =
        std::max(std::gcd(left.constancy[d], right.constancy[d]), quotientRun(left, right, d));
    if (left.constant == 0)
      info.divisibility[d] = left.divisibility[d];
    else if (right.constant && *right.constant > 0 && llvm::isPowerOf2_64(*right.constant) &&
             left.isStepless(d))
      info.divisibility[d] = std::max<int64_t>(1, left.divisibility[d] / *right.constant);
  }
  return info;
}

static AxisInfo deriveRemainder(const AxisInfo &left, const AxisInfo &right,
                                ArrayRef<int64_t> shape) {
  if (right.constant == 1)
    return AxisInfo::ofConstant(0, shape);
  AxisInfo info = AxisInfo::unknown(left.rank());
  for (int d = 0; d < left.rank(); ++d) {
    int64_t run = quotientRun(left, right, d);
    info.contiguity[d] = run;
    info.constancy[d] = std::gcd(left.constancy[d], right.constancy[d]);
    if (right.isStepless(d))
      info.divisibility[d] = std::gcd(left.divisibilityOfRuns(d, run), right.divisibility[d]);
  }
  return info;
}

static bool compare(arith::CmpIPredicate predicate, int64_t left, int64_t right) {
  return arith::applyCmpPredicate(predicate, APInt(64, left, /*isSigned=*/true),
                                  APInt(64, right, /*isSigned=*/true));
}

static AxisInfo deriveComparison(arith::CmpIPredicate predicate, const AxisInfo &left,
                                 const AxisInfo &right, ArrayRef<int64_t> shape) {
  if (left.constant && right.constant)
    return AxisInfo::ofConstant(compare(predicate, *left.constant, *right.constant), shape);
  using Predicate = arith::CmpIPredicate;
  bool rightIsBound = llvm::is_contained(
      {Predicate::slt, Predicate::sge, Predicate::ult, Predicate::uge}, predicate);
  bool leftIsBound = llvm::is_contained(
      {Predicate::sgt, Predicate::sle, Predicate::ugt, Predicate::ule}, predicate);
  AxisInfo info = AxisInfo::unknown(left.rank());
  for (int d = 0; d < left.rank(); ++d) {
    int64_t constancy = std::gcd(left.constancy[d], right.constancy[d]);
    // A walk between multiples of its length meets such a bound only at its ends.
    if (rightIsBound)
      constancy = std::max(constancy, quotientRun(left, right, d));
    if (leftIsBound)
      constancy = std::max(constancy, quotientRun(right, left, d));
    info.constancy[d] = constancy;
  }
  return info;
}

/// What holds for elements that come from either side, position by position.
static AxisInfo deriveEither(const AxisInfo &left, const AxisInfo &right, int64_t step) {
  AxisInfo info = AxisInfo::unknown(left.rank());
  for (int d = 0; d < left.rank(); ++d) {
    int64_t run = std::gcd(left.contiguity[d], right.contiguity[d]);
    info.contiguity[d] = run;
    info.divisibility[d] =
        std::gcd(left.divisibilityOfRuns(d, run, step), right.divisibilityOfRuns(d, run, step));
    info.constancy[d] = std::gcd(left.constancy[d], right.constancy[d]);
  }
  if (left.constant && left.constant == right.constant)
    info.constant = left.constant;
  return info;
}

static AxisInfo deriveSelect(arith::SelectOp op, Infos operands) {
  const AxisInfo &condition = *operands[0], &yes = *operands[1], &no = *operands[2];
  if (condition.constant)
    return *condition.constant ? yes : no;
  int64_t step = stepOf(op.getType());
  AxisInfo info = deriveEither(yes, no, step);
  if (!isa<RankedTensorType>(op.getCondition().getType()))
    return info;
  for (int d = 0; d < info.rank(); ++d) {
    int64_t run = std::gcd(info.contiguity[d], condition.constancy[d]);
    info.divisibility[d] = info.divisibilityOfRuns(d, run, step);
    info.contiguity[d] = run;
    info.constancy[d] = std::gcd(info.constancy[d], condition.constancy[d]);
  }
  return info;
}

static AxisInfo deriveShift(const AxisInfo &left, const AxisInfo &right, bool toLeft) {
  AxisInfo info = AxisInfo::unknown(left.rank());
  for (int d = 0; d < left.rank(); ++d)
    info.constancy[d] = std::gcd(left.constancy[d], right.constancy[d]);
  if (!right.constant || *right.constant < 0 || *right.constant > 61)
    return info;
  int64_t factor = int64_t(1) << *right.constant;
  AxisInfo scale = AxisInfo::unknown(left.rank());
  scale.constant = factor;
  for (int d = 0; d < left.rank(); ++d) {
    scale.divisibility[d] = factor;
    scale.constancy[d] = right.constancy[d];
  }
  return toLeft ? deriveProduct(left, scale) : deriveQuotient(left, scale);
}

static AxisInfo deriveBitwise(Operation *op, const AxisInfo &left, const AxisInfo &right,
                              ArrayRef<int64_t> shape) {
  AxisInfo info = AxisInfo::unknown(left.rank());
  for (int d = 0; d < left.rank(); ++d)
    info.constancy[d] = std::gcd(left.constancy[d], right.constancy[d]);
  if (isa<arith::AndIOp>(op)) {
    // A constant mask of low bits is a remainder.
    for (auto [value, mask] : {std::pair(&left, &right), std::pair(&right, &left)})
      if (mask->constant && *mask->constant >= 0 &&
          llvm::isPowerOf2_64(uint64_t(*mask->constant) + 1)) {
        AxisInfo divisor = AxisInfo::ofConstant(*mask->constant + 1, shape);
        return deriveRemainder(*value, divisor, shape);
      }
  }
  return info;
}

static AxisInfo deriveExpandDims(const AxisInfo &source, unsigned axis) {
  AxisInfo info = source;
  int64_t divisor = AxisInfo::kMaxDivisor;
  if (source.constant)
    divisor = powerOfTwoDivisor(*source.constant);
  else
    for (int d = 0; d < source.rank(); ++d)
      divisor = std::gcd(divisor, source.isStepless(d) ? source.divisibility[d] : 1);
  info.contiguity.insert(info.contiguity.begin() + axis, 1);
  info.divisibility.insert(info.divisibility.begin() + axis, divisor);
  info.constancy.insert(info.constancy.begin() + axis, 1);
  return info;
}

static AxisInfo deriveBroadcast(tt::BroadcastOp op, const AxisInfo &source) {
  ArrayRef<int64_t> from = op.getSrc().getType().getShape(), to = op.getType().getShape();
  AxisInfo info = source;
  for (int d = 0; d < info.rank(); ++d)
    if (from[d] == 1 && to[d] != 1) {
      info.contiguity[d] = 1;
      info.constancy[d] = to[d];
    }
  return info;
}

static AxisInfo deriveTrans(tt::TransOp op, const AxisInfo &source) {
  AxisInfo info = AxisInfo::unknown(source.rank());
  info.constant = source.constant;
  for (auto [d, from] : llvm::enumerate(op.getOrder())) {
    info.contiguity[d] = source.contiguity[from];
    info.divisibility[d] = source.divisibility[from];
    info.constancy[d] = source.constancy[from];
  }
  return info;
}

static AxisInfo deriveReshape(tt::ReshapeOp op, const AxisInfo &source) {
  ArrayRef<int64_t> from = op.getSrc().getType().getShape(), to = op.getType().getShape();
  if (source.constant)
    return AxisInfo::ofConstant(*source.constant, to);
  AxisInfo info = AxisInfo::unknown(to.size());
  if (op.getAllowReorder())
    return info;
  int64_t step = stepOf(op.getType());
  int64_t stride = 1;
  for (int d = to.size() - 1; d >= 0; stride *= to[d--]) {
    int64_t sourceStride = 1;
    for (int s = from.size() - 1; s >= 0; sourceStride *= from[s--]) {
      if (sourceStride != stride || from[s] == 1)
        continue;
      // The low part of the new dimension is the low part of this old one.
      info.contiguity[d] = std::gcd(source.contiguity[s], to[d]);
      info.divisibility[d] = source.divisibilityOfRuns(s, info.contiguity[d], step);
      info.constancy[d] = std::gcd(source.constancy[s], to[d]);
      // Equal over the whole dimension: the run goes on in the next one.
      for (int next = s;
           next > 0 && source.constancy[next] == from[next] && info.constancy[d] < to[d]; --next)
        info.constancy[d] = std::gcd(info.constancy[d] * source.constancy[next - 1], to[d]);
      break;
    }
  }
  return info;
}

static AxisInfo deriveLoad(tt::LoadOp op, Infos operands) {
  AxisInfo info = AxisInfo::unknown(axisInfoRank(op.getType()));
  if (operands[0]->rank() != info.rank())
    return info;
  for (int d = 0; d < info.rank(); ++d) {
    int64_t constancy = operands[0]->constancy[d];
    for (const AxisInfo *other : operands.drop_front())
      constancy = std::gcd(constancy, other->constancy[d]);
    info.constancy[d] = constancy;
  }
  return info;
}

static AxisInfo deriveBitcast(tt::BitcastOp op, const AxisInfo &source) {
  int64_t from = stepOf(op.getSrc().getType()), to = stepOf(op.getType());
  AxisInfo info = source;
  for (int d = 0; from != to && d < info.rank(); ++d)
    if (!info.isStepless(d)) {
      info.divisibility[d] = std::gcd(info.divisibility[d], from);
      info.contiguity[d] = 1;
    }
  return info;
}

/// An address as a number: neighbors are an element apart.
static AxisInfo derivePtrToInt(tt::PtrToIntOp op, const AxisInfo &source) {
  int64_t step = stepOf(op.getSrc().getType());
  AxisInfo info = source;
  for (int d = 0; step != 1 && d < info.rank(); ++d)
    if (!info.isStepless(d)) {
      info.divisibility[d] = std::gcd(info.divisibility[d], step);
      info.contiguity[d] = 1;
    }
  return info;
}

static AxisInfo deriveIntToPtr(tt::IntToPtrOp op, const AxisInfo &source) {
  int64_t step = stepOf(op.getType());
  AxisInfo info = source;
  for (int d = 0; step != 1 && d < info.rank(); ++d)
    if (!info.isStepless(d)) {
      info.divisibility[d] = 1;
      info.contiguity[d] = 1;
    }
  return info;
}

/// Folds a binary operation on two known integers.
template <typename Function>
static AxisInfo withConstant(AxisInfo info, Infos operands, ArrayRef<int64_t> shape,
                             Function fold) {
  if (operands[0]->constant && operands[1]->constant)
    return AxisInfo::ofConstant(fold(*operands[0]->constant, *operands[1]->constant), shape);
  return info;
}

static int64_t wrappingAdd(int64_t a, int64_t b) { return int64_t(uint64_t(a) + uint64_t(b)); }
static int64_t wrappingSub(int64_t a, int64_t b) { return int64_t(uint64_t(a) - uint64_t(b)); }
static int64_t wrappingMul(int64_t a, int64_t b) { return int64_t(uint64_t(a) * uint64_t(b)); }

std::optional<AxisInfo> deriveAxisInfo(Operation *op, Infos operands) {
  if (op->getNumResults() == 0)
    return std::nullopt;
  SmallVector<int64_t, 4> shape = shapeOf(op->getResult(0).getType());
  using Result = std::optional<AxisInfo>;
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::ConstantOp constant) { return deriveConstant(constant); })
      .Case([&](tt::MakeRangeOp range) {
        AxisInfo info = AxisInfo::unknown(1);
        info.contiguity[0] = range.getType().getDimSize(0);
        info.divisibility[0] = powerOfTwoDivisor(static_cast<int32_t>(range.getStart()));
        return info;
      })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
            arith::IndexCastUIOp, ttg::ConvertLayoutOp>([&](Operation *) { return *operands[0]; })
      .Case([&](tt::BitcastOp cast) { return deriveBitcast(cast, *operands[0]); })
      .Case([&](tt::PtrToIntOp cast) { return derivePtrToInt(cast, *operands[0]); })
      .Case([&](tt::IntToPtrOp cast) { return deriveIntToPtr(cast, *operands[0]); })
      .Case([&](tt::SplatOp) {
        AxisInfo info = AxisInfo::unknown(shape.size());
        info.divisibility.assign(shape.size(), operands[0]->divisibility[0]);
        info.constancy = shape;
        info.constant = operands[0]->constant;
        return info;
      })
      .Case(
          [&](tt::ExpandDimsOp expand) { return deriveExpandDims(*operands[0], expand.getAxis()); })
      .Case([&](tt::BroadcastOp broadcast) { return deriveBroadcast(broadcast, *operands[0]); })
      .Case([&](tt::TransOp trans) { return deriveTrans(trans, *operands[0]); })
      .Case([&](tt::ReshapeOp reshape) { return deriveReshape(reshape, *operands[0]); })
      .Case([&](tt::LoadOp load) { return deriveLoad(load, operands); })
      .Case([&](tt::AddPtrOp add) {
        return deriveSum(*operands[0], *operands[1], stepOf(add.getType()), false);
      })
      .Case([&](arith::AddIOp) {
        return withConstant(deriveSum(*operands[0], *operands[1], 1, false), operands, shape,
                            wrappingAdd);
      })
      .Case([&](arith::SubIOp) {
        return withConstant(deriveSum(*operands[0], *operands[1], 1, true), operands, shape,
                            wrappingSub);
      })
      .Case([&](arith::MulIOp) {
        return withConstant(deriveProduct(*operands[0], *operands[1]), operands, shape,
                            wrappingMul);
      })
      .Case<arith::DivSIOp, arith::DivUIOp>(
          [&](Operation *) { return deriveQuotient(*operands[0], *operands[1]); })
      .Case<arith::RemSIOp, arith::RemUIOp>(
          [&](Operation *) { return deriveRemainder(*operands[0], *operands[1], shape); })
      .Case([&](arith::CmpIOp compare) {
        return deriveComparison(compare.getPredicate(), *operands[0], *operands[1], shape);
      })
      .Case([&](arith::SelectOp select) { return deriveSelect(select, operands); })
      .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp>([&](Operation *bitwise) {
        return deriveBitwise(bitwise, *operands[0], *operands[1], shape);
      })
      .Case([&](arith::ShLIOp) { return deriveShift(*operands[0], *operands[1], true); })
      .Case<arith::ShRSIOp, arith::ShRUIOp>(
          [&](Operation *) { return deriveShift(*operands[0], *operands[1], false); })
      .Case<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(
          [&](Operation *) { return deriveEither(*operands[0], *operands[1], 1); })
      .Default([](Operation *) { return Result(); });
}

static void applyHint(Attribute attribute, SmallVectorImpl<int64_t> &values) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attribute)) {
    values.assign(values.size(), integer.getInt());
    return;
  }
  auto dense = dyn_cast_or_null<DenseIntElementsAttr>(attribute);
  if (!dense || (dense.getNumElements() != int64_t(values.size()) && !dense.isSplat()))
    return;
  for (auto [d, value] : llvm::enumerate(values))
    value = dense.isSplat() ? dense.getSplatValue<APInt>().getSExtValue()
                            : dense.getValues<APInt>()[d].getSExtValue();
}

void applyAxisHints(DictionaryAttr attributes, AxisInfo &info) {
  if (!attributes || attributes.empty())
    return;
  applyHint(attributes.get(tt::kContiguityAttr), info.contiguity);
  applyHint(attributes.get(tt::kDivisibilityAttr), info.divisibility);
  applyHint(attributes.get(tt::kConstancyAttr), info.constancy);
}

} // namespace tilescope::compiler
