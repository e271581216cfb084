// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Comparison.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace tilescope::profiler;

static Tensor tensor(Dtype dtype, std::vector<int64_t> shape, const std::vector<double> &values) {
  Tensor result = makeTensor(dtype, std::move(shape), TensorInit{TensorInit::Kind::Zeros});
  for (size_t i = 0; i < values.size(); ++i)
    result.set(int64_t(i), values[i]);
  return result;
}

static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
static constexpr double kInf = std::numeric_limits<double>::infinity();

TEST_CASE("equal tensors match", "[profiler]") {
  Tensor a = tensor(Dtype::Fp32, {2, 2}, {1, -2, kInf, 0});
  OutputComparison result = compareTensors(a, a);
  CHECK(result.ok());
  CHECK(result.maxAbsError == 0);
  CHECK(result.relErrorInNorm == 0);
}

TEST_CASE("the first and the worst mismatch are told with their coordinates", "[profiler]") {
  OutputComparison result = compareTensors(tensor(Dtype::Fp32, {2, 3}, {1, 2, 3, 4.5, 5, 9}),
                                           tensor(Dtype::Fp32, {2, 3}, {1, 2, 3, 4, 5, 6}));
  CHECK(result.mismatches == 2);
  CHECK(result.firstMismatch == std::vector<int64_t>{1, 0});
  CHECK(result.firstActual == 4.5);
  CHECK(result.firstExpected == 4);
  CHECK(result.worst == std::vector<int64_t>{1, 2});
  CHECK(result.maxAbsError == 3);
  CHECK(result.maxRelError == 0.5);
  CHECK(result.relErrorInNorm == Approx(std::sqrt(9.25 / 91)));
}

TEST_CASE("NaN never passes", "[profiler]") {
  Tensor nan = tensor(Dtype::Fp32, {2}, {1, kNan}), number = tensor(Dtype::Fp32, {2}, {1, 2});
  for (const auto &[actual, expected] :
       {std::pair(nan, nan), std::pair(nan, number), std::pair(number, nan)}) {
    OutputComparison result = compareTensors(actual, expected);
    CHECK(result.mismatches == 1);
    CHECK(result.firstMismatch == std::vector<int64_t>{1});
    CHECK(result.maxAbsError == kInf);
  }
}

TEST_CASE("infinities pass only against themselves", "[profiler]") {
  Tensor inf = tensor(Dtype::Fp16, {1}, {kInf});
  CHECK(compareTensors(inf, inf).ok());
  CHECK_FALSE(compareTensors(inf, tensor(Dtype::Fp16, {1}, {-kInf})).ok());
  CHECK_FALSE(compareTensors(inf, tensor(Dtype::Fp16, {1}, {65504})).ok());
  CHECK_FALSE(compareTensors(tensor(Dtype::Fp16, {1}, {65504}), inf).ok());
}

TEST_CASE("elements that neither side wrote are counted apart", "[profiler]") {
  Tensor poison = makeTensor(Dtype::Fp32, {3}, {});
  Tensor half = poison;
  half.set(0, 1);
  ComparisonOptions options;
  options.poisoned = true;
  OutputComparison both = compareTensors(half, half, options);
  CHECK(both.ok());
  CHECK(both.unwritten == 2);
  OutputComparison one = compareTensors(half, poison, options);
  CHECK(one.mismatches == 1);
  CHECK(compareTensors(poison, poison).mismatches == 3);
}

TEST_CASE("integers must be equal, also beyond what doubles hold", "[profiler]") {
  Tensor a = makeTensor(Dtype::Int64, {1}, {}), b = a;
  a.set(0, 0x1p60);
  b.set(0, 0x1p60);
  CHECK(compareTensors(a, b).ok());
  b.data[0] = std::byte(1);
  OutputComparison result = compareTensors(a, b);
  CHECK(result.mismatches == 1);
  CHECK(result.maxAbsError == 1);
}

TEST_CASE("tolerances follow the type unless given", "[profiler]") {
  auto off = [](Dtype dtype, double error) {
    return compareTensors(tensor(dtype, {1}, {1 + error}), tensor(dtype, {1}, {1})).mismatches;
  };
  CHECK(off(Dtype::Fp32, 1e-5) == 0);
  CHECK(off(Dtype::Fp32, 1e-3) == 1);
  CHECK(off(Dtype::Fp16, 0x1p-9) == 0);
  CHECK(off(Dtype::Fp16, 0x1p-6) == 1);
  ComparisonOptions strict;
  strict.relativeTolerance = 0;
  strict.absoluteTolerance = 0;
  CHECK_FALSE(
      compareTensors(tensor(Dtype::Fp32, {1}, {1 + 0x1p-23}), tensor(Dtype::Fp32, {1}, {1}), strict)
          .ok());
}

TEST_CASE("tensors of different shape or type cannot be compared", "[profiler]") {
  Tensor a = tensor(Dtype::Fp32, {2}, {});
  CHECK_FALSE(compareTensors(a, tensor(Dtype::Fp32, {1, 2}, {})).fault.empty());
  CHECK_FALSE(compareTensors(a, tensor(Dtype::Fp16, {2}, {})).ok());
}

TEST_CASE("a summary counts what is not a number apart", "[profiler]") {
  TensorSummary summary = summarizeTensor(tensor(Dtype::Fp32, {5}, {1, kNan, kInf, -3, 8}), false);
  CHECK(summary.numFinite == 3);
  CHECK(summary.numNan == 1);
  CHECK(summary.numInfinite == 1);
  CHECK(summary.least == -3);
  CHECK(summary.most == 8);
  CHECK(summary.mean == 2);
  Tensor poison = makeTensor(Dtype::Fp32, {3}, {});
  CHECK(summarizeTensor(poison, true).numUnwritten == 3);
  CHECK(summarizeTensor(poison, false).numNan == 3);
}
