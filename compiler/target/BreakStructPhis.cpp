// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/BreakStructPhis.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace tilescope::compiler {

static void breakPhi(llvm::PHINode &phi, llvm::StructType *type) {
  llvm::IRBuilder<> builder(&phi);
  builder.SetCurrentDebugLocation(phi.getDebugLoc());
  llvm::SmallVector<llvm::PHINode *> parts;
  for (llvm::Type *element : type->elements())
    parts.push_back(builder.CreatePHI(element, phi.getNumIncomingValues()));
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    llvm::BasicBlock *from = phi.getIncomingBlock(i);
    llvm::IRBuilder<> atEnd(from->getTerminator());
    for (auto [index, part] : llvm::enumerate(parts))
      part->addIncoming(
          atEnd.CreateExtractValue(phi.getIncomingValue(i), static_cast<unsigned>(index)), from);
  }
  builder.SetInsertPoint(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  builder.SetCurrentDebugLocation(phi.getDebugLoc());
  llvm::Value *whole = llvm::PoisonValue::get(type);
  for (auto [index, part] : llvm::enumerate(parts))
    whole = builder.CreateInsertValue(whole, part, static_cast<unsigned>(index));
  phi.replaceAllUsesWith(whole);
  phi.eraseFromParent();
}

llvm::PreservedAnalyses BreakStructPhisPass::run(llvm::Function &function,
                                                 llvm::FunctionAnalysisManager &) {
  llvm::SmallVector<llvm::PHINode *> work;
  for (llvm::BasicBlock &block : function)
    for (llvm::PHINode &phi : block.phis())
      if (phi.getType()->isStructTy())
        work.push_back(&phi);
  for (llvm::PHINode *phi : work)
    breakPhi(*phi, llvm::cast<llvm::StructType>(phi->getType()));
  if (work.empty())
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace tilescope::compiler
