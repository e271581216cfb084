// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tilescope::profiler {

/// How to start the process that does one job.
struct ChildCommand {
  /// Program, then its arguments.
  std::vector<std::string> arguments;
};

/// This very program with the argument `child`.
ChildCommand ownChild();

struct ChildLimits {
  /// Until the first launch: reading, compiling PTX, uploading.
  std::chrono::milliseconds prepare{180'000};
  /// For the first launch: of the kernel alone.
  std::chrono::milliseconds launch{10'000};
  /// For fetching, comparing and storing what it wrote, before and after the timed launches each.
  std::chrono::milliseconds outputs{180'000};
  /// For all timed launches, beyond what the first took as limit.
  std::chrono::milliseconds measure{30'000};
};

/// What the parent does meanwhile.
struct ChildHooks {
  /// A message `{"progress", "kernel"}` of the child; of a child that makes a part of a profile
  /// with `part`, its method.
  std::function<void(const nlohmann::json &)> onProgress;
  /// What there is of a profile while further parts are made; may be empty.
  std::function<void(const nlohmann::json &result)> onPartial;
  /// Called about every second while the child works.
  std::function<void()> onWaiting;
  /// Watched for input while the child works; -1: none.
  int watchedFile = -1;
  /// There is input (or the end of it). False: stop the job.
  std::function<bool()> onWatched;
};

/// Runs one job in its own process, so that a fault, a hang or a poisoned context ends with
/// it. A child that outlives its limit is killed; one that dies leads to an error that names the
/// kernel and the signal.
Result<nlohmann::json> runInChild(const ChildCommand &command, const nlohmann::json &request,
                                  const ChildLimits &limits, const ChildHooks &hooks);

} // namespace tilescope::profiler
