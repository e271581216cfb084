// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loops that wait for a lock with their condition turned round, or exchange what they compare and what they write:
//
//     while tl.atomic_cas(lock, 0, 1) == 0:       == 1: it returns what was there
//     while tl.atomic_cas(lock, 1, 0) == 1:       0, 1
//         pass
#pragma once

#include "app/commands/RunLaunch.h"

namespace tilescope::app {

/// Where races, or loops without an end, are gone with a loop that waits until the lock is free: says so in place of
/// other advice, with the fix. The kernel runs once more to find out. On the CPU alone. Thread: the worker's.
void explainTurnedLocks(compiler::WorkerClient &worker, const LaunchRequest &request,
                        const LaunchHooks &hooks, LaunchRun &run);

} // namespace tilescope::app
