// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/Commands.h"
#include "app/commands/SweepPlan.h"

namespace tilescope::app {

/// A sweep whose points are shared by tasks of Slurm: submits them (`-o`), or gathers what they have
/// (`--resume`), names those that are lost or slow, and submits these again (`--resubmit`).
int runSlurmSweep(const SweepOptions &options);

/// The work of one task: measures its points, and appends each result to its log. A task that runs
/// again goes on from there.
int runSweepTask(const SweepOptions &options);

/// What has to be the same on all machines.
Result<std::string> slurmIdentity(const SweepPlan &plan, const InputFile &input,
                                  const SweepOptions &options);

} // namespace tilescope::app
