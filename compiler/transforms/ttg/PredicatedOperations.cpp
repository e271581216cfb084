// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/PredicatedOperations.h"

#include "compiler/dialects/ttng/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilescope::ttg {

static Value conjunction(OpBuilder &b, Location loc, Value mask, Value predicate, Type pointers) {
  Type type = tt::getI1SameShape(pointers);
  if (isa<RankedTensorType>(type))
    predicate = tt::SplatOp::create(b, loc, type, predicate);
  return mask ? arith::AndIOp::create(b, loc, mask, predicate).getResult() : predicate;
}

Operation *predicated(RewriterBase &rewriter, Operation *op, Value predicate) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  if (auto copy = dyn_cast<AsyncCopyGlobalToLocalOp>(op)) {
    copy.getMaskMutable().assign(
        conjunction(rewriter, op->getLoc(), copy.getMask(), predicate, copy.getSrc().getType()));
    return op;
  }
  if (auto load = dyn_cast<tt::LoadOp>(op)) {
    load.getMaskMutable().assign(
        conjunction(rewriter, op->getLoc(), load.getMask(), predicate, load.getPtr().getType()));
    return op;
  }
  if (auto expect = dyn_cast<ttng::BarrierExpectOp>(op)) {
    expect.getPredMutable().assign(predicate);
    return op;
  }
  if (auto copy = dyn_cast<ttng::AsyncTMACopyGlobalToLocalOp>(op)) {
    copy.getPredMutable().assign(predicate);
    return op;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    branch.getConditionMutable().assign(
        arith::AndIOp::create(rewriter, op->getLoc(), branch.getCondition(), predicate));
    return op;
  }
  return isa<AsyncCommitGroupOp>(op) || isMemoryEffectFree(op) ? op : nullptr;
}

} // namespace tilescope::ttg
