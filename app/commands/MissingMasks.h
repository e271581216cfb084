// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A kernel without masks that runs without a fault, since the sizes of its launch are multiples of its blocks:
//
//     i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)      BLOCK = 1024, n = 4096: all is inside
//     x = tl.load(x_ptr + i)                                  n = 4095: the last program reads past the end
//
// A kernel may be meant so. It is said, and nothing more.
#pragma once

#include "app/commands/RunLaunch.h"

namespace tilescope::app {

/// Runs the launch of a run without findings once more with a size that is no multiple of its block, if some access has
/// no mask, and adds a note of what then lies outside, at its line. Thread: the worker's.
void noteMissingMasks(compiler::WorkerClient &worker, const LaunchRequest &request,
                      const LaunchHooks &hooks, LaunchRun &run);

} // namespace tilescope::app
