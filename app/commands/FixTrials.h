// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A fix of what a run has found is offered only if it was tried: the kernel with it runs on the same inputs, and
//
//   what it mends is gone,
//   nothing new is found,
//   no output has more elements that differ or that nobody writes,
//
// and all of this also with other sizes, if the launch block has some. A mask that keeps this launch inside
//
//   mask=i < 1000        of an array of n elements, where n is 1000
//   mask=m & (i < n)     where m is i > n: true for nothing, so that nothing is written any more
//
// fails there or there, and nobody sees it.
#pragma once

#include "app/commands/RunLaunch.h"

#include <chrono>

namespace tilescope::app {

/// Takes the fixes that fail out of the findings of a run, with the advice that rests on them. `firstRun`: how long
/// the run took, from which `LaunchRequest::timeToTry` says how long trials may; what is not tried until then goes,
/// too, with a note of that.
/// Of a finding that several changes mend together, each is offered. Thread: the worker's.
void keepFixesThatHelp(compiler::WorkerClient &worker, const LaunchRequest &request,
                       const LaunchHooks &hooks, std::chrono::milliseconds firstRun,
                       LaunchRun &run);

} // namespace tilescope::app
