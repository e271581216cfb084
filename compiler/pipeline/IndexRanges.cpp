// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/IndexRanges.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

/// Sums and chains of operations are short; what is longer is not followed.
static constexpr int kMostDepth = 16;

using Range = std::optional<IndexRange>;

static std::optional<int64_t> constant(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)) || number.getSignificantBits() > 32)
    return std::nullopt;
  return number.getSExtValue();
}

/// Nothing where 32 bits would not hold it.
static Range checked(int64_t least, int64_t most) {
  if (least < INT32_MIN || most > INT32_MAX)
    return std::nullopt;
  return IndexRange{least, most};
}

static Range productOf(const IndexRange &a, const IndexRange &b) {
  const auto [least, most] =
      std::minmax({a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most});
  return checked(least, most);
}

static Range find(Value value, int depth);

static Range findBinary(Operation *op, int depth) {
  const Range a = find(op->getOperand(0), depth), b = find(op->getOperand(1), depth);
  if (isa<arith::RemSIOp, arith::RemUIOp>(op) && b && b->least == b->most && b->least > 0) {
    if (a && a->least >= 0)
      return IndexRange{0, std::min(a->most, b->least - 1)};
    return isa<arith::RemUIOp>(op) ? Range(IndexRange{0, b->least - 1}) : std::nullopt;
  }
  if (!a || !b)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return checked(a->least + b->least, a->most + b->most);
  if (isa<arith::SubIOp>(op))
    return checked(a->least - b->most, a->most - b->least);
  if (isa<arith::MulIOp>(op))
    return productOf(*a, *b);
  if (isa<arith::DivSIOp>(op) && b->least == b->most && b->least > 0)
    return IndexRange{a->least / b->least, a->most / b->least};
  if (isa<arith::MinSIOp>(op))
    return IndexRange{std::min(a->least, b->least), std::min(a->most, b->most)};
  if (isa<arith::MaxSIOp>(op))
    return IndexRange{std::max(a->least, b->least), std::max(a->most, b->most)};
  return std::nullopt;
}

static Range find(Value value, int depth) {
  if (const std::optional<int64_t> number = constant(value))
    return IndexRange{*number, *number};
  Operation *op = value.getDefiningOp();
  if (!op || depth >= kMostDepth)
    return std::nullopt;
  if (auto range = dyn_cast<tt::MakeRangeOp>(op))
    return IndexRange{range.getStart(), int64_t(range.getEnd()) - 1};
  if (isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp, tt::TransOp,
          arith::ExtSIOp>(op))
    return find(op->getOperand(0), depth + 1);
  return op->getNumOperands() == 2 && op->getNumResults() == 1 ? findBinary(op, depth + 1)
                                                               : std::nullopt;
}

std::optional<IndexRange> rangeOf(Value value) { return find(value, 0); }

static bool holds(arith::CmpIPredicate predicate, const IndexRange &a, const IndexRange &b) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return a.most < b.least;
  case arith::CmpIPredicate::sle:
    return a.most <= b.least;
  case arith::CmpIPredicate::sgt:
    return a.least > b.most;
  case arith::CmpIPredicate::sge:
    return a.least >= b.most;
  default:
    return false;
  }
}

static bool isTrue(Value mask, int depth) {
  Operation *op = mask.getDefiningOp();
  if (!op || depth >= kMostDepth)
    return false;
  if (matchPattern(mask, m_One()))
    return true;
  if (isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp, tt::TransOp>(op))
    return isTrue(op->getOperand(0), depth + 1);
  if (isa<arith::AndIOp>(op))
    return isTrue(op->getOperand(0), depth + 1) && isTrue(op->getOperand(1), depth + 1);
  if (isa<arith::OrIOp>(op))
    return isTrue(op->getOperand(0), depth + 1) || isTrue(op->getOperand(1), depth + 1);
  auto comparison = dyn_cast<arith::CmpIOp>(op);
  if (!comparison)
    return false;
  const Range a = rangeOf(comparison.getLhs()), b = rangeOf(comparison.getRhs());
  return a && b && holds(comparison.getPredicate(), *a, *b);
}

bool isAlwaysTrue(Value mask) { return isTrue(mask, 0); }

} // namespace tilescope::compiler
