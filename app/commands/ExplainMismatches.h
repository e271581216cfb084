// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/RunLaunch.h"

namespace tilescope::app {

/// Names the programs that wrote the elements that differ: the interpreter runs once more and
/// watches them.
void explainMismatches(compiler::WorkerClient &worker, const LaunchRequest &request,
                       const LaunchHooks &hooks, LaunchRun &run);

} // namespace tilescope::app
