// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A lock that does not begin free:
//
//     # LOCK = { dtype = "i32", shape = [3], init = "randint", high = 10 }
//     while tl.atomic_cas(LOCK + g, 0, 1) == 1:     returns 7 and leaves 7: no program takes the lock, all go on
//         pass
//
// Or all wait, where it begins at 1. Nobody waits for a flag that is set before the launch, either:
//
//     while tl.atomic_add(FLAG + pid - 1, 0) == 0:
//
// The kernel may be right.
#pragma once

#include "app/commands/RunLaunch.h"

namespace tilescope::app {

/// Where races, or loops without an end, are gone with locks that begin free: says so in place of other advice, with
/// the fix in the launch block. The kernel runs once more to find out. On the CPU alone. Thread: the worker's.
void explainLockStarts(compiler::WorkerClient &worker, const LaunchRequest &request,
                       const LaunchHooks &hooks, LaunchRun &run);

} // namespace tilescope::app
