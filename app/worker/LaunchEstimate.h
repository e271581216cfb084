// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/worker/CountedLaunch.h"
#include "compiler/artifacts/Estimate.h"

namespace tilescope::app {

/// What the launch will take on the usual device of its target. `counted` has facts and machine
/// code.
compiler::Estimate launchEstimate(const CountedLaunch &counted, const profiler::LaunchPlan &plan);

} // namespace tilescope::app
