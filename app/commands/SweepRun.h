// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/CompileFile.h"
#include "app/commands/SweepGpus.h"
#include "profiler/analysis/Sweep.h"

#include <functional>

namespace tilescope::app {

struct SweepRunOptions {
  InputFile input;
  compiler::Selection selection;
  /// Where points are measured; a place without a GPU is the only one. With several models, the sweep has
  /// them (`Sweep::models`).
  std::vector<SweepGpu> gpus;
  /// The target is that of each GPU; else that of the selection.
  bool usesOwnTargets = false;
  /// Worker processes that compile; at least 1.
  unsigned jobs = 1;
  bool coldL2 = true;
  /// Each point of a small sweep has its predicted time, too, unless L2 is warm.
  bool predicts = false;
  std::optional<double> timeLimit;
};

/// What a sweep reports while it runs. Thread: the caller's.
struct SweepHooks {
  /// A point has a new status; `rounds` are empty unless it was measured. An error ends the sweep.
  std::function<Status(size_t point, const profiler::TimeRounds &rounds)> changed;
  /// Something was done, in words for the user.
  std::function<void(const std::string &what)> progress;
};

/// Compiles every open point of a sweep in workers, and measures those of equal work against each
/// other, hopeless ones in a few rounds only, and the best of each work once more in many rounds.
/// Several GPUs of a model share the points; each measures its share in rounds of its own, and the best
/// are measured once more on one of them. A GPU that is lost leaves its share to the others. Without a GPU points are compiled, and no more. The error is about the environment; faults of a
/// point are its own.
Status runSweep(profiler::Sweep &sweep, const SweepRunOptions &options, const SweepHooks &hooks);

/// What a point's values make of the selection.
compiler::Selection selectionOf(const profiler::Sweep &sweep, const profiler::SweepPoint &point,
                                compiler::Selection selection);

} // namespace tilescope::app
