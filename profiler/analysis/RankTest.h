// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <vector>

namespace tilescope::profiler {

/// Two samples that were taken under the same circumstances.
struct SamplePair {
  std::vector<double> before;
  std::vector<double> after;
};

struct RankTestResult {
  /// Pairs (b, a) of one stratum with a > b, those with a = b counted half; over all strata.
  double u = 0;
  /// Two-sided. 1 where there is nothing to compare.
  double pValue = 1;
  /// From all orders that there can be, else from the normal distribution.
  bool isExact = false;
};

/// The test of Mann and Whitney, whether one of two samples tends to larger values, within each of
/// several strata and over all of them (van Elteren's test). One stratum is the plain test.
///
///     before 1 2 4, after 3 5 6:   of the nine pairs, after is the larger in eight, so u = 8.
///     Of the 20 ways to call three of six ranks `before`, two give at least 8 and two at most 1:
///     p = 4 / 20 = 0.2.
///
/// Where the order inside each stratum was drawn at random, as for kernels that alternate in rounds,
/// the test is one of that order: it holds however the times of one launch depend on the last ones.
///
/// Equal values get the mean of their ranks. Up to 40 values in strata of equal sizes are counted
/// out, ties included (B. Streitberg and J. Röhmel, "Exact distributions for permutation and rank
/// tests", 1986); beyond that the normal distribution serves, with the variance corrected for ties
/// (E. L. Lehmann, "Nonparametrics", 1975, sections 1.4 and 3.3) and, for a single stratum, for
/// continuity.
RankTestResult mannWhitney(const std::vector<SamplePair> &strata);

} // namespace tilescope::profiler
