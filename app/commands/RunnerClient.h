// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/RunPlace.h"
#include "app/commands/RunnerConversation.h"
#include "app/commands/TraceChoice.h"
#include "compiler/artifacts/RoundingFacts.h"
#include "profiler/package/KernelPackage.h"

#include <vector>

namespace tilescope::app {

struct LaunchOptions {
  RunPlace place;
  /// Existing folder for every argument after the run; empty: not kept.
  std::string dumpFolder = {};
  /// Arguments with a file `<name>.npy` there begin with its contents; may be empty.
  std::string inputFolder = {};
  /// Existing folder with the interpreter's results to compare with; empty: no comparison.
  std::string referenceFolder = {};
  /// What the kernel rounds on the way to them.
  std::vector<compiler::RoundingFacts> roundings = {};
  bool measure = true;
  bool coldL2 = true;
  bool isProfile = false;
  profiler::ProfileWishes profile = {};
  /// What is traced, where the profile has a trace.
  TraceChoice trace = {};
  /// Of the same launch, with clock reads, the one with most first; empty: there is none to trace.
  std::vector<profiler::KernelPackage> traced = {};
  /// Seconds that a launch may take.
  double timeLimit = 10;
};

/// Runs a package with the runner of `options.place`, here or at the far end of ssh. Outputs are
/// compared on this side.
Result<profiler::Measurement> runOnGpu(const profiler::KernelPackage &package,
                                       const LaunchOptions &options, const RunnerHooks &hooks = {});

/// How long a runner may be silent when a launch may take `timeLimit` seconds.
std::chrono::milliseconds runnerPatience(double timeLimit);
/// The same for what a machine says of itself; `timeLimit`: nothing is the usual time.
std::chrono::milliseconds devicesPatience(std::optional<double> timeLimit);

/// The devices of a place. `timeLimit`: seconds that the answer may take; nothing: the usual time.
Result<std::vector<profiler::DeviceInfo>>
runnerDevices(const RunPlace &place, const RunnerHooks &hooks = {},
              std::optional<double> timeLimit = std::nullopt);

} // namespace tilescope::app
