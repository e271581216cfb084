// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The pass: every function of a laid-out module becomes the LLVM function of one thread.
//
//     tt.func public @k(%p: !tt.ptr<f32>)   ->   llvm.func @k(%p: !llvm.ptr<1>, %scratch..., ...)
//                                                  attributes {nvvm.kernel, nvvm.reqntid =
//                                                  array<i32: 128>}
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/control/FunctionLowering.h"
#include "compiler/conversion/ttg_to_llvm/control/WarpDispatch.h"
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilescope::compiler {

#define GEN_PASS_DEF_CONVERTTTGTOLLVM
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h.inc"

static LoweringTable makeTable() {
  LoweringTable table;
  addControlFlowLowerings(table);
  addArithLowerings(table);
  addMathLowerings(table);
  addFloatCastLowerings(table);
  addIntCastLowerings(table);
  addProgramLowerings(table);
  addShapeLowerings(table);
  addMemoryLowerings(table);
  addAtomicLowerings(table);
  addReduceLowerings(table);
  addScanLowerings(table);
  addConvertLayoutLowerings(table);
  addSharedMemoryLowerings(table);
  addAsyncCopyLowerings(table);
  addDotLowerings(table);
  addHistogramGatherLowerings(table);
  addDebugLowerings(table);
  addForeignCodeLowerings(table);
  addScalarRegionLowerings(table);
  addFp4Lowerings(table);
  addWarpGroupLowerings(table);
  addBarrierObjectLowerings(table);
  addBulkCopyLowerings(table);
  addBulkRowLowerings(table);
  addTensorMapLowerings(table);
  addTensorMemoryLowerings(table);
  addTensorCoreLowerings(table);
  addClusterLowerings(table);
  addLocalIndexedLowerings(table);
  addPackedArithLowerings(table);
  return table;
}

namespace {
struct ConvertTtgToLlvm : impl::ConvertTtgToLlvmBase<ConvertTtgToLlvm> {
  void runOnOperation() override {
    ModuleOp source = getOperation();
    AxisInfoMap axes(source);
    ModuleLowering module(source, axes);
    LoweringTable table = makeTable();
    SmallVector<std::pair<tt::FuncOp, LLVM::LLVMFuncOp>> functions;
    SmallVector<tt::FuncOp> sources(source.getOps<tt::FuncOp>());
    if (module.numCtas > 1 && !sources.empty()) {
      sources.front().emitError("blocks that a cluster of ")
          << module.numCtas << " thread blocks shares (`num_ctas`) are not supported";
      return signalPassFailure();
    }
    for (tt::FuncOp function : sources) {
      LLVM::LLVMFuncOp declared = declareFunction(function, module);
      // The new function takes the name at once, for calls; the old one is on its way out.
      function.setSymName(("tt." + function.getName()).str());
      functions.emplace_back(function, declared);
    }
    if (const int total = totalWarps(source); total > module.numWarps)
      source->setAttr(ttg::kTotalNumWarpsAttr, OpBuilder(source).getI32IntegerAttr(total));
    for (auto [function, target] : functions)
      if (failed(lowerFunction(function, target, module, table)))
        return signalPassFailure();
    for (tt::FuncOp function : sources)
      function.erase();
  }
};
} // namespace

} // namespace tilescope::compiler
