// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

namespace tilescope::app {

/// What a caller can follow and influence while a runner works. Each may be empty.
struct RunnerHooks {
  /// A line that the kernel, the runner or ssh wrote beside the answer.
  std::function<void(std::string_view line)> console;
  /// `prepare`, `launch`, `outputs`, `measure`: what begins now.
  std::function<void(std::string_view state)> progress;
  /// How far a part of a profile has come: pass 7 of 19 of `counters`.
  std::function<void(std::string_view part, int step, int numSteps)> stepped;
  /// Ends the work at once, at the far end too.
  std::stop_token stop;
};

} // namespace tilescope::app
