// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/UnrollShortLoops.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace tilescope::compiler {

static constexpr unsigned kMostIterations = 32;
static constexpr unsigned kMostInstructions = 1000;
/// Of the function around the loop: longer ones have their registers in use, and the loads of more
/// iterations would be spilled.
static constexpr unsigned kMostAround = 2000;

static bool loadsFromGlobalMemory(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (call == nullptr || !call->isInlineAsm())
    return false;
  const auto *assembly = llvm::cast<llvm::InlineAsm>(call->getCalledOperand());
  return llvm::StringRef(assembly->getAsmString()).contains("ld.global");
}

llvm::PreservedAnalyses UnrollShortLoopsPass::run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                                                  llvm::LoopStandardAnalysisResults &results,
                                                  llvm::LPMUpdater &) {
  const unsigned iterations = results.SE.getSmallConstantTripCount(&loop);
  if (!loop.isInnermost() || iterations == 0 || iterations > kMostIterations ||
      llvm::hasUnrollTransformation(&loop) != llvm::TM_Unspecified)
    return llvm::PreservedAnalyses::all();
  unsigned instructions = 0;
  bool loads = false;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      ++instructions;
      loads |= loadsFromGlobalMemory(instruction);
    }
  if (loads && iterations * instructions <= kMostInstructions &&
      loop.getHeader()->getParent()->getInstructionCount() <= kMostAround)
    llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
  return llvm::PreservedAnalyses::all();
}

} // namespace tilescope::compiler
