// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/bench/views/Metronome.h"

#include <algorithm>
#include <chrono>

namespace tilescope::tests {

using namespace std::chrono_literals;

static constexpr auto kPause = 10ms;
/// About half a millisecond's work of the kind that a window does: small pieces of memory, strings.
static constexpr int kNumWords = 1500;

Metronome::Metronome() : m_thread([this](const std::stop_token &stop) { run(stop); }) {}

void Metronome::run(const std::stop_token &stop) {
  for (int number = 0; number < kNumWords; ++number)
    m_words.push_back("a word with the number " + std::to_string(number * 7919 % 10007));
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(kPause);
    beat();
  }
}

void Metronome::beat() {
  const ThreadTimer timer;
  std::vector<std::string> words = m_words;
  std::ranges::sort(words);
  words.clear();
  const TimeSpent spent = timer.spent();
  const std::scoped_lock lock(m_mutex);
  m_summary.elapsed.add(spent.elapsedMs);
  m_summary.work.add(spent.workMs);
  if (m_summary.usualMs <= 0 || spent.elapsedMs <= kSlow * m_summary.usualMs)
    return;
  ++m_summary.numSlow;
  m_slow.push_back({timer.begin(), Clock::now(), spent.elapsedMs / m_summary.usualMs});
}

void Metronome::begin() {
  const std::scoped_lock lock(m_mutex);
  m_summary = {m_summary.elapsed.quantileMs(0.5), {}, {}, 0};
  m_slow.clear();
}

double Metronome::slowness(Clock::time_point begin, Clock::time_point end) const {
  // The time from one beat to the next.
  const auto between = 2 * kPause;
  const std::scoped_lock lock(m_mutex);
  double slowest = 1;
  for (auto beat = m_slow.rbegin(); beat != m_slow.rend() && beat->end + between >= begin; ++beat)
    if (beat->begin <= end + between)
      slowest = std::max(slowest, beat->slowness);
  return slowest;
}

Metronome::Summary Metronome::summary() const {
  const std::scoped_lock lock(m_mutex);
  return m_summary;
}

} // namespace tilescope::tests
