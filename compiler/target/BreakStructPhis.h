// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "llvm/IR/PassManager.h"

namespace tilescope::compiler {

/// Replaces every phi of a struct by one phi per element, which the later passes understand.
///
///     %s = phi {float, float} [%a, %in], [%b, %loop]
///
///     %s0 = phi float [%a.0, %in], [%b.0, %loop]
///     %s1 = phi float [%a.1, %in], [%b.1, %loop]
///     %s  = insertvalue …                              folds with the extractvalues of its users
///
/// A loop that carries a tensor carries such a struct: one element per register of a thread.
class BreakStructPhisPass : public llvm::PassInfoMixin<BreakStructPhisPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace tilescope::compiler
