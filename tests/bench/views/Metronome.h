// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "tests/bench/views/ThreadTimer.h"
#include "tests/bench/views/TimeHistogram.h"

#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tilescope::tests {

/// Tells what the machine adds to the work of a thread: a thread of its own, of the same priority
/// as the one that is measured, does the same small work a hundred times a second. Whatever the
/// program does, this work stays the same, so a beat that takes several times as long as most shows
/// a machine that was slow or busy at that moment. On a machine with an idle processor and a
/// constant speed, all beats take the same time.
class Metronome {
public:
  using Clock = ThreadTimer::Clock;

  Metronome();

  /// What most beats took so far becomes the usual time, and counting begins.
  void begin();
  /// The slowest beat in this time, or right before or behind it, in multiples of the usual time.
  double slowness(Clock::time_point begin, Clock::time_point end) const;

  struct Summary {
    double usualMs = 0;
    TimeHistogram elapsed;
    TimeHistogram work;
    size_t numSlow = 0;
  };
  Summary summary() const;

  /// A beat that takes more than this multiple of the usual time is a slow one.
  static constexpr double kSlow = 2;

private:
  struct SlowBeat {
    Clock::time_point begin;
    Clock::time_point end;
    double slowness = 0;
  };

  void beat();
  void run(const std::stop_token &stop);

  /// Sorted in each beat.
  std::vector<std::string> m_words;
  mutable std::mutex m_mutex;
  Summary m_summary;
  std::vector<SlowBeat> m_slow;
  // Last: the thread ends before what it uses.
  std::jthread m_thread;
};

} // namespace tilescope::tests
