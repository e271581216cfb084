// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Stage.h"

#include <optional>
#include <string_view>

namespace tilescope::compiler {

/// The stage of documents whose files have this ending, as `.ttir`: each is named after its stage,
/// and `.ll` is LLVM IR, too. Nothing for the rest, among them `.mlir`, whose text says the stage.
std::optional<StageId> stageOfEnding(std::string_view ending);

} // namespace tilescope::compiler
