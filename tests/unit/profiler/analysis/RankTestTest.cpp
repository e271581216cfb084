// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Values of SciPy 1.17: mannwhitneyu(after, before) with `method="exact"` or `"asymptotic"`; with
// ties, permutation_test over all orders; strata by the sum of what mannwhitneyu gives for each
// order of each, and by its statistic with the tie correction and van Elteren's weights.
#include "profiler/analysis/RankTest.h"

#include <catch2/catch.hpp>

using namespace tilescope::profiler;

static void check(const std::vector<SamplePair> &strata, double u, double pValue, bool isExact) {
  const RankTestResult result = mannWhitney(strata);
  CHECK(result.u == u);
  CHECK(result.pValue == Approx(pValue).epsilon(1e-9));
  CHECK(result.isExact == isExact);
}

/// first + ((i * factor + offset) % modulus) * step, `count` values: exact in binary.
static std::vector<double> pattern(int count, double first, int factor, int offset, int modulus,
                                   double step) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i)
    values.push_back(first + (i * factor + offset) % modulus * step);
  return values;
}

TEST_CASE("small samples are counted out", "[profiler]") {
  check({{{1, 2, 4}, {3, 5, 6}}}, 8, 0.2, true);
  check({{{19.1, 22.4, 16.3, 29.5, 24.2}, {20.3, 11.2, 15.9, 17.7, 12.6, 14.8}}}, 3,
        0.030303030303030304, true);
}

TEST_CASE("ties are counted out, too", "[profiler]") {
  check({{{1, 1, 2, 2, 3, 5}, {2, 3, 3, 4, 6, 6, 7}}}, 35, 0.05128205128205128, true);
  check({{{2, 2, 2}, {2, 2, 2}}}, 4.5, 1, true);
}

TEST_CASE("large samples follow the normal distribution, with ties and continuity", "[profiler]") {
  check({{pattern(30, 100, 37, 0, 23, 0.5), pattern(25, 101, 29, 0, 19, 0.5)}}, 365.5,
        0.8789626158743478, false);
  check({{pattern(60, 100, 37, 0, 101, 0.125), pattern(60, 100.5, 53, 0, 97, 0.15625)}}, 2132,
        0.08186816082684745, false);
  CHECK(mannWhitney({{std::vector<double>(30, 7), std::vector<double>(30, 7)}}).pValue == 1);
}

TEST_CASE("strata are compared inside and summed", "[profiler]") {
  check({{{5.1, 6.0, 5.4}, {5.2, 6.3, 6.6}},
         {{7.0, 7.7, 7.2}, {7.4, 8.0, 8.1}},
         {{4.4, 4.5, 5.0}, {4.6, 5.1, 4.7}}},
        22, 0.041, true);
  std::vector<SamplePair> strata;
  for (int s = 0; s < 12; ++s)
    strata.push_back({pattern(5, 50 + 3 * s, 7, s * 5, 11, 0.25),
                      pattern(5, 50.75 + 3 * s, 5, s * 3, 13, 0.25)});
  check(strata, 232, 6.785066399607846e-07, false);
}

TEST_CASE("a level that changes between strata hides nothing", "[profiler]") {
  // The second of each pair is larger; the levels differ by far more.
  std::vector<SamplePair> strata;
  SamplePair pooled;
  for (int s = 0; s < 15; ++s) {
    strata.push_back({{100.0 + 10 * s}, {101.0 + 10 * s}});
    pooled.before.push_back(100.0 + 10 * s);
    pooled.after.push_back(101.0 + 10 * s);
  }
  CHECK(mannWhitney(strata).pValue == Approx(2.0 / 32768));
  CHECK(mannWhitney({pooled}).pValue > 0.5);
}

TEST_CASE("without two samples there is nothing to find", "[profiler]") {
  CHECK(mannWhitney({}).pValue == 1);
  CHECK(mannWhitney({{{1, 2}, {}}}).pValue == 1);
  // A stratum with one sample alone says nothing, and does not disturb the others.
  check({{{1, 2, 4}, {3, 5, 6}}, {{9}, {}}}, 8, 0.2, true);
}
