// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loops and branches of functions become blocks:
//
//     scf.if %c { A } else { B }   ->   cf.cond_br %c, ^then, ^else ...
//
// Those inside functions of scalars (the combining function of a reduction, for one) stay: such a
// function is lowered once per use, with its control flow.
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/Dialect.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace tilescope::compiler {

#define GEN_PASS_DEF_LOOPSTOBRANCHES
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h.inc"

static bool isInScalarRegion(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (isa<tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(parent))
      return true;
  return false;
}

/// `iv < ub - (maxStage - stage) * step`
static void expand(ttg::PredicateStageOp op) {
  IRRewriter rewriter(op);
  const Location loc = op.getLoc();
  const auto later =
      rewriter.getIntegerAttr(op.getIv().getType(), op.getMaxStage() - op.getStage());
  Value count = arith::ConstantOp::create(rewriter, loc, later);
  Value ahead = arith::MulIOp::create(rewriter, loc, op.getStep(), count);
  Value end = arith::SubIOp::create(rewriter, loc, op.getUb(), ahead);
  rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, arith::CmpIPredicate::slt, op.getIv(), end);
}

/// `scf.if`, with values on the other side that are not read.
static void expand(ttg::MaskOp op) {
  IRRewriter rewriter(op);
  const Location loc = op.getLoc();
  auto branch =
      scf::IfOp::create(rewriter, loc, op.getResultTypes(), op.getPred(), /*withElseRegion=*/true);
  Block *guarded = &op.getRegion().front();
  if (!branch.thenBlock()->empty())
    rewriter.eraseOp(branch.thenBlock()->getTerminator());
  rewriter.inlineBlockBefore(guarded, branch.thenBlock(), branch.thenBlock()->end());
  auto end = cast<ttg::MaskReturnOp>(branch.thenBlock()->getTerminator());
  rewriter.setInsertionPoint(end);
  rewriter.replaceOpWithNewOp<scf::YieldOp>(end, end.getValues());
  if (op.getNumResults() > 0) {
    rewriter.setInsertionPointToStart(branch.elseBlock());
    SmallVector<Value> unread;
    for (Type type : op.getResultTypes())
      unread.push_back(ub::PoisonOp::create(rewriter, loc, type));
    scf::YieldOp::create(rewriter, loc, unread);
  }
  rewriter.replaceOp(op, branch.getResults());
}

namespace {
struct LoopsToBranches : impl::LoopsToBranchesBase<LoopsToBranches> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto predicate = dyn_cast<ttg::PredicateStageOp>(op))
        expand(predicate);
      else if (auto mask = dyn_cast<ttg::MaskOp>(op))
        expand(mask);
    });
    RewritePatternSet patterns(&getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.addDynamicallyLegalDialect<scf::SCFDialect>(isInScalarRegion);
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

} // namespace tilescope::compiler
