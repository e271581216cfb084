// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/NumberParts.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilescope::compiler {

int64_t constantFactor(Value value) {
  value = withoutCasts(value);
  if (const std::optional<int64_t> constant = constantOf(value))
    return *constant;
  auto product = value.getDefiningOp<arith::MulIOp>();
  return product ? constantFactor(product.getLhs()) * constantFactor(product.getRhs()) : 1;
}

std::optional<Quotient> quotientOf(Value value, const IndexBounds &bounds) {
  Operation *op = withoutCasts(value).getDefiningOp();
  if (!isa_and_nonnull<arith::DivSIOp, arith::DivUIOp>(op))
    return std::nullopt;
  const std::optional<unsigned> argument = bounds.argumentOf(op->getOperand(0));
  const std::optional<int64_t> divisor = constantOf(op->getOperand(1));
  const std::optional<unsigned> divisorArgument = bounds.argumentOf(op->getOperand(1));
  if (argument && divisorArgument && argument != divisorArgument)
    return Quotient{*argument, 1, divisorArgument};
  if (!argument || !divisor || *divisor <= 1)
    return std::nullopt;
  return Quotient{*argument, *divisor};
}

/// Whether a product has an argument among its factors.
static bool hasFactor(Value value, unsigned argument, const IndexBounds &bounds) {
  auto product = withoutCasts(value).getDefiningOp<arith::MulIOp>();
  return product && llvm::any_of(product->getOperands(), [&](Value factor) {
           return bounds.argumentOf(factor) == argument || hasFactor(factor, argument, bounds);
         });
}

/// Whether an address in front of this addition has a multiple of the argument.
static bool hasFactorBefore(tt::AddPtrOp addition, unsigned argument, const IndexBounds &bounds) {
  while (auto before = withoutCasts(addition.getPtr()).getDefiningOp<tt::AddPtrOp>()) {
    if (hasFactor(before.getOffset(), argument, bounds))
      return true;
    addition = before;
  }
  return false;
}

/// Whether a sum adds a multiple of the argument to this part, or to a product with it.
static bool standsBeside(Value part, unsigned argument, const IndexBounds &bounds,
                         llvm::DenseSet<Value> &seen) {
  return seen.insert(part).second && llvm::any_of(part.getUses(), [&](OpOperand &use) {
           Operation *user = use.getOwner();
           if (isa<arith::AddIOp>(user) &&
               hasFactor(user->getOperand(1 - use.getOperandNumber()), argument, bounds))
             return true;
           if (auto addition = dyn_cast<tt::AddPtrOp>(user);
               addition && hasFactorBefore(addition, argument, bounds))
             return true;
           const bool goesOn = isa<arith::MulIOp, arith::AddIOp>(user) ||
                               (user->getNumResults() == 1 &&
                                withoutCasts(user->getResult(0)) != user->getResult(0));
           return goesOn && standsBeside(user->getResult(0), argument, bounds, seen);
         });
}

std::optional<Quotient> partsCountedBy(Value number, const IndexBounds &bounds) {
  for (OpOperand &use : number.getUses()) {
    Operation *user = use.getOwner();
    if (isa<arith::MulIOp>(user)) {
      const auto parts = quotientOf(user->getOperand(1 - use.getOperandNumber()), bounds);
      llvm::DenseSet<Value> seen;
      if (parts && standsBeside(user->getResult(0), parts->argument, bounds, seen))
        return parts;
    } else if (user->getNumResults() == 1 &&
               withoutCasts(user->getResult(0)) != user->getResult(0)) {
      if (const auto parts = partsCountedBy(user->getResult(0), bounds))
        return parts;
    }
  }
  return std::nullopt;
}

std::optional<unsigned> dividesNumber(Value number, const IndexBounds &bounds) {
  if (!number.getDefiningOp<tt::GetProgramIdOp>())
    return std::nullopt;
  for (Operation *user : number.getUsers())
    if (isa<arith::RemSIOp, arith::RemUIOp>(user) && user->getOperand(0) == number)
      if (const std::optional<unsigned> part = bounds.argumentOf(user->getOperand(1)))
        return part;
  return std::nullopt;
}

ArgumentSet endsOfNeighbors(Value number, const IndexBounds &bounds) {
  ArgumentSet ends;
  for (OpOperand &use : number.getUses()) {
    Operation *user = use.getOwner();
    if (!isa<arith::AddIOp, arith::SubIOp>(user))
      continue;
    const Value distance = withoutCasts(user->getOperand(1 - use.getOperandNumber()));
    const auto counter = dyn_cast<BlockArgument>(distance);
    auto loop = counter ? dyn_cast<scf::ForOp>(counter.getOwner()->getParentOp()) : scf::ForOp();
    // Of a loop from -1 to 1, its counter, too.
    if (constantOf(distance) || (loop && constantOf(loop.getUpperBound())))
      ends.merge(bounds.comparedWith(user->getResult(0)));
  }
  return ends;
}

ArgumentSet endsOfCounted(Value number, const IndexBounds &bounds) {
  if (auto counter = dyn_cast<BlockArgument>(number)) {
    auto loop = dyn_cast<scf::ForOp>(counter.getOwner()->getParentOp());
    return loop ? bounds.endsIn(loop.getUpperBound()) : ArgumentSet();
  }
  Operation *op = number.getDefiningOp();
  return isa<arith::RemSIOp, arith::RemUIOp>(op) ? bounds.endsIn(op->getOperand(1)) : ArgumentSet();
}

void followCounted(OpOperand &use, const IndexBounds &bounds, SmallVectorImpl<Value> &waiting,
                   ArgumentSet &ends) {
  Operation *user = use.getOwner();
  if (auto loop = dyn_cast<scf::ForOp>(user)) {
    if (loop.getLowerBound() == use.get())
      ends = bounds.endsIn(loop.getUpperBound());
  } else if (isa<arith::RemSIOp, arith::RemUIOp, arith::MinSIOp, arith::MinUIOp>(user)) {
    ends = bounds.endsIn(user->getOperand(1 - use.getOperandNumber()));
  } else if (user->getNumResults() == 1 &&
             (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(user) ||
              withoutCasts(user->getResult(0)) != user->getResult(0))) {
    waiting.push_back(user->getResult(0));
  }
}

} // namespace tilescope::compiler
