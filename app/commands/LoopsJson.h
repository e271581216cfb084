// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/LoopFacts.h"

#include <nlohmann/json_fwd.hpp>

namespace tilescope::app {

/// The pipeline of each loop, in the order of the text. Ranges point into `files`.
nlohmann::json pipelinesJson(const std::vector<compiler::LoopFacts> &loops,
                             const std::vector<compiler::SourceFile> &files);

} // namespace tilescope::app
