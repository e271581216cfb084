// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <chrono>

namespace tilescope::tests {

/// What a thread spent on something.
struct TimeSpent {
  /// By the clock.
  double elapsedMs = 0;
  /// Processor time of the thread.
  double workMs = 0;
  /// Ready to run, while the processors did something else.
  double waitMs = 0;
  /// Pages that the thread touched for the first time.
  long numPageFaults = 0;
};

/// Measures the thread that it is made in, from its construction on.
class ThreadTimer {
public:
  using Clock = std::chrono::steady_clock;

  ThreadTimer();
  TimeSpent spent() const;
  Clock::time_point begin() const { return m_begin; }

private:
  TimeSpent m_before;
  Clock::time_point m_begin;
};

} // namespace tilescope::tests
