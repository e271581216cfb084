// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Comparison.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace tilescope::profiler;

static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

static Tensor tensor(Dtype dtype, std::vector<int64_t> shape, const std::vector<double> &values) {
  Tensor result = makeTensor(dtype, std::move(shape), TensorInit{TensorInit::Kind::Zeros});
  for (size_t i = 0; i < values.size(); ++i)
    result.set(int64_t(i), values[i]);
  return result;
}

/// What is known of expected numbers whose terms have these sizes.
static ExpectedTerms termsOf(const Tensor &exact, const Tensor &sizes) {
  const Tensor none = makeTensor(Dtype::Fp32, exact.shape, {TensorInit::Kind::Zeros});
  return {exact, sizes, none, none};
}

TEST_CASE("ranges are those of results before they are rounded", "[profiler]") {
  // Between 1 and 1.125, the next number of the type, in the middle, and near the first.
  const Tensor exact = tensor(Dtype::Fp64, {3}, {1.0625, 1.0624, 1.01});
  Tensor expected = tensor(Dtype::Fp8e4nv, {3}, {1.0625, 1.0624, 1.01});
  ExpectedTerms terms = termsOf(exact, tensor(Dtype::Fp32, {3}, {1, 1, 1}));
  ComparisonOptions options;
  options.terms = &terms;
  const auto passes = [&](double first, double second, double third) {
    return compareTensors(tensor(Dtype::Fp8e4nv, {3}, {first, second, third}), expected, options)
        .ok();
  };
  CHECK(passes(1, 1, 1));
  CHECK(passes(1.125, 1, 1));
  CHECK_FALSE(passes(0.9375, 1, 1));
  CHECK_FALSE(passes(1, 1.125, 1));
  CHECK_FALSE(passes(1, 1, 1.125));
  // Integers with bounds on one side.
  const Tensor whole = tensor(Dtype::Int8, {2}, {2, 2});
  terms = termsOf(whole, tensor(Dtype::Fp32, {2}, {0, 0}));
  terms.above.set(0, 1);
  const auto integersPass = [&](double first, double second) {
    return compareTensors(tensor(Dtype::Int8, {2}, {first, second}), whole, options).ok();
  };
  CHECK(integersPass(2, 2));
  CHECK(integersPass(3, 2));
  CHECK_FALSE(integersPass(1, 2));
  CHECK_FALSE(integersPass(2, 3));
}

TEST_CASE("ends of ranges are numbers of the type, rounded as memory rounds them", "[profiler]") {
  std::vector<double> values = {0,   1,       65504,   65519,   65520,
                                1e6, 0x1p-14, 0x1p-24, 0x1p-25, 0x1.8p-25};
  // Halfway between numbers of either type, and a bit beside that, from the smallest on.
  for (const double size : {0x1p-126, 0x1p-20, 0x1p-14, 0x1p-3, 1.0, 0x1p9, 0x1p15, 0x1p120})
    for (const double share :
         {0x1p-7, 0x1p-8, 0x1.8p-7, 0x1p-10, 0x1p-11, 0x1.8p-10, 0x1.000001p-11})
      values.insert(values.end(), {size * (1 + share), -size * (1 + share), size * (2 - share)});
  const auto count = static_cast<int64_t>(values.size());
  const Tensor exact = tensor(Dtype::Fp64, {count}, values);
  const ExpectedTerms terms = termsOf(exact, tensor(Dtype::Fp32, {count}, {}));
  ComparisonOptions options;
  options.terms = &terms;
  options.relativeTolerance = options.absoluteTolerance = 0;
  for (const Dtype dtype : {Dtype::Fp16, Dtype::Bf16, Dtype::Fp8e5}) {
    const Tensor held = tensor(dtype, {count}, values);
    const auto ranges = elementRanges(held, options);
    REQUIRE(ranges);
    for (int64_t i = 0; i < count; ++i) {
      INFO(values[size_t(i)]);
      CHECK(ranges->least.at(i) == held.at(i));
      CHECK(ranges->most.at(i) == held.at(i));
    }
  }
}

TEST_CASE("elements that cannot be expected are left out and counted", "[profiler]") {
  const Tensor expected = tensor(Dtype::Int8, {3}, {2, 0, 4});
  const ExpectedTerms terms =
      termsOf(tensor(Dtype::Fp64, {3}, {2, kNan, 4}), tensor(Dtype::Fp32, {3}, {0, 0, 0}));
  ComparisonOptions options;
  options.terms = &terms;
  const OutputComparison left =
      compareTensors(tensor(Dtype::Int8, {3}, {2, 9, 4}), expected, options);
  CHECK(left.ok());
  CHECK(left.undefined == 1);
  CHECK(doubtText(left) == ", but 1 of 3 elements is left out");
  CHECK(toleranceText(left) ==
        "equal values pass; 1 of 3 elements is left out, where what is expected is not a number");
  CHECK(compareTensors(tensor(Dtype::Int8, {3}, {2, 9, 5}), expected, options).mismatches == 1);
}
