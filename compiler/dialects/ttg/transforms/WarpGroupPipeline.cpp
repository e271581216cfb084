// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/transforms/WarpGroupPipeline.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tilescope::ttg {

/// Whether nobody overwrites the factor while the next iteration begins.
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

/// Whether the loop does nothing with the sum but add to it.
static bool isOnlyAddedUp(ttng::WarpGroupDotOp dot, scf::ForOp loop) {
  auto sum = dyn_cast<BlockArgument>(dot.getC());
  if (!sum || sum.getOwner() != loop.getBody() || !sum.hasOneUse() || !dot->hasOneUse())
    return false;
  return loop.getTiedLoopYieldedValue(sum)->get() == dot.getResult();
}

static bool mayStayUnderWay(ttng::WarpGroupDotOp dot, scf::ForOp loop, ValueRange rings) {
  Type element = getElementTypeOrSelf(dot.getType());
  // Sums of few steps are added up by the threads, which must wait for them.
  const bool isExact = getElementTypeOrSelf(dot.getB().getType()).getIntOrFloatBitWidth() != 8 ||
                       element.isInteger(32) ||
                       dot.getMaxNumImpreciseAcc() >= dot.getB().getType().getDimSize(0);
  return (element.isF32() || element.isInteger(32)) && isExact && isOnlyAddedUp(dot, loop) &&
         outlivesIteration(dot.getA(), loop, rings) && outlivesIteration(dot.getB(), loop, rings);
}

ttng::WarpGroupDotWaitOp keepProductsUnderWay(scf::ForOp loop, ValueRange rings) {
  SmallVector<Value> products;
  for (auto dot : loop.getBody()->getOps<ttng::WarpGroupDotOp>())
    if (mayStayUnderWay(dot, loop, rings)) {
      dot.setIsAsync(true);
      products.push_back(dot.getResult());
    }
  if (products.empty())
    return {};
  Operation *yield = loop.getBody()->getTerminator();
  OpBuilder builder(loop.getContext());
  builder.setInsertionPointAfterValue(products.back());
  auto wait = ttng::WarpGroupDotWaitOp::create(builder, products.back().getLoc(), products,
                                               int32_t(products.size()));
  for (auto [product, waited] : llvm::zip(products, wait.getOutputs()))
    yield->replaceUsesOfWith(product, waited);
  return wait;
}

Operation *waitBehindLoop(scf::ForOp loop) {
  SmallVector<Value> sums;
  for (auto [yielded, result] : llvm::zip(loop.getYieldedValues(), loop.getResults()))
    if (auto wait = yielded.getDefiningOp<ttng::WarpGroupDotWaitOp>(); wait && wait.getPendings())
      sums.push_back(result);
  if (sums.empty())
    return loop;
  OpBuilder builder(loop.getContext());
  builder.setInsertionPointAfter(loop);
  auto wait = ttng::WarpGroupDotWaitOp::create(builder, loop.getLoc(), sums, 0);
  for (auto [sum, waited] : llvm::zip(sums, wait.getOutputs()))
    sum.replaceAllUsesExcept(waited, wait);
  return wait;
}

} // namespace tilescope::ttg
