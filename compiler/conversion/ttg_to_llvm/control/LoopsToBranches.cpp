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

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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

namespace {
struct LoopsToBranches : impl::LoopsToBranchesBase<LoopsToBranches> {
  void runOnOperation() override {
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
