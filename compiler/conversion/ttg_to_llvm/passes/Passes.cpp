// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"

#include "mlir/Pass/PassManager.h"

namespace tilescope::compiler {

void addTtgToLlvmPasses(mlir::OpPassManager &manager, const TtgToLlvmPipeline &pipeline) {
  manager.addPass(createBoundUnrolling());
  manager.addPass(createSettleScanLayouts());
  manager.addPass(createLoopsToBranches());
  manager.addPass(createAllocateGlobalScratch());
  manager.addPass(createAllocateSharedMemory({pipeline.sharedBytes}));
  manager.addPass(createAllocateTensorMemory());
  manager.addPass(createInsertSharedBarriers());
  if (pipeline.trace)
    manager.addPass(createInsertTraceMarks(*pipeline.trace));
  manager.addPass(createConvertTtgToLlvm());
}

} // namespace tilescope::compiler
