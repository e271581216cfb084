// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/NumberPeers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::compiler {

static void collectPeers(Value number, const IndexBounds &bounds, ArgumentSet &ends,
                         llvm::DenseSet<Value> &seen) {
  if (!seen.insert(number).second)
    return;
  for (OpOperand &use : number.getUses()) {
    Operation *user = use.getOwner();
    const bool isSum = isa<arith::AddIOp, arith::SubIOp>(user) &&
                       constantOf(user->getOperand(1 - use.getOperandNumber())).has_value();
    if (isa<arith::CmpIOp>(user)) {
      const Value other = user->getOperand(1 - use.getOperandNumber());
      if (bounds.endsAsItIs(other))
        ends.merge(bounds.comparedWith(other));
    } else if (isSum || (user->getNumResults() == 1 &&
                         withoutCasts(user->getResult(0)) != user->getResult(0))) {
      collectPeers(user->getResult(0), bounds, ends, seen);
    }
  }
}

ArgumentSet endsOfPeers(Value number, const IndexBounds &bounds) {
  ArgumentSet ends;
  llvm::DenseSet<Value> seen;
  collectPeers(number, bounds, ends, seen);
  return ends;
}

static bool isAtLeastZero(Value index) {
  return llvm::any_of(index.getUsers(), [&](Operation *user) {
    auto compare = dyn_cast<arith::CmpIOp>(user);
    return compare && compare.getPredicate() == arith::CmpIPredicate::sge &&
           compare.getLhs() == index && constantOf(compare.getRhs()) == 0;
  });
}

/// By how much a use moves a number back; 0: it does not.
static int64_t movedBackBy(OpOperand &use) {
  Operation *user = use.getOwner();
  const bool isSum = isa<arith::AddIOp, arith::SubIOp>(user);
  const auto constant =
      isSum ? constantOf(user->getOperand(1 - use.getOperandNumber())) : std::nullopt;
  return constant ? (isa<arith::SubIOp>(user) ? *constant : -*constant) : 0;
}

std::optional<LinearEnd> paddedNumber(Value number, const IndexBounds &bounds) {
  if (!bounds.comparedWith(number).empty() || bounds.farthestSum(number))
    return std::nullopt;
  Value moved;
  LinearEnd end;
  for (OpOperand &use : number.getUses()) {
    const int64_t by = movedBackBy(use);
    if (by == 0)
      continue;
    const Value index = use.getOwner()->getResult(0);
    const ArgumentSet ends = bounds.comparedWith(index);
    if (moved || by < 0 || ends.size() != 1 || !bounds.endsAsItIs(index) || !isAtLeastZero(index))
      return std::nullopt;
    moved = index;
    end.add(*ends.begin(), 1);
    end.constant = 2 * by;
  }
  return moved ? std::optional(end) : std::nullopt;
}

/// The argument that alone lies between two elements, and ends nothing.
static std::optional<unsigned> strideOf(const AccessDim &dim, const IndexBounds &bounds) {
  if (dim.strides.size() != 1 || !IndexBounds::isArgument(dim.strides.front()) ||
      bounds.isEnd(dim.strides.front()))
    return std::nullopt;
  return dim.strides.front();
}

bool passesStrides(const TensorAccess &access, const IndexBounds &bounds) {
  ArgumentSet strides;
  for (const AccessDim &dim : access.dims)
    if (const std::optional<unsigned> stride = strideOf(dim, bounds))
      strides.insert(*stride);
  return strides.size() > 1;
}

ArgumentSet loneSteps(const std::map<unsigned, TensorAccess> &accesses, const IndexBounds &bounds) {
  ArgumentSet steps, others;
  for (const auto &[tensor, access] : accesses)
    for (const AccessDim &dim : access.dims) {
      const std::optional<unsigned> step = strideOf(dim, bounds);
      const bool isLone = access.dims.size() == 1 && step && dim.step == 1 &&
                          dim.strideFactor == 1 && dim.strideDivisor == 1;
      if (isLone && (access.isWritten || access.isUpdated))
        return {};
      if (isLone)
        steps.insert(*step);
      else
        others.insert(dim.strides.begin(), dim.strides.end());
    }
  for (const unsigned other : others)
    steps.erase(other);
  return steps;
}

} // namespace tilescope::compiler
