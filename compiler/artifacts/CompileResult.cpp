// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/CompileResult.h"

namespace tilescope::compiler {

const Stage *CompileResult::stage(StageId id) const {
  for (const Stage &stage : stages)
    if (stage.id == id)
      return &stage;
  return nullptr;
}

} // namespace tilescope::compiler
