// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// What loops and constants add to an address: counters, what is handed on from round to round, and shifts.
#include "compiler/analysis/AddressWalk.h"
#include "compiler/analysis/FlowSources.h"
#include "compiler/analysis/NumberParts.h"
#include "compiler/analysis/ProgramRows.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

void AddressWalk::reach(AccessDim &dim, int64_t further) const {
  if (!m_isOneOfSeveral)
    dim.reach += further;
}

void AddressWalk::shift(AccessDim &dim, int64_t further) const {
  further = m_isTakenAway ? -further : further;
  reach(dim, further);
  if (!m_isOneOfSeveral)
    dim.shift += further;
}

void AddressWalk::reverse(AccessDim &dim, const ArgumentSet &ends, int64_t scale) const {
  if (!m_isTakenAway || ends.size() != 1)
    return;
  dim.added[*ends.begin()] -= scale;
  dim.isReversed = true;
}

AddressWalk::Strides AddressWalk::joined(const Strides &one, const Strides &other) {
  Strides both = one;
  both.insert(both.end(), other.begin(), other.end());
  std::ranges::sort(both);
  return both;
}

bool AddressWalk::isMultiple(Value value, unsigned argument) const {
  auto product = withoutCasts(value).getDefiningOp<arith::MulIOp>();
  return product && !isScaledNumber(product.getLhs(), m_bounds) &&
         llvm::any_of(product->getOperands(),
                      [&](Value factor) { return m_bounds.argumentOf(factor) == argument; });
}

/// Whether a part of a sum takes an index away that ends at the argument: from `row * n + n` it counts down in the row.
bool AddressWalk::isTakenFrom(Value part, unsigned argument) const {
  auto difference = withoutCasts(part).getDefiningOp<arith::SubIOp>();
  return difference && constantOf(difference.getLhs()) == 0 &&
         m_bounds.comparedWith(difference.getRhs()) == ArgumentSet{argument};
}

void AddressWalk::noteDistance(AccessDim &dim, Value distance) const {
  if (const auto part = quotientOf(distance, m_bounds); part && !part->divisorArgument)
    dim.strideDivisor = part->divisor;
  if (const int64_t times = constantFactor(distance); times > 1)
    dim.strideFactor = times;
  const std::optional<LinearEnd> sum = m_bounds.linearEndOf(distance);
  if (sum && sum->argument() && sum->constant < 0)
    dim.strideLess = -sum->constant;
  dim.isStrideComputed |=
      !m_bounds.argumentOf(distance) && !withoutCasts(distance).getDefiningOp<arith::MulIOp>();
}

void AddressWalk::squareDiagonal(Value index, Value distance) {
  const std::optional<LinearEnd> sum = m_bounds.linearEndOf(distance);
  if (sum && sum->argument() && sum->constant == 1 &&
      m_bounds.comparedWith(index) == ArgumentSet{*sum->argument()})
    dimOf({}).masked.insert(*sum->argument());
}

/// `n - k`, where a loop counts `k` up to `n`.
bool AddressWalk::countsDown(Value value) const {
  auto difference = value.getDefiningOp<arith::SubIOp>();
  const auto counter =
      difference ? dyn_cast<BlockArgument>(withoutCasts(difference.getRhs())) : BlockArgument();
  auto loop = counter ? dyn_cast<scf::ForOp>(counter.getOwner()->getParentOp()) : scf::ForOp();
  return loop && counter == loop.getInductionVar() &&
         m_bounds.endsIn(difference.getLhs()) == m_bounds.endsIn(loop.getUpperBound());
}

void AddressWalk::moved(Value step, const Strides &strides, scf::ForOp loop) {
  AccessDim &dim = dimOf(joined(strides, stridesOf(step)));
  dim.isRepeated = true;
  dim.turn = std::max(dim.turn, constantFactor(step));
  ArgumentSet ends = m_bounds.endsIn(loop.getUpperBound());
  dim.isUnknown |= ends.empty() && !constantOf(loop.getUpperBound());
  if (const auto rounds = constantOf(loop.getUpperBound()), width = constantOf(step);
      rounds && width)
    dim.span += *rounds * *width;
  dim.looped.merge(ends);
}

void AddressWalk::indexArgument(BlockArgument argument, const Strides &strides, int64_t scale,
                                bool isBounded) {
  AccessDim &dim = dimOf(strides);
  Operation *owner = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(owner)) {
    if (argument == loop.getInductionVar())
      return counter(loop, strides, scale, isBounded);
    index(loop.getTiedLoopInit(argument)->get(), strides, scale, isBounded);
    const Value next = loop.getTiedLoopYieldedValue(argument)->get();
    Operation *step = withoutCasts(next).getDefiningOp();
    if (!isa_and_nonnull<arith::AddIOp>(step))
      return followNext(next, strides, scale, isBounded);
    for (Value part : step->getOperands())
      if (withoutCasts(part) != argument) {
        if (isBounded)
          dim.turn = std::max(dim.turn, scale * constantOf(part).value_or(0));
        else
          moved(part, strides, loop);
      }
    if (isBounded)
      followNext(next, strides, scale, isBounded);
  } else if (auto loop = dyn_cast<scf::WhileOp>(owner)) {
    dim.isUnknown |= !isBounded;
    const llvm::SaveAndRestore either(m_isOneOfSeveral, true);
    for (Value source : sourcesOf(loop, argument))
      index(source, strides, scale, isBounded);
  }
}

void AddressWalk::followNext(Value next, const Strides &strides, int64_t scale, bool isBounded) {
  const llvm::SaveAndRestore either(m_isOneOfSeveral, true);
  index(next, strides, scale, isBounded);
}

/// `range(n + 1)` goes on behind `n`, and `range(n + 2 * p)` ends where no single argument says. False for what is known
/// without it.
static bool endAtSum(AccessDim &dim, const std::optional<LinearEnd> &end, int64_t scale) {
  if (!end || scale != 1)
    return false;
  if (end->argument()) {
    dim.endShift = std::max(dim.endShift, end->constant);
    return false;
  }
  const bool isSum = end->factors.size() + end->quotients.size() > 1 || !end->quotients.empty();
  if (isSum)
    dim.sum = end;
  return isSum;
}

void AddressWalk::counter(scf::ForOp loop, const Strides &strides, int64_t scale, bool isBounded) {
  AccessDim &dim = dimOf(strides);
  dim.isRepeated = true;
  dim.turn = std::max(dim.turn, scale * constantOf(loop.getStep()).value_or(0));
  const Value end = loop.getUpperBound();
  if (!isBounded) {
    ArgumentSet ends = m_bounds.endsIn(end);
    const std::optional<int64_t> constant = constantOf(end);
    const std::optional<int64_t> begin = constantOf(loop.getLowerBound());
    const bool isTaken = m_isTakenAway && begin;
    if (isTaken)
      shift(dim, scale * *begin);
    else if (constant)
      dim.span += scale * (*constant - 1);
    std::vector<unsigned> factors = m_bounds.productIn(end);
    isBounded = constant || !ends.empty() || !factors.empty();
    if (!factors.empty())
      dim.product = std::move(factors);
    if (!isBounded || !ends.empty())
      isBounded |= endAtSum(dim, m_bounds.linearEndOf(end), scale);
    reverse(dim, ends, scale);
    if (!m_isOneOfSeveral && !isTaken && scale == 1 && constantOf(loop.getStep()) == 1)
      (constant ? dim.loopShift : dim.loopsAdded) +=
          constant ? *constant - 1 : int64_t(!ends.empty());
    dim.looped.merge(ends);
  }
  if (!isBounded)
    index(end, strides, scale, false);
  index(loop.getLowerBound(), strides, scale, isBounded);
}

} // namespace tilescope::compiler
