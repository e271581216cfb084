// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/Estimate.h"

#include <nlohmann/json_fwd.hpp>

namespace tilescope::app {

/// The prediction with its parts, lines and facts, or `{"reason": …}`. Ranges point into `files`.
nlohmann::json estimateJson(const compiler::Estimate &estimate,
                            const std::vector<compiler::SourceFile> &files);

} // namespace tilescope::app
