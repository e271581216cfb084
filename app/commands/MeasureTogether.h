// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/RunPlace.h"
#include "app/commands/RunnerHooks.h"
#include "profiler/analysis/InterleavedRun.h"
#include "profiler/package/KernelPackage.h"

namespace tilescope::app {

struct TogetherOptions {
  RunPlace place;
  bool coldL2 = true;
  /// As in profiler/collect/Interleave.h.
  int maxRounds = 100;
  int launchesPerRound = 5;
  double measureSeconds = 5;
  uint64_t seed = 0;
  double hopeless = 0;
  /// Seconds that a launch may take.
  double timeLimit = 10;
};

/// Measures packages against each other, with the runner of `options.place`.
///
/// A kernel that faults, hangs or takes the runner along is measured no more: it has that error, and
/// the others are measured without it, in a new process. The error of the whole is about the place,
/// or that it was stopped.
Result<profiler::InterleavedRun>
measureTogether(const std::vector<profiler::KernelPackage> &packages,
                const TogetherOptions &options, const RunnerHooks &hooks = {});

} // namespace tilescope::app
