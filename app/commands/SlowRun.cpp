// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SlowRun.h"

#include <fmt/format.h>

namespace tilescope::app {

/// Without the end of a program, before that is worth a word.
static constexpr std::chrono::seconds kPatience(5);
/// As `InterpreterOptions` has it.
static constexpr double kUsualLimit = 60;

std::string SlowRun::take(uint64_t done, uint64_t total, Clock::time_point now) {
  if (m_done != done) {
    m_done = done;
    m_since = now;
  }
  if (m_hasSpoken || now - m_since < kPatience)
    return {};
  m_hasSpoken = true;
  return fmt::format(
      "still executing: {} of {} programs have ended, and none for {} s; one that takes "
      "longer than {:g} s is stopped as endless, and Ctrl+C stops the run",
      done, total, kPatience.count(), m_limit.value_or(kUsualLimit));
}

} // namespace tilescope::app
