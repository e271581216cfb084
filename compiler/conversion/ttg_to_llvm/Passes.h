// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// From laid-out blocks to the LLVM dialect, in order: `bound-unrolling`, `settle-scan-layouts`,
// `loops-to-branches`, `allocate-global-scratch`, `allocate-shared-memory`,
// `allocate-tensor-memory`, `insert-shared-barriers`, `convert-ttg-to-llvm`.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

namespace mlir {
class OpPassManager;
class Pass;
} // namespace mlir

namespace tilescope::compiler {

/// Refuses a kernel whose blocks are so large that a thread's program would never end compiling.
std::unique_ptr<mlir::Pass> createBoundUnrollingPass();
/// Gives scans and reductions layouts that can be walked along their axis.
std::unique_ptr<mlir::Pass> createSettleScanLayoutsPass();
/// Loops and branches become blocks, except inside functions of scalars.
std::unique_ptr<mlir::Pass> createLoopsToBranchesPass();
/// Gives every piece of scratch in global memory its place in a program's part.
std::unique_ptr<mlir::Pass> createAllocateGlobalScratchPass();
/// Gives every buffer and every operation's scratch its place (`allocation.offset`), and the module
/// the sum (`ttg.shared`). More than `limit` bytes are an error.
std::unique_ptr<mlir::Pass>
createAllocateSharedMemoryPass(int64_t limit = std::numeric_limits<int64_t>::max());
/// Gives every buffer in tensor memory its columns (`allocation.offset`), and the module their
/// number
/// (`ttg.tensor_memory_size`). Comes after shared memory, of which it needs a word.
std::unique_ptr<mlir::Pass> createAllocateTensorMemoryPass();
/// Puts `ttg.barrier local` wherever threads may read or overwrite what others wrote or read.
std::unique_ptr<mlir::Pass> createInsertSharedBarriersPass();
std::unique_ptr<mlir::Pass> createConvertTtgToLlvmPass();

/// All of the above, in order. `sharedBytes` is what a kernel may use of shared memory.
void addTtgToLlvmPasses(mlir::OpPassManager &manager, int64_t sharedBytes);
void registerTtgToLlvmPasses();

} // namespace tilescope::compiler
