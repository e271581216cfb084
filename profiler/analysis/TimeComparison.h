// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/RankTest.h"

#include <cstdint>
#include <string>
#include <vector>

/// Whether one kernel is faster than another, from times of many launches of both.
///
/// Clocks, temperature and other users of a machine change the times of both alike, and slowly. So
/// both are measured in *rounds*: in each, every kernel is launched a few times, in an order that is
/// drawn anew. Times are compared within rounds only, and what changes between rounds cancels:
///
///     round          1          2 (the clock fell)
///     before         100 101    120 121
///     after           98  99    118 117
///     after/before   0.980 0.990 0.970 0.980    0.983 0.975 0.975 0.967     median 0.978
namespace tilescope::profiler {

/// Times of one kernel in microseconds: [round, launch].
using TimeRounds = std::vector<std::vector<double>>;

struct TimeComparisonOptions {
  /// Round i of both took place together; else they are of two processes, and each time of one is
  /// compared with each of the other.
  bool together = true;
  /// Of the interval and, as its complement, of the test.
  double confidence = 0.99;
  /// Differences up to this part count as none: a kernel that is loaded twice differs by as much
  /// from itself, depending on where its code and data lie.
  double resolution = 0.005;
  int resamples = 2000;
  uint64_t seed = 0;
};

enum class TimeVerdict : uint8_t {
  /// `after` takes less time, by more than the resolution.
  Faster,
  Slower,
  /// None that is larger than `TimeComparison::atMost`.
  NoDifference,
  /// Too few rounds to say anything.
  Undecided,
};

struct TimeComparison {
  TimeVerdict verdict = TimeVerdict::Undecided;
  /// The time of `after` over that of `before`, minus 1: the Hodges–Lehmann estimate, which is the
  /// median over pairs of one time of each.
  double shift = 0;
  /// Its interval, by bootstrap over runs of rounds.
  double low = 0;
  double high = 0;
  double confidence = 0.99;
  double resolution = 0;
  RankTestResult test;

  /// The largest difference that the interval leaves possible, in parts; at least the resolution.
  double atMost() const;
};

/// Rounds below which there is no verdict.
inline constexpr size_t kLeastRounds = 8;

/// A difference is found when the interval lies beyond the resolution and the test, at the level of
/// the interval, says so, too.
TimeComparison compareTimes(const TimeRounds &before, const TimeRounds &after,
                            const TimeComparisonOptions &options = {});

/// `2.0 % slower (1.8 to 2.2 %)`, `no difference above 0.5 %`: `after` as seen from `before`.
std::string verdictText(const TimeComparison &comparison);
/// `faster`, `slower`, `no difference`, `undecided`.
const char *verdictName(TimeVerdict verdict);

} // namespace tilescope::profiler
