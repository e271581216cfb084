// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Tensor.h"

#include "profiler/data/Random.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace tilescope::profiler;
using Kind = TensorInit::Kind;

static TensorInit init(Kind kind, uint64_t seed = 0) {
  TensorInit result;
  result.kind = kind;
  result.seed = seed;
  return result;
}

TEST_CASE("the data do not depend on the number of threads", "[profiler]") {
  for (Kind kind : {Kind::Randn, Kind::Rand, Kind::Randint, Kind::Offsets, Kind::Poison})
    CHECK(makeTensor(Dtype::Fp32, {1000, 301}, init(kind, 5), 1) ==
          makeTensor(Dtype::Fp32, {1000, 301}, init(kind, 5), 4));
}

TEST_CASE("an element is the random number of its index", "[profiler]") {
  Tensor tensor = makeTensor(Dtype::Fp64, {300001}, init(Kind::Randn, 5), 3);
  for (int64_t i : {0, 1, 2, 99999, 100000, 100001, 200000, 300000})
    CHECK(tensor.at(i) == randomNormal(5, uint64_t(i)));
}

TEST_CASE("seeds give different data, dtypes the same numbers rounded", "[profiler]") {
  Tensor a = makeTensor(Dtype::Fp64, {64}, init(Kind::Randn, 0));
  Tensor b = makeTensor(Dtype::Fp64, {64}, init(Kind::Randn, 1));
  Tensor half = makeTensor(Dtype::Fp16, {64}, init(Kind::Randn, 0));
  CHECK(a.data != b.data);
  for (int64_t i = 0; i < 64; ++i)
    CHECK(std::fabs(half.at(i) - a.at(i)) <= std::fabs(a.at(i)) * 0x1p-11 + 1e-7);
}

TEST_CASE("constant kinds hold what their names say", "[profiler]") {
  CHECK(makeTensor(Dtype::Int32, {3}, init(Kind::Zeros)).at(2) == 0);
  CHECK(makeTensor(Dtype::Bf16, {3}, init(Kind::Ones)).at(2) == 1);
  CHECK(makeTensor(Dtype::Int64, {2, 3}, init(Kind::Arange)).at(5) == 5);
  TensorInit full = init(Kind::Full);
  full.value = -2.5;
  CHECK(makeTensor(Dtype::Fp16, {4}, full).at(3) == -2.5);
  CHECK(std::isnan(makeTensor(Dtype::Fp32, {4}, init(Kind::Poison)).at(0)));
}

TEST_CASE("a range begins at its first number, and each is as much more as is said", "[profiler]") {
  TensorInit rows = init(Kind::Arange, 0);
  rows.scale = 20;
  const Tensor tensor = makeTensor(Dtype::Int32, {4}, rows);
  for (int64_t i = 0; i < 4; ++i)
    CHECK(tensor.at(i) == static_cast<double>(20 * i));
  rows.low = -1;
  rows.scale = 0.5;
  CHECK(makeTensor(Dtype::Fp32, {4}, rows).at(3) == 0.5);
}

TEST_CASE("random integers cover their half-open range", "[profiler]") {
  TensorInit dice = init(Kind::Randint, 9);
  dice.low = -2;
  dice.high = 3;
  Tensor tensor = makeTensor(Dtype::Int8, {5000}, dice);
  int counts[5] = {};
  for (int64_t i = 0; i < 5000; ++i) {
    REQUIRE(tensor.at(i) >= -2);
    REQUIRE(tensor.at(i) < 3);
    ++counts[int(tensor.at(i)) + 2];
  }
  for (int count : counts)
    CHECK(count > 850);
}

TEST_CASE("offsets ascend from their first number to their last, in steps that differ",
          "[profiler]") {
  TensorInit groups = init(Kind::Offsets, 3);
  groups.high = 208;
  for (const int64_t count : {2, 3, 9, 4001}) {
    const Tensor tensor = makeTensor(Dtype::Int32, {count}, groups);
    INFO(count);
    CHECK(tensor.at(0) == 0);
    CHECK(tensor.at(count - 1) == 208);
    for (int64_t i = 1; i < count; ++i)
      REQUIRE(tensor.at(i) >= tensor.at(i - 1));
  }
  const Tensor tensor = makeTensor(Dtype::Int32, {9}, groups);
  bool isUneven = false;
  for (int64_t i = 1; i < 9; ++i)
    isUneven |= tensor.at(i) - tensor.at(i - 1) != 26;
  CHECK(isUneven);
  // A single one is where the first group begins.
  CHECK(makeTensor(Dtype::Int32, {1}, groups).at(0) == 0);
}

TEST_CASE("uniform data stay inside their range", "[profiler]") {
  TensorInit uniform = init(Kind::Rand, 1);
  uniform.low = 10;
  uniform.high = 12;
  Tensor tensor = makeTensor(Dtype::Fp64, {1000}, uniform);
  double sum = 0;
  for (int64_t i = 0; i < 1000; ++i) {
    REQUIRE(tensor.at(i) >= 10);
    REQUIRE(tensor.at(i) < 12);
    sum += tensor.at(i);
  }
  CHECK(sum / 1000 == Approx(11).margin(0.1));
}

TEST_CASE("kinds are found by name", "[profiler]") {
  Kind kind{};
  for (Kind each : {Kind::Poison, Kind::Zeros, Kind::Ones, Kind::Full, Kind::Arange, Kind::Rand,
                    Kind::Randn, Kind::Randint, Kind::Offsets}) {
    CHECK(parseInit(initName(each), kind));
    CHECK(kind == each);
  }
  CHECK(parseInit("empty", kind));
  CHECK(kind == Kind::Poison);
  CHECK_FALSE(parseInit("gauss", kind));
}
