// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/RunLaunch.h"

#include <vector>

namespace tilescope::app {

/// What the outputs of a run show by themselves, at the stores to them: elements that were never written
/// although no shape or grid is a guess, and elements that are NaN. Nothing of an output about which a
/// finding of the run warns, that is what was expected, or whose stores are not known.
std::vector<compiler::Diagnostic> outputFaults(const LaunchRun &run);

} // namespace tilescope::app
