// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/RunnerHooks.h"
#include "compiler/support/Result.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tilescope::app {

/// How to reach a `tilescope-runner serve`.
struct RunnerCommand {
  std::string program;
  std::vector<std::string> arguments;
  /// Empty: the runner of this machine; else the host behind ssh.
  std::string host;
  /// A line that comes before the first answer, and shows that the far end is reached; all before it
  /// is not from the runner. Empty: there is none.
  std::string mark = {};
};

/// How a conversation with a runner ended.
enum class RunnerEnd {
  /// With an answer, or with an error that asking again does not mend.
  Done,
  /// The far end has no runner of this version.
  Missing,
  /// ssh reached the machine, and lost it later.
  Cut,
};

struct RunnerReply {
  Result<nlohmann::json> answer;
  RunnerEnd end = RunnerEnd::Done;
};

/// Starts a runner, asks it one thing and returns what it answers (profiler/runner/Service.h). The
/// runner says every second that it lives: one that is silent for longer than `patience` is given
/// up, and so is one that dies; of a profile, what there was by then is the answer, with the reason
/// as `interrupted`. ssh's own failures are reported as such. Nothing of it is left
/// behind, also when this process is killed. Thread: any.
RunnerReply talkToRunner(const RunnerCommand &command, const nlohmann::json &request,
                         std::chrono::milliseconds patience, const RunnerHooks &hooks);
/// The answer alone.
Result<nlohmann::json> askRunner(const RunnerCommand &command, const nlohmann::json &request,
                                 std::chrono::milliseconds patience, const RunnerHooks &hooks);

} // namespace tilescope::app
