// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/DocumentEnding.h"

namespace tilescope::compiler {

std::optional<StageId> stageOfEnding(std::string_view ending) {
  if (ending == ".ll")
    return StageId::LlvmIr;
  for (const StageKind &kind : kStageKinds)
    if (kind.has(stage_trait::Document) && ending.starts_with('.') && ending.substr(1) == kind.name)
      return kind.id;
  return std::nullopt;
}

} // namespace tilescope::compiler
