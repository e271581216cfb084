// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/Stage.h"

namespace tilescope::compiler {

std::string_view stageName(StageId id) {
  constexpr std::string_view kNames[kNumStages] = {"ast", "ttir",  "ttgir", "llir",
                                                   "ptx", "cubin", "sass"};
  return kNames[static_cast<int>(id)];
}

std::string_view stageTitle(StageId id) {
  constexpr std::string_view kTitles[kNumStages] = {"AST", "TTIR",  "TTGIR", "LLVM IR",
                                                    "PTX", "cubin", "SASS"};
  return kTitles[static_cast<int>(id)];
}

} // namespace tilescope::compiler
