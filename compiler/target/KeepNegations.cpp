// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/KeepNegations.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace tilescope::compiler {

/// As assembly, which LLVM does not look into.
static llvm::Value *negate(llvm::Value *value, llvm::Instruction &before) {
  llvm::IRBuilder<> builder(&before);
  const bool isLong = value->getType()->isIntegerTy(32);
  auto *assembly = llvm::InlineAsm::get(
      llvm::FunctionType::get(value->getType(), {value->getType()}, false),
      isLong ? "not.b32 $0, $1;\n\tadd.s32 $0, $0, 1;" : "not.b16 $0, $1;\n\tadd.s16 $0, $0, 1;",
      isLong ? "=r,r" : "=h,h", /*hasSideEffects=*/false);
  return builder.CreateCall(assembly, {value});
}

llvm::PreservedAnalyses KeepNegationsPass::run(llvm::Function &function,
                                               llvm::FunctionAnalysisManager &) {
  using namespace llvm::PatternMatch;
  bool isChanged = false;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    const auto *choice = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction);
    if (!choice || !choice->isSigned() ||
        !(choice->getType()->isIntegerTy(32) || choice->getType()->isIntegerTy(16)))
      continue;
    for (unsigned index : {0U, 1U})
      if (llvm::Value *value = nullptr;
          match(instruction.getOperand(index), m_Neg(m_Value(value)))) {
        instruction.setOperand(index, negate(value, instruction));
        isChanged = true;
      }
  }
  return isChanged ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace tilescope::compiler
