// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/ConsistentBias.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

using namespace tilescope::profiler;

static constexpr int64_t kMany = 4096;
static constexpr double kBf16 = 1.0 / 128;

static Tensor numbers(Dtype dtype, const std::function<double(int64_t)> &of,
                      int64_t count = kMany) {
  Tensor tensor{dtype, {count}, {}};
  tensor.data.resize(static_cast<size_t>(count) * dtypeSize(dtype));
  for (int64_t i = 0; i < count; ++i)
    tensor.set(i, of(i));
  return tensor;
}

/// Between -2 and 2, without order.
static double some(int64_t i) { return std::sin(double(i) * 12.9898) * 2; }

/// All elements, rounded to bf16 as they are stored.
static std::optional<double> biasOf(const std::function<double(double)> &kernel) {
  return consistentBias(numbers(Dtype::Bf16, [&](int64_t i) { return kernel(some(i)); }),
                        numbers(Dtype::Fp64, some), kBf16);
}

TEST_CASE("roundings to the nearest number cancel out, and a factor does not", "[analysis]") {
  CHECK_FALSE(biasOf([](double x) { return x; }));
  const auto larger = biasOf([](double x) { return 1.0119 * x; });
  REQUIRE(larger);
  CHECK(*larger == Approx(0.0119).epsilon(0.05));
  const auto smaller = biasOf([](double x) { return 0.99 * x; });
  REQUIRE(smaller);
  CHECK(*smaller == Approx(-0.01).epsilon(0.05));
  // A constant that is rounded once.
  CHECK_FALSE(biasOf([](double x) { return 1.003 * x; }));
}

TEST_CASE("a factor shows in fp32 although all elements are within what is allowed", "[analysis]") {
  const auto biasOfFactor = [](double factor) {
    return consistentBias(numbers(Dtype::Fp32, [=](int64_t i) { return factor * some(i); }),
                          numbers(Dtype::Fp64, some), 0x1p-23);
  };
  // A mean of 30,000 numbers that is divided by 29,999.
  REQUIRE(biasOfFactor(30000.0 / 29999.0));
  CHECK(*biasOfFactor(30000.0 / 29999.0) == Approx(1 / 29999.0).epsilon(0.05));
  CHECK_FALSE(biasOfFactor(1.000002));
}

TEST_CASE("a mean of each of twenty rows that lacks a column is too small in all of them",
          "[analysis]") {
  const auto biasOfRows = [](int64_t numRows) {
    const auto mean = [](int64_t i) { return 3 + some(i) / 100; };
    return consistentBias(numbers(
                              Dtype::Fp32,
                              [&](int64_t i) { return mean(i) - (3 + some(i + 99) / 2) / 16000; },
                              numRows),
                          numbers(Dtype::Fp64, mean, numRows), 0x1p-23);
  };
  REQUIRE(biasOfRows(20));
  CHECK(*biasOfRows(20) == Approx(-1 / 16000.0).epsilon(0.25));
  // Too few to tell.
  CHECK_FALSE(biasOfRows(6));
}

TEST_CASE("errors that depend on chance, or on few numbers, are no bias", "[analysis]") {
  CHECK_FALSE(biasOf([](double x) { return x + 0.02 * std::sin(x * 5000); }));
  const auto two = [](int64_t i) { return i % 2 ? 1.0 : 3.0; };
  CHECK_FALSE(consistentBias(numbers(Dtype::Fp32, [&](int64_t i) { return 1.02 * two(i); }),
                             numbers(Dtype::Fp64, two), kBf16));
  // One element is as large as all others.
  const auto outlier = [](int64_t i) { return i == 7 ? 1e4 : some(i); };
  CHECK_FALSE(
      consistentBias(numbers(Dtype::Fp32, [&](int64_t i) { return i == 7 ? 1.02e4 : some(i); }),
                     numbers(Dtype::Fp64, outlier), kBf16));
  // What is no number is left out.
  const auto holes = [](int64_t i) { return i % 2 ? std::nan("") : some(i); };
  CHECK(consistentBias(numbers(Dtype::Fp32, [](int64_t i) { return 1.02 * some(i); }),
                       numbers(Dtype::Fp64, holes), kBf16));
}
