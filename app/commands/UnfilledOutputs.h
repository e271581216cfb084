// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Outputs that a kernel reads although nothing fills them:
//
//     o = tl.load(o_ptr + i)                     holds nan here, which a maximum passes over
//     tl.store(o_ptr + i, tl.maximum(o, x))      as expected, but by chance
//
// The same kernel is run once more with other numbers there, which tells whether they count.
#pragma once

#include "app/commands/RunLaunch.h"

namespace tilescope::app {

/// Adds a finding for each output that is as expected only for what its memory happens to begin with. On the CPU alone.
/// Thread: the worker's.
void findUnfilled(compiler::WorkerClient &worker, const LaunchRequest &request,
                  const LaunchHooks &hooks, LaunchRun &run);

} // namespace tilescope::app
