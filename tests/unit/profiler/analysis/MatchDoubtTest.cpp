// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Comparison.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

using namespace tilescope::profiler;

static Tensor ofNumbers(const std::vector<double> &values) {
  const auto size = static_cast<int64_t>(values.size());
  Tensor tensor = makeTensor(Dtype::Fp32, {size}, {.kind = TensorInit::Kind::Zeros});
  for (int64_t i = 0; i < size; ++i)
    tensor.set(i, values[static_cast<size_t>(i)]);
  return tensor;
}

/// What is known of expected numbers whose terms have these sizes.
static ExpectedTerms termsOf(const Tensor &expected, const Tensor &sizes) {
  const Tensor none = makeTensor(Dtype::Fp32, expected.shape, {.kind = TensorInit::Kind::Zeros});
  return {expected, sizes, none, none};
}

TEST_CASE("a match is in doubt where 0 would have passed for many elements", "[profiler]") {
  std::vector<double> values(100, 1.0), terms(100, 1.0);
  const auto compared = [&](int numLoose) {
    std::fill(terms.begin(), terms.begin() + numLoose, 1e7);
    std::fill(terms.begin() + numLoose, terms.end(), 1);
    const Tensor expected = ofNumbers(values);
    const ExpectedTerms known = termsOf(expected, ofNumbers(terms));
    ComparisonOptions options;
    options.terms = &known;
    return compareTensors(expected, expected, options);
  };
  CHECK(compared(10).doubt == MatchDoubt::None);
  CHECK(compared(10).indistinct == 10);
  CHECK(compared(11).doubt == MatchDoubt::Tolerance);
  CHECK(doubtText(compared(11)) ==
        " within a tolerance so large that 0 would pass for 11 elements, too");
  // What is 0, or too small for all bits of the mantissa, does not count.
  values.assign(100, 0);
  CHECK(compared(100).indistinct == 0);
  values.assign(100, 1e-40);
  CHECK(compared(100).doubt == MatchDoubt::None);
}

TEST_CASE("a match is in doubt where most elements may be off by a large part", "[profiler]") {
  const auto compared = [](int numLoose, double share) {
    std::vector<double> values(100, 3.0), off(100, 0.001);
    std::fill(off.begin(), off.begin() + numLoose, 3 * share);
    const Tensor expected = ofNumbers(values), none = ofNumbers(std::vector<double>(100, 0));
    const ExpectedTerms known{expected, none, ofNumbers(off), none};
    ComparisonOptions options;
    options.terms = &known;
    return compareTensors(expected, expected, options);
  };
  CHECK(compared(100, 0.04).doubt == MatchDoubt::None);
  CHECK(compared(50, 0.06).doubt == MatchDoubt::None);
  CHECK(compared(51, 0.06).doubt == MatchDoubt::Tolerance);
  CHECK(doubtText(compared(51, 0.06)) ==
        " within a tolerance of more than 5 % of what is expected, at 51 elements");
}
