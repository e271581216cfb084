// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loops and branches of functions become blocks:
//
//     scf.if %c { A } else { B }   ->   cf.cond_br %c, ^then, ^else ...
//
// Those inside functions of scalars (the combining function of a reduction, for one) stay: such a
// function is lowered once per use, with its control flow.
#include "compiler/conversion/ttg_to_llvm/Passes.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace tilescope::compiler {

static bool isInScalarRegion(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (isa<tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(parent))
      return true;
  return false;
}

namespace {
struct LoopsToBranches : public PassWrapper<LoopsToBranches, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LoopsToBranches)

  StringRef getArgument() const final { return "loops-to-branches"; }
  StringRef getDescription() const final { return "Replace loops and branches by blocks"; }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<cf::ControlFlowDialect>();
  }

  void runOnOperation() final {
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

std::unique_ptr<Pass> createLoopsToBranchesPass() { return std::make_unique<LoopsToBranches>(); }

} // namespace tilescope::compiler
