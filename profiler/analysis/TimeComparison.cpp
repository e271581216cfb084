// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/TimeComparison.h"

#include "profiler/data/Random.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace tilescope::profiler {

/// Of the times of two processes, so many of each are compared: enough for a few parts in a
/// thousand, and few enough for two thousand medians over all pairs.
static constexpr size_t kMostTimes = 512;

namespace {
/// Draws rounds with replacement, in runs of neighbors: what a round tells of the next one stays
/// together (H. R. Künsch, "The jackknife and the bootstrap for general stationary observations",
/// 1989; circular as of D. N. Politis and J. P. Romano, 1992).
class RoundDraw {
public:
  RoundDraw(size_t numRounds, uint64_t seed)
      : m_numRounds(numRounds), m_runLength(size_t(std::ceil(std::cbrt(double(numRounds))))),
        m_seed(seed) {}

  /// How often each round was drawn.
  std::vector<uint32_t> next() {
    std::vector<uint32_t> times(m_numRounds);
    for (size_t drawn = 0; drawn < m_numRounds;) {
      const auto first =
          size_t(randomUniform(m_seed, m_index++) * double(m_numRounds)) % m_numRounds;
      for (size_t i = 0; i < m_runLength && drawn < m_numRounds; ++i, ++drawn)
        ++times[(first + i) % m_numRounds];
    }
    return times;
  }

private:
  size_t m_numRounds;
  size_t m_runLength;
  uint64_t m_seed;
  uint64_t m_index = 0;
};

/// A value that counts as often as its round was drawn.
struct OfRound {
  double value = 0;
  size_t round = 0;
  bool operator<(const OfRound &other) const { return value < other.value; }
};
} // namespace

/// The median of sorted values, each counted as often as `times` says of its round.
static double weightedMedian(const std::vector<OfRound> &sorted,
                             const std::vector<uint32_t> &times) {
  uint64_t total = 0;
  for (const OfRound &each : sorted)
    total += times[each.round];
  if (total == 0)
    return 0;
  uint64_t below = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    below += times[sorted[i].round];
    if (2 * below > total)
      return sorted[i].value;
    if (2 * below < total)
      continue;
    size_t next = i + 1;
    while (times[sorted[next].round] == 0)
      ++next;
    return (sorted[i].value + sorted[next].value) / 2;
  }
  return sorted.back().value;
}

/// Ratios of the times of each round: pairs of one time of both.
static std::vector<OfRound> ratiosWithin(const TimeRounds &before, const TimeRounds &after) {
  std::vector<OfRound> ratios;
  for (size_t round = 0; round < std::min(before.size(), after.size()); ++round)
    for (const double earlier : before[round])
      for (const double later : after[round])
        ratios.push_back({later / earlier, round});
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

/// The times of one process, sorted; at most `kMostTimes`, evenly spread over its rounds.
static std::vector<OfRound> timesOf(const TimeRounds &rounds) {
  std::vector<OfRound> all;
  for (size_t round = 0; round < rounds.size(); ++round)
    for (const double time : rounds[round])
      all.push_back({time, round});
  std::vector<OfRound> kept;
  const size_t count = std::min(all.size(), kMostTimes);
  for (size_t i = 0; i < count; ++i)
    kept.push_back(all[i * all.size() / count]);
  std::sort(kept.begin(), kept.end());
  return kept;
}

/// The sorted times that were drawn, each as often as its round was.
static std::vector<double> drawnTimes(const std::vector<OfRound> &sorted,
                                      const std::vector<uint32_t> &times) {
  std::vector<double> drawn;
  for (const OfRound &each : sorted)
    drawn.insert(drawn.end(), times[each.round], each.value);
  return drawn;
}

/// Pairs whose ratio is at most `ratio`; both lists are sorted.
static uint64_t countPairs(const std::vector<double> &before, const std::vector<double> &after,
                           double ratio) {
  uint64_t count = 0;
  size_t end = 0;
  for (const double earlier : before) {
    while (end < after.size() && after[end] <= ratio * earlier)
      ++end;
    count += end;
  }
  return count;
}

/// The median of after / before over all pairs, to 1e-9, by halving: the pairs are too many to sort
/// them for every draw.
static double medianRatio(const std::vector<double> &before, const std::vector<double> &after) {
  if (before.empty() || after.empty())
    return 1;
  double low = after.front() / before.back(), high = after.back() / before.front();
  const uint64_t half = (uint64_t(before.size()) * after.size() + 1) / 2;
  while (high - low > 1e-9 * high) {
    const double middle = (low + high) / 2;
    (countPairs(before, after, middle) >= half ? high : low) = middle;
  }
  return (low + high) / 2;
}

namespace {
struct Estimate {
  double shift = 0;
  double low = 0;
  double high = 0;
};
} // namespace

/// The middle part of the bootstrapped values that has the confidence asked for.
static Estimate toEstimate(double value, std::vector<double> drawn, double confidence) {
  if (drawn.empty())
    return {value, value, value};
  std::sort(drawn.begin(), drawn.end());
  const double outside = (1 - confidence) / 2 * double(drawn.size());
  const auto first = std::min(size_t(outside), drawn.size() - 1);
  return {value, drawn[first], drawn[drawn.size() - 1 - first]};
}

static Estimate estimateWithin(const TimeRounds &before, const TimeRounds &after,
                               const TimeComparisonOptions &options) {
  const std::vector<OfRound> ratios = ratiosWithin(before, after);
  const size_t numRounds = std::min(before.size(), after.size());
  const double all = weightedMedian(ratios, std::vector<uint32_t>(numRounds, 1));
  RoundDraw draw(numRounds, options.seed);
  std::vector<double> drawn;
  for (int i = 0; i < options.resamples; ++i)
    drawn.push_back(weightedMedian(ratios, draw.next()));
  return toEstimate(all, std::move(drawn), options.confidence);
}

static Estimate estimateBetween(const TimeRounds &before, const TimeRounds &after,
                                const TimeComparisonOptions &options) {
  const std::vector<OfRound> earlier = timesOf(before), later = timesOf(after);
  const double all = medianRatio(drawnTimes(earlier, std::vector<uint32_t>(before.size(), 1)),
                                 drawnTimes(later, std::vector<uint32_t>(after.size(), 1)));
  RoundDraw drawBefore(before.size(), options.seed), drawAfter(after.size(), ~options.seed);
  std::vector<double> drawn;
  for (int i = 0; i < options.resamples; ++i)
    drawn.push_back(
        medianRatio(drawnTimes(earlier, drawBefore.next()), drawnTimes(later, drawAfter.next())));
  return toEstimate(all, std::move(drawn), options.confidence);
}

static std::vector<SamplePair> strataOf(const TimeRounds &before, const TimeRounds &after,
                                        bool together) {
  std::vector<SamplePair> strata;
  if (together) {
    for (size_t round = 0; round < std::min(before.size(), after.size()); ++round)
      strata.push_back({before[round], after[round]});
    return strata;
  }
  strata.emplace_back();
  for (const std::vector<double> &round : before)
    strata[0].before.insert(strata[0].before.end(), round.begin(), round.end());
  for (const std::vector<double> &round : after)
    strata[0].after.insert(strata[0].after.end(), round.begin(), round.end());
  return strata;
}

double TimeComparison::atMost() const {
  return std::max({std::fabs(low), std::fabs(high), resolution});
}

/// Without rounds in which nothing was measured; times that are no times are none.
static void dropEmptyRounds(TimeRounds &before, TimeRounds &after, bool together) {
  const auto isTime = [](double time) { return std::isfinite(time) && time > 0; };
  for (TimeRounds *rounds : {&before, &after})
    for (std::vector<double> &round : *rounds)
      std::erase_if(round, [&](double time) { return !isTime(time); });
  if (!together) {
    for (TimeRounds *rounds : {&before, &after})
      std::erase_if(*rounds, [](const std::vector<double> &round) { return round.empty(); });
    return;
  }
  TimeRounds keptBefore, keptAfter;
  for (size_t i = 0; i < std::min(before.size(), after.size()); ++i)
    if (!before[i].empty() && !after[i].empty()) {
      keptBefore.push_back(std::move(before[i]));
      keptAfter.push_back(std::move(after[i]));
    }
  before = std::move(keptBefore);
  after = std::move(keptAfter);
}

TimeComparison compareTimes(const TimeRounds &before, const TimeRounds &after,
                            const TimeComparisonOptions &options) {
  TimeRounds earlier = before, later = after;
  dropEmptyRounds(earlier, later, options.together);
  TimeComparison result;
  result.confidence = options.confidence;
  result.resolution = options.resolution;
  if (earlier.empty() || later.empty())
    return result;
  const Estimate estimate = options.together ? estimateWithin(earlier, later, options)
                                             : estimateBetween(earlier, later, options);
  result.shift = estimate.shift - 1;
  result.low = estimate.low - 1;
  result.high = estimate.high - 1;
  result.test = mannWhitney(strataOf(earlier, later, options.together));
  if (std::min(earlier.size(), later.size()) < kLeastRounds)
    return result;
  const bool isSignificant = result.test.pValue < 1 - options.confidence;
  if (isSignificant && result.low > options.resolution)
    result.verdict = TimeVerdict::Slower;
  else if (isSignificant && result.high < -options.resolution)
    result.verdict = TimeVerdict::Faster;
  else
    result.verdict = TimeVerdict::NoDifference;
  return result;
}

const char *verdictName(TimeVerdict verdict) {
  switch (verdict) {
  case TimeVerdict::Faster:
    return "faster";
  case TimeVerdict::Slower:
    return "slower";
  case TimeVerdict::NoDifference:
    return "no difference";
  case TimeVerdict::Undecided:
    return "undecided";
  }
  return "";
}

std::string verdictText(const TimeComparison &comparison) {
  switch (comparison.verdict) {
  case TimeVerdict::Faster:
    return fmt::format("{:.1f} % faster ({:.1f} to {:.1f} %)", -100 * comparison.shift,
                       -100 * comparison.high, -100 * comparison.low);
  case TimeVerdict::Slower:
    return fmt::format("{:.1f} % slower ({:.1f} to {:.1f} %)", 100 * comparison.shift,
                       100 * comparison.low, 100 * comparison.high);
  case TimeVerdict::NoDifference:
    // Rounded up: the digit that is shown must hold.
    return fmt::format("no difference above {:.1f} %",
                       std::ceil(comparison.atMost() * 1000 - 1e-9) / 10);
  case TimeVerdict::Undecided:
    return "too few launches to tell";
  }
  return {};
}

} // namespace tilescope::profiler
