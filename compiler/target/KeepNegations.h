// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "llvm/IR/PassManager.h"

namespace tilescope::compiler {

/// Writes negations that go into a signed maximum or minimum as `~x + 1`. The assembler joins two
/// maxima to one instruction of three operands and then loses the negation of the second one
/// (`ptxas` 13.0, 16 and 32 bits, compute capability 9.0 and 10.0):
///
///     neg.s32 %a, %x;  max.s32 %m, %y, %a;  max.s32 %n, %z, %m;      VIMNMX3 n, z, x, y
///
/// An addition before a maximum is an instruction of its own kind, which is right and costs as much.
/// The last pass: others would make a negation of it again.
class KeepNegationsPass : public llvm::PassInfoMixin<KeepNegationsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace tilescope::compiler
