// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/WarpGroupPipeline.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilescope::ttg {

/// Whether nothing overwrites the factor in memory while the next iteration begins.
static bool outlivesIteration(Value factor, scf::ForOp loop, ValueRange rings) {
  if (!isa<MemDescType>(factor.getType()))
    return false;
  while (auto trans = factor.getDefiningOp<MemDescTransOp>())
    factor = trans.getSrc();
  if (loop.isDefinedOutsideOfLoop(factor))
    return true;
  auto slot = factor.getDefiningOp<MemDescIndexOp>();
  return slot && llvm::is_contained(rings, slot.getSrc());
}

/// The branch of the loop that alone looks at the product and decides what the sum is from there
/// on: the product itself, or, where code used it, another value.
static scf::IfOp branchAround(ttng::WarpGroupDotOp dot, Value next) {
  auto branch = next.getDefiningOp<scf::IfOp>();
  if (!branch || branch->getBlock() != dot->getBlock() || !next.hasOneUse())
    return {};
  const bool isInside = llvm::all_of(
      dot->getUsers(), [&](Operation *user) { return branch->isProperAncestor(user); });
  // The products are waited for together, behind the last one.
  const bool isLast =
      llvm::none_of(llvm::make_range(std::next(branch->getIterator()), branch->getBlock()->end()),
                    [](Operation &op) { return isa<ttng::WarpGroupDotOp>(op); });
  return isInside && isLast ? branch : scf::IfOp();
}

/// Whether the loop does nothing with the sum but add to it, save in a branch.
static bool isOnlyAddedUp(ttng::WarpGroupDotOp dot, scf::ForOp loop) {
  auto sum = dyn_cast<BlockArgument>(dot.getC());
  if (!sum || sum.getOwner() != loop.getBody() || !sum.hasOneUse())
    return false;
  Value next = loop.getTiedLoopYieldedValue(sum)->get();
  return (dot->hasOneUse() && next == dot.getResult()) || branchAround(dot, next);
}

/// Lets each side of the branch that does more with the sum than yield it wait for it first.
static void waitInside(scf::IfOp branch, Value sum) {
  for (Region *region : branch.getRegions()) {
    auto looks = [&](OpOperand &use) {
      Operation *user = use.getOwner();
      return region->isAncestor(user->getParentRegion()) && user != region->front().getTerminator();
    };
    if (llvm::none_of(sum.getUses(), looks))
      continue;
    OpBuilder builder = OpBuilder::atBlockBegin(&region->front());
    auto wait = ttng::WarpGroupDotWaitOp::create(builder, sum.getLoc(), sum, 0);
    sum.replaceUsesWithIf(wait.getOutputs().front(), [&](OpOperand &use) {
      return use.getOwner() != wait && region->isAncestor(use.getOwner()->getParentRegion());
    });
  }
}

/// Sums of few steps are added up by the threads, which must wait for them.
static bool isSummedByInstructions(ttng::WarpGroupDotOp dot) {
  Type element = getElementTypeOrSelf(dot.getType());
  const bool isExact = getElementTypeOrSelf(dot.getB().getType()).getIntOrFloatBitWidth() != 8 ||
                       element.isInteger(32) ||
                       dot.getMaxNumImpreciseAcc() >= dot.getB().getType().getDimSize(0);
  return (element.isF32() || element.isInteger(32)) && isExact;
}

static bool mayStayUnderWay(ttng::WarpGroupDotOp dot, scf::ForOp loop, ValueRange rings) {
  return isSummedByInstructions(dot) && isOnlyAddedUp(dot, loop) &&
         outlivesIteration(dot.getA(), loop, rings) && outlivesIteration(dot.getB(), loop, rings);
}

/// The loop's argument by which the next iteration gets the product, when it does nothing with it
/// before its own product `first`; null otherwise. The left factor may be in registers.
static BlockArgument carriedPast(ttng::WarpGroupDotOp first, ttng::WarpGroupDotOp dot,
                                 scf::ForOp loop, ValueRange rings) {
  auto yield = dyn_cast<scf::YieldOp>(*dot->user_begin());
  if (first == dot || !dot->hasOneUse() || !yield || yield->getParentOp() != loop ||
      !isSummedByInstructions(dot) || !outlivesIteration(dot.getB(), loop, rings))
    return {};
  if (isa<MemDescType>(dot.getA().getType()) && !outlivesIteration(dot.getA(), loop, rings))
    return {};
  BlockArgument sum = loop.getRegionIterArg(dot->use_begin()->getOperandNumber());
  const bool isLater = llvm::all_of(sum.getUsers(), [&](Operation *user) {
    return first->isBeforeInBlock(loop.getBody()->findAncestorOpInBlock(*user));
  });
  return isLater ? sum : BlockArgument();
}

/// A wait behind `op`, whose results take the place of `values`.
static ttng::WarpGroupDotWaitOp waitAfter(Operation *op, ArrayRef<Value> values, int32_t pendings) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  auto wait = ttng::WarpGroupDotWaitOp::create(builder, op->getLoc(), values, pendings);
  for (auto [value, waited] : llvm::zip(llvm::to_vector(values), wait.getOutputs()))
    value.replaceAllUsesExcept(waited, wait);
  return wait;
}

/// Leaves the products that only the next iteration looks at under way until its first product is
/// waited for: `for … { s = q * k; wait; …; sum = p * v + scaled sum }`. The wait.
static ttng::WarpGroupDotWaitOp carryProducts(scf::ForOp loop, ValueRange rings) {
  auto products = llvm::to_vector(loop.getBody()->getOps<ttng::WarpGroupDotOp>());
  if (products.size() < 2 || products.front().getIsAsync())
    return {};
  ttng::WarpGroupDotOp first = products.front();
  SmallVector<Value> waited{first.getResult()};
  for (ttng::WarpGroupDotOp dot : products)
    if (BlockArgument sum = carriedPast(first, dot, loop, rings)) {
      dot.setIsAsync(true);
      waited.push_back(sum);
    }
  if (waited.size() == 1)
    return {};
  first.setIsAsync(true);
  return waitAfter(first, waited, 0);
}

ttng::WarpGroupDotWaitOp keepProductsUnderWay(scf::ForOp loop, ValueRange rings) {
  SmallVector<Value> products;
  for (auto dot : loop.getBody()->getOps<ttng::WarpGroupDotOp>())
    if (mayStayUnderWay(dot, loop, rings)) {
      dot.setIsAsync(true);
      products.push_back(dot.getResult());
    }
  if (products.empty())
    return carryProducts(loop, rings);
  auto wait = waitAfter(products.back().getDefiningOp(), products, int32_t(products.size()));
  for (Value waited : wait.getOutputs())
    if (Operation *user = *waited.getUsers().begin(); user != loop.getBody()->getTerminator())
      waitInside(cast<scf::IfOp>(loop.getBody()->findAncestorOpInBlock(*user)), waited);
  return wait;
}

/// Whether nothing between two operations of a block looks at memory.
static bool areAdjacent(Operation *first, Operation *second) {
  return llvm::all_of(llvm::make_range(std::next(first->getIterator()), second->getIterator()),
                      [](Operation &op) { return isMemoryEffectFree(&op); });
}

void chainProducts(Operation *root) {
  root->walk([](ttng::WarpGroupDotOp dot) {
    auto next = dot->hasOneUse() ? dyn_cast<ttng::WarpGroupDotOp>(*dot->user_begin())
                                 : ttng::WarpGroupDotOp();
    if (next && next.getC() == dot.getResult() && next->getBlock() == dot->getBlock() &&
        isSummedByInstructions(dot) && isSummedByInstructions(next) && areAdjacent(dot, next))
      dot.setIsAsync(true);
  });
}

/// Whether the value is a sum whose product may still be under way, on one side of a branch at
/// least.
static bool isUnderWay(Value value) {
  if (auto wait = value.getDefiningOp<ttng::WarpGroupDotWaitOp>())
    return wait.getPendings() > 0;
  if (auto dot = value.getDefiningOp<ttng::WarpGroupDotOp>())
    return dot.getIsAsync();
  auto branch = value.getDefiningOp<scf::IfOp>();
  if (!branch)
    return false;
  const unsigned number = cast<OpResult>(value).getResultNumber();
  return isUnderWay(branch.thenYield().getOperand(number)) ||
         isUnderWay(branch.elseYield().getOperand(number));
}

Operation *waitBehindLoop(scf::ForOp loop) {
  SmallVector<Value> sums;
  for (auto [yielded, result] : llvm::zip(loop.getYieldedValues(), loop.getResults()))
    if (isUnderWay(yielded))
      sums.push_back(result);
  if (sums.empty())
    return loop;
  return waitAfter(loop, sums, 0);
}

} // namespace tilescope::ttg
