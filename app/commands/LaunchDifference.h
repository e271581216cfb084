// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/LaunchPlan.h"

#include <string>

namespace tilescope::app {

/// What two launches pass differently: `grid 16 × 1 × 1 → 8 × 1 × 1, stride_am 93 → 203`. Arguments
/// that only one of them has are left out; empty where nothing differs.
std::string launchDifference(const profiler::LaunchPlan &before, const profiler::LaunchPlan &after);

} // namespace tilescope::app
