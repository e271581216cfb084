// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/TimeComparison.h"

#include "profiler/data/Random.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using namespace tilescope::profiler;

namespace {

/// How the times of launches scatter.
struct NoiseKind {
  /// Standard deviations, in parts: of what one launch passes on to the next, and of each alone.
  double passedOn = 0.01;
  double own = 0.005;
  /// What is passed on, from 0 to 1.
  double memory = 0.95;
  /// Launches that take longer, by up to several times `tail`.
  double tailShare = 0.03;
  double tail = 0.2;
  /// Between the first launch and the last, in parts.
  double drift = 0.1;
};

/// Times of launches one after the other, as a device gives them.
class Noise {
public:
  Noise(const NoiseKind &kind, uint64_t seed, int numLaunches)
      : m_kind(kind), m_seed(seed), m_numLaunches(numLaunches) {}

  double next(double us) {
    m_state = m_kind.memory * m_state + std::sqrt(1 - m_kind.memory * m_kind.memory) *
                                            m_kind.passedOn * randomNormal(m_seed, m_index);
    double parts = 1 + m_state + m_kind.own * randomNormal(m_seed + 1, m_index) +
                   m_kind.drift * double(m_index) / m_numLaunches;
    if (randomUniform(m_seed + 2, m_index) < m_kind.tailShare)
      parts -= m_kind.tail * std::log(1 - randomUniform(m_seed + 3, m_index));
    ++m_index;
    // The clock of the records ticks every 32 ns.
    return std::round(us * parts / 0.032) * 0.032;
  }

private:
  NoiseKind m_kind;
  uint64_t m_seed;
  int m_numLaunches;
  uint64_t m_index = 0;
  double m_state = 0;
};

struct BothTimes {
  TimeRounds before, after;
};

constexpr int kPerRound = 5;

} // namespace

/// Rounds as the runner makes them: each in an order of its own.
static BothTimes alternate(const NoiseKind &kind, double beforeUs, double afterUs, uint64_t seed,
                           int numRounds = 60) {
  Noise noise(kind, seed * 1000, 2 * kPerRound * numRounds);
  BothTimes times;
  uint64_t drawn = 0;
  for (int round = 0; round < numRounds; ++round) {
    std::vector<int> order(2 * kPerRound);
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = int(i % 2);
    for (size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[randomBits(seed * 1000 + 7, drawn++) % i]);
    times.before.emplace_back();
    times.after.emplace_back();
    for (const int which : order)
      (which == 0 ? times.before : times.after)
          .back()
          .push_back(noise.next(which == 0 ? beforeUs : afterUs));
  }
  return times;
}

static const NoiseKind kKinds[] = {
    // Quiet, drifting with long memory, restless, and with frequent disturbances.
    {0.001, 0.001, 0.5, 0.001, 0.1, 0},
    {},
    {0.02, 0.02, 0.8, 0.05, 0.3, 0.02},
    {0.005, 0.005, 0.99, 0.15, 0.5, 0.15},
};

TEST_CASE("a kernel is rarely found to differ from itself", "[profiler]") {
  for (const NoiseKind &kind : kKinds) {
    int found = 0, foundWithoutResolution = 0;
    for (uint64_t run = 1; run <= 100; ++run) {
      const BothTimes times = alternate(kind, 100, 100, run);
      TimeComparisonOptions options;
      options.seed = run;
      options.resamples = 500;
      const auto isFound = [&] {
        const TimeVerdict verdict = compareTimes(times.before, times.after, options).verdict;
        return verdict == TimeVerdict::Faster || verdict == TimeVerdict::Slower;
      };
      found += isFound();
      options.resolution = 0;
      foundWithoutResolution += isFound();
    }
    INFO("noise " << (&kind - kKinds));
    CHECK(found <= 1);
    CHECK(foundWithoutResolution <= 5);
  }
}

TEST_CASE("2 % are found", "[profiler]") {
  for (const NoiseKind &kind : kKinds) {
    int slower = 0, faster = 0;
    for (uint64_t run = 1; run <= 100; ++run) {
      TimeComparisonOptions options;
      options.resamples = 500;
      const BothTimes up = alternate(kind, 100, 102, run);
      slower += compareTimes(up.before, up.after, options).verdict == TimeVerdict::Slower;
      const BothTimes down = alternate(kind, 102, 100, run);
      faster += compareTimes(down.before, down.after, options).verdict == TimeVerdict::Faster;
    }
    INFO("noise " << (&kind - kKinds));
    CHECK(slower >= 90);
    CHECK(faster >= 90);
  }
}

TEST_CASE("the interval holds the difference that was planted", "[profiler]") {
  int held = 0;
  for (uint64_t run = 1; run <= 200; ++run) {
    const BothTimes times = alternate({}, 100, 103, run);
    TimeComparisonOptions options;
    options.confidence = 0.9;
    options.resamples = 500;
    const TimeComparison comparison = compareTimes(times.before, times.after, options);
    held += comparison.low <= 0.03 && comparison.high >= 0.03;
  }
  // 180 are expected, with a standard deviation of 4.
  CHECK(held >= 168);
  CHECK(held <= 196);
}

TEST_CASE("the shift is the median over pairs of a round", "[profiler]") {
  const TimeRounds before = {{100, 101}, {120, 121}}, after = {{98, 99}, {118, 117}};
  const TimeComparison comparison = compareTimes(before, after);
  // 0.967, 0.970, 0.975, 118/121 = 0.9752, 98/100 = 0.980, 0.9802, 0.983, 0.990
  CHECK(comparison.shift == Approx((118.0 / 121 + 98.0 / 100) / 2 - 1));
  CHECK(comparison.verdict == TimeVerdict::Undecided);
  CHECK(verdictText(comparison) == "too few launches to tell");
}

TEST_CASE("times of two processes are compared pair by pair", "[profiler]") {
  TimeComparisonOptions options;
  options.together = false;
  // SciPy: numpy.median over y / x of both lists.
  const TimeRounds before = {{19.1}, {22.4}, {16.3}, {29.5}, {24.2}};
  const TimeRounds after = {{20.3}, {11.2}, {15.9}, {17.7}, {12.6}, {14.8}};
  const TimeComparison comparison = compareTimes(before, after, options);
  CHECK(comparison.shift == Approx(0.6876260788187585 - 1).epsilon(0.02));
  CHECK(comparison.test.pValue == Approx(0.030303030303030304));

  NoiseKind calm;
  calm.drift = 0;
  const BothTimes slow = alternate(calm, 100, 110, 3), fast = alternate(calm, 100, 110, 4);
  const TimeComparison slower = compareTimes(fast.before, slow.after, options);
  CHECK(slower.verdict == TimeVerdict::Slower);
  CHECK(slower.shift == Approx(0.1).margin(0.02));
  CHECK(compareTimes(fast.before, slow.before, options).verdict == TimeVerdict::NoDifference);
}

TEST_CASE("verdicts say what was found and what was not", "[profiler]") {
  const auto rounds = [](double us) { return TimeRounds(20, std::vector<double>(5, us)); };
  const TimeComparison none = compareTimes(rounds(50), rounds(50));
  CHECK(none.verdict == TimeVerdict::NoDifference);
  CHECK(verdictText(none) == "no difference above 0.5 %");
  CHECK(verdictText(compareTimes(rounds(50), rounds(51))) == "2.0 % slower (2.0 to 2.0 %)");
  CHECK(verdictText(compareTimes(rounds(50), rounds(40))) == "20.0 % faster (20.0 to 20.0 %)");
  // A difference below the resolution is none, however sure it is.
  CHECK(compareTimes(rounds(50), rounds(50.2)).verdict == TimeVerdict::NoDifference);
  TimeComparisonOptions fine;
  fine.resolution = 0.001;
  CHECK(compareTimes(rounds(50), rounds(50.2), fine).verdict == TimeVerdict::Slower);
  CHECK(compareTimes({}, rounds(50)).verdict == TimeVerdict::Undecided);
  CHECK(compareTimes({{0, -1}}, rounds(50)).verdict == TimeVerdict::Undecided);
}

TEST_CASE("a comparison is the same each time", "[profiler]") {
  const BothTimes times = alternate({}, 100, 101, 11);
  const TimeComparison first = compareTimes(times.before, times.after);
  const TimeComparison second = compareTimes(times.before, times.after);
  CHECK(first.low == second.low);
  CHECK(first.high == second.high);
  TimeComparisonOptions other;
  other.seed = 1;
  CHECK(compareTimes(times.before, times.after, other).low != first.low);
}
