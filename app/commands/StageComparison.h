// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/ComparedSide.h"

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

namespace tilescope::app {

/// How the named stages of two kernels differ, line by line as in a patch, each below a line with
/// its name; where a kernel lacks a stage, which one.
std::string stagesText(const ComparedSide &before, const ComparedSide &after,
                       const std::set<compiler::StageId> &emitted);

/// `[{"name", "added", "removed", "diff"?}]` of all stages of text that both have; `diff` for those
/// that are emitted.
nlohmann::json stagesJson(const ComparedSide &before, const ComparedSide &after,
                          const std::set<compiler::StageId> &emitted);

} // namespace tilescope::app
