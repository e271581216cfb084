// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/InspectFile.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tilescope::app {

/// All facts for scripts; lines and columns start at 1, and what is not known is left out.
nlohmann::json inspectionJson(const Inspection &inspection);

/// The same at a glance: a line for each access.
std::string inspectionText(const Inspection &inspection);

/// "loads 4 → 8 bytes a lane, +1 conversion, registers 64 → 96". Where these are equal, whether the
/// code is: "no difference in code and counts", or "the counts do not differ; the code does (first
/// stage that differs: TTIR)".
std::string differenceLine(const Inspection &before, const Inspection &after);

} // namespace tilescope::app
