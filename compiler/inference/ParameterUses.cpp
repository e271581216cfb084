// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/ParameterUses.h"

#include "compiler/inference/UseAnalyzer.h"

namespace tilescope::compiler::inference {

using namespace ast;

std::map<std::string, ParameterUse, std::less<>>
analyzeUses(const ModuleIndex &index, const JitFunction &kernel, const ImportedFunctions *imports) {
  return UseAnalyzer(index, kernel, imports, !kernel.isKernel() || kernel.usedByOthers).run();
}

} // namespace tilescope::compiler::inference
