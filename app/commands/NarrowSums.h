// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Sums of fp16 and bf16 may be off by so much that a wrong kernel passes as well as a right one:
//
//     acc = tl.zeros([BN], dtype=tl.float16)
//     for r in range(0, M):                     3000 numbers between 0 and 1: 1500 ± 55
//         acc += tl.load(x_ptr + r * N + i)     without the last 50 of them: 1475
//
// The same kernel is run once more with these sums in fp32, which tells one from the other.
#pragma once

#include "app/commands/RunLaunch.h"

namespace tilescope::app {

/// Of outputs that sums of 16 bits go into: doubts a match that does not hold with sums in fp32, and says of a mismatch that
/// the sums are its cause where it does. On the CPU alone. Thread: the worker's.
void settleNarrowSums(compiler::WorkerClient &worker, const LaunchRequest &request,
                      const LaunchHooks &hooks, LaunchRun &run);

} // namespace tilescope::app
