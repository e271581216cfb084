// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A launch that runs once more with something changed, to settle what one run cannot.
#pragma once

#include "app/commands/RunLaunch.h"

namespace tilescope::app {

/// The same launch on the CPU, of which only what is found and what differs counts: nothing is kept, measured or
/// explained. The caller changes what is to be tried.
LaunchRequest trialOf(const LaunchRequest &request);

/// Runs it without telling how far it has come.
LaunchRun runTrial(compiler::WorkerClient &worker, const LaunchRequest &trial,
                   const std::stop_token &stop);

} // namespace tilescope::app
