// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The pass: every function of a laid-out module becomes the LLVM function of one thread.
//
//     tt.func public @k(%p: !tt.ptr<f32>)   ->   llvm.func @k(%p: !llvm.ptr<1>, %scratch..., ...)
//                                                  attributes {nvvm.kernel, nvvm.reqntid =
//                                                  array<i32: 128>}
#include "compiler/conversion/ttg_to_llvm/common/ClusterExchange.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/control/FunctionLowering.h"
#include "compiler/conversion/ttg_to_llvm/control/WarpDispatch.h"
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

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
  addTraceLowerings(table);
  return table;
}

/// Clusters need the hardware, and buffers of which every block has a contiguous piece.
static LogicalResult verifyClusters(ModuleOp source, const ModuleLowering &module) {
  if (module.numCtas == 1)
    return success();
  if (module.capability < 90)
    return source.emitError("a cluster of ")
           << module.numCtas << " thread blocks needs a GPU of sm_90 or newer, not sm_"
           << module.capability;
  const WalkResult result = source.walk([](Operation *op) {
    for (Type type : op->getResultTypes()) {
      auto buffer = dyn_cast<ttg::MemDescType>(type);
      if (!buffer)
        continue;
      if (ttng::isInTensorMemory(buffer)) {
        op->emitError("tensor memory in a cluster of thread blocks is not supported");
        return WalkResult::interrupt();
      }
      // Of a ring of buffers, the encoding says how one slot lies.
      const unsigned rank = ttg::getEncodingRank(buffer.getEncoding());
      if (!partOfBlock(
              ttg::toLinearLayout(buffer.getAllocShape().take_back(rank), buffer.getEncoding()))) {
        op->emitError("a buffer of which the blocks of a cluster hold parts that interleave is not "
                      "supported: ")
            << buffer;
        return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
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
    if (failed(verifyClusters(source, module)))
      return signalPassFailure();
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
