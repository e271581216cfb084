// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/RunnerHooks.h"
#include "compiler/support/Result.h"

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tilescope::app {

/// How to reach a `tilescope-runner serve`.
struct RunnerCommand {
  std::string program;
  std::vector<std::string> arguments;
  /// Empty: the runner of this machine; else the host behind ssh.
  std::string host;
};

/// Starts a runner, asks it one thing and returns what it answers (profiler/runner/Service.h). The
/// runner says every second that it lives: one that is silent for longer than `patience` is given
/// up, and so is one that dies; of a profile, what there was by then is the answer, with the reason
/// as `interrupted`. ssh's own failures are reported as such. Nothing of it is left
/// behind, also when this process is killed. Thread: any.
Result<nlohmann::json> askRunner(const RunnerCommand &command, const nlohmann::json &request,
                                 std::chrono::milliseconds patience, const RunnerHooks &hooks);

} // namespace tilescope::app
