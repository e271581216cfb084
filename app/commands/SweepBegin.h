// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// How every sweep of the command line begins: on this machine, as tasks of Slurm, and as one of them.
#pragma once

#include "app/commands/Commands.h"
#include "app/commands/SweepPlan.h"
#include "app/commands/SweepRun.h"

namespace tilescope::app {

/// A file, and the sweep of its launch.
struct PlannedSweep {
  InputFile input;
  SweepPlan plan;
};

/// Reads the file and works out the axes; `mostPoints` as `planSweep` takes it.
Result<PlannedSweep> readSweep(const SweepOptions &options, const compiler::Selection &selection,
                               size_t mostPoints);

/// Prints why there is no sweep: an error, or what is wrong with a launch that has no axes. Returns
/// the exit status; nothing where there is a sweep.
std::optional<int> reportNoSweep(const Result<PlannedSweep> &planned, bool json);

/// How the points are compiled and measured.
SweepRunOptions sweepRunOptions(const SweepOptions &options, const InputFile &input,
                                const compiler::Selection &selection,
                                const std::vector<SweepGpu> &gpus);

} // namespace tilescope::app
