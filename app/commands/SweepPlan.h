// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/CompileFile.h"
#include "profiler/analysis/Sweep.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// A sweep before it runs.
struct SweepPlan {
  profiler::Sweep sweep;
  /// The number of the launch block in the file.
  size_t block = 0;
  /// Of the launch as the file has it: why there is no sweep, when `sweep` has no axes.
  std::vector<compiler::Diagnostic> diagnostics;
  std::vector<compiler::SourceFile> files;
};

/// More would not be done in a day, on one machine and by tasks on many.
inline constexpr size_t kMostSweepPoints = 100'000, kMostTaskPoints = 10'000'000;

/// Works out the axes of a launch: from its `[sweep]`, from `--over` and from `@triton.autotune`. The
/// error is about them, or about the environment. The points are not made yet.
Result<SweepPlan> planSweep(compiler::WorkerClient &worker, const InputFile &input,
                            const compiler::Selection &selection,
                            const std::vector<std::string> &over,
                            size_t mostPoints = kMostSweepPoints);

/// What has to be the same for results to belong to one sweep.
std::string sweepIdentity(const SweepPlan &plan, const InputFile &input,
                          const compiler::Selection &selection, const std::string &place);

} // namespace tilescope::app
