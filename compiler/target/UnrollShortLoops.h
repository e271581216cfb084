// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class LPMUpdater;
}

namespace tilescope::compiler {

/// Asks for the whole unrolling of short loops over global memory whose number of iterations is
/// known, so that the loads of all iterations are under way at once. LLVM's own limit counts
/// instructions as a CPU pays for them. Loops in long functions stay: their registers are in use.
struct UnrollShortLoopsPass : llvm::PassInfoMixin<UnrollShortLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &analyses,
                              llvm::LoopStandardAnalysisResults &results,
                              llvm::LPMUpdater &updater);
};

} // namespace tilescope::compiler
