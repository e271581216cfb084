// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// From laid-out blocks to the LLVM dialect, in order: `settle-scan-layouts`, `loops-to-branches`,
// `allocate-shared-memory`, `insert-shared-barriers`, `convert-ttg-to-llvm`.
#pragma once

#include <memory>

namespace mlir {
class OpPassManager;
class Pass;
} // namespace mlir

namespace tilescope::compiler {

/// Gives scans and reductions layouts that can be walked along their axis.
std::unique_ptr<mlir::Pass> createSettleScanLayoutsPass();
/// Loops and branches become blocks, except inside functions of scalars.
std::unique_ptr<mlir::Pass> createLoopsToBranchesPass();
/// Gives every buffer and every operation's scratch its place (`allocation.offset`), and the module
/// the sum (`ttg.shared`).
std::unique_ptr<mlir::Pass> createAllocateSharedMemoryPass();
/// Puts `ttg.barrier local` wherever threads may read or overwrite what others wrote or read.
std::unique_ptr<mlir::Pass> createInsertSharedBarriersPass();
std::unique_ptr<mlir::Pass> createConvertTtgToLlvmPass();

/// All of the above, in order.
void addTtgToLlvmPasses(mlir::OpPassManager &manager);
void registerTtgToLlvmPasses();

} // namespace tilescope::compiler
