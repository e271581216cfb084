// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/bench/views/ThreadTimer.h"

#include <array>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace tilescope::tests {

/// From the kernel's file `schedstat`: nanoseconds of work, and of waiting for a processor.
static double waitedMs() {
  thread_local const int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  std::array<char, 96> text{};
  if (file < 0 || pread(file, text.data(), text.size() - 1, 0) <= 0)
    return 0;
  char *end = nullptr;
  std::strtoll(text.data(), &end, 10);
  return static_cast<double>(std::strtoll(end, nullptr, 10)) / 1e6;
}

/// All that the thread has spent so far, except for the time by the clock.
static TimeSpent spentSoFar() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  timespec work{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &work);
  return {0, static_cast<double>(work.tv_sec) * 1e3 + static_cast<double>(work.tv_nsec) / 1e6,
          waitedMs(), usage.ru_minflt};
}

ThreadTimer::ThreadTimer() : m_before(spentSoFar()), m_begin(Clock::now()) {}

TimeSpent ThreadTimer::spent() const {
  const std::chrono::duration<double, std::milli> elapsed = Clock::now() - m_begin;
  const TimeSpent now = spentSoFar();
  return {elapsed.count(), now.workMs - m_before.workMs, now.waitMs - m_before.waitMs,
          now.numPageFaults - m_before.numPageFaults};
}

} // namespace tilescope::tests
