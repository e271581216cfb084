// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/Passes.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace tilescope::compiler {

void addTtgToLlvmPasses(mlir::OpPassManager &manager, int64_t sharedBytes) {
  manager.addPass(createBoundUnrollingPass());
  manager.addPass(createSettleScanLayoutsPass());
  manager.addPass(createLoopsToBranchesPass());
  manager.addPass(createAllocateGlobalScratchPass());
  manager.addPass(createAllocateSharedMemoryPass(sharedBytes));
  manager.addPass(createAllocateTensorMemoryPass());
  manager.addPass(createInsertSharedBarriersPass());
  manager.addPass(createConvertTtgToLlvmPass());
}

void registerTtgToLlvmPasses() {
  mlir::registerPass([] { return createBoundUnrollingPass(); });
  mlir::registerPass([] { return createSettleScanLayoutsPass(); });
  mlir::registerPass([] { return createLoopsToBranchesPass(); });
  mlir::registerPass([] { return createAllocateGlobalScratchPass(); });
  mlir::registerPass([] { return createAllocateSharedMemoryPass(); });
  mlir::registerPass([] { return createAllocateTensorMemoryPass(); });
  mlir::registerPass([] { return createInsertSharedBarriersPass(); });
  mlir::registerPass([] { return createConvertTtgToLlvmPass(); });
}

} // namespace tilescope::compiler
