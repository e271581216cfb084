// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/RankTest.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilescope::profiler {

static constexpr size_t kMostExact = 40;

namespace {
/// One stratum with its values in ranks.
struct RankedPair {
  size_t numBefore = 0;
  size_t numAfter = 0;
  /// Twice the rank of every value, from 2 on: the mean of ranks is a half or whole.
  std::vector<int64_t> doubled;
  int64_t doubledSumAfter = 0;
  /// Sum of t³ - t over groups of t equal values.
  double ties = 0;

  size_t size() const { return numBefore + numAfter; }
  double u() const {
    return double(doubledSumAfter) / 2 - double(numAfter) * double(numAfter + 1) / 2;
  }
  double meanU() const { return double(numBefore) * double(numAfter) / 2; }
  double varianceU() const;
};

/// How many orders lead to a doubled sum of ranks; the index is the sum.
using Counts = std::vector<double>;
} // namespace

double RankedPair::varianceU() const {
  const auto n = double(size());
  return double(numBefore) * double(numAfter) / 12 * (n + 1 - ties / (n * (n - 1)));
}

static RankedPair rankPair(const SamplePair &pair) {
  RankedPair ranked;
  ranked.numBefore = pair.before.size();
  ranked.numAfter = pair.after.size();
  std::vector<std::pair<double, bool>> values;
  for (const double value : pair.before)
    values.emplace_back(value, false);
  for (const double value : pair.after)
    values.emplace_back(value, true);
  std::sort(values.begin(), values.end());
  for (size_t begin = 0; begin < values.size();) {
    size_t end = begin;
    while (end < values.size() && values[end].first == values[begin].first)
      ++end;
    const auto equal = double(end - begin);
    ranked.ties += equal * equal * equal - equal;
    for (size_t i = begin; i < end; ++i) {
      ranked.doubled.push_back(int64_t(begin + end + 1));
      if (values[i].second)
        ranked.doubledSumAfter += ranked.doubled.back();
    }
    begin = end;
  }
  return ranked;
}

/// Over all ways to call `numAfter` of the values `after`.
static Counts countSums(const RankedPair &ranked) {
  const auto total = size_t(std::accumulate(ranked.doubled.begin(), ranked.doubled.end(), 0LL));
  std::vector<Counts> chosen(ranked.numAfter + 1, Counts(total + 1));
  chosen[0][0] = 1;
  for (const int64_t rank : ranked.doubled)
    for (size_t count = ranked.numAfter; count-- > 0;)
      for (size_t sum = 0; sum + size_t(rank) <= total; ++sum)
        chosen[count + 1][sum + size_t(rank)] += chosen[count][sum];
  return std::move(chosen.back());
}

static Counts convolve(const Counts &left, const Counts &right) {
  Counts result(left.size() + right.size() - 1);
  for (size_t i = 0; i < left.size(); ++i)
    if (left[i] != 0)
      for (size_t j = 0; j < right.size(); ++j)
        result[i + j] += left[i] * right[j];
  return result;
}

static double exactPValue(const std::vector<RankedPair> &strata) {
  Counts counts = {1};
  int64_t observed = 0;
  for (const RankedPair &each : strata) {
    counts = convolve(counts, countSums(each));
    observed += each.doubledSumAfter;
  }
  double all = 0, atMost = 0, atLeast = 0;
  for (size_t sum = 0; sum < counts.size(); ++sum) {
    all += counts[sum];
    if (int64_t(sum) <= observed)
      atMost += counts[sum];
    if (int64_t(sum) >= observed)
      atLeast += counts[sum];
  }
  return std::min(1.0, 2 * std::min(atMost, atLeast) / all);
}

static double normalPValue(const std::vector<RankedPair> &strata) {
  double distance = 0, variance = 0;
  for (const RankedPair &each : strata) {
    // Van Elteren's weights: strata of any size count by what they tell.
    const double weight = strata.size() == 1 ? 1 : 1 / double(each.size() + 1);
    distance += weight * (each.u() - each.meanU());
    variance += weight * weight * each.varianceU();
  }
  if (variance <= 0)
    return 1;
  const double continuity = strata.size() == 1 ? 0.5 : 0;
  const double z = std::max(0.0, std::fabs(distance) - continuity) / std::sqrt(variance);
  return std::erfc(z / std::sqrt(2.0));
}

RankTestResult mannWhitney(const std::vector<SamplePair> &strata) {
  std::vector<RankedPair> ranked;
  for (const SamplePair &pair : strata)
    if (!pair.before.empty() && !pair.after.empty())
      ranked.push_back(rankPair(pair));
  RankTestResult result;
  if (ranked.empty())
    return result;
  size_t size = 0;
  for (const RankedPair &each : ranked) {
    result.u += each.u();
    size += each.size();
  }
  const bool areAlike = std::all_of(ranked.begin(), ranked.end(), [&](const RankedPair &each) {
    return each.size() == ranked.front().size();
  });
  result.isExact = areAlike && size <= kMostExact;
  result.pValue = result.isExact ? exactPValue(ranked) : normalPValue(ranked);
  return result;
}

} // namespace tilescope::profiler
