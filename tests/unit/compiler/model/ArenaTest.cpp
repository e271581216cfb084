// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/plan/Arena.h"

#include <catch2/catch.hpp>
#include <random>

using namespace tilescope::model;

TEST_CASE("the largest tensors are placed first, each as low as it fits", "[compiler]") {
  const Arena arena = planArena(std::vector<Lifetime>{{4, 0, 1}, {2, 1, 2}, {3, 2, 2}}, 1);
  CHECK(arena.offsets == std::vector<int64_t>{0, 4, 0});
  CHECK(arena.bytes == 6);
  CHECK(arena.leastBytes == 6);
}

TEST_CASE("the smallest gap that is large enough is used", "[compiler]") {
  // Once the 9 and the 3 are read, gaps of 9 and 3 are left between the others.
  const std::vector<Lifetime> lifetimes{{9, 0, 1}, {8, 0, 3}, {3, 0, 1}, {7, 1, 3}, {2, 2, 3}};
  const Arena arena = planArena(lifetimes, 1);
  CHECK(arena.offsets == std::vector<int64_t>{0, 9, 24, 17, 0});
  CHECK(arena.bytes == 27);
  const std::vector<Lifetime> gaps{{9, 0, 0}, {8, 0, 1}, {7, 0, 0}, {6, 0, 1}, {3, 1, 1}};
  CHECK(planArena(gaps, 1).offsets == std::vector<int64_t>{0, 9, 17, 24, 17});
}

TEST_CASE("an arena may be empty, and tensors without elements take no place", "[compiler]") {
  CHECK(planArena({}).bytes == 0);
  const Arena arena = planArena(std::vector<Lifetime>{{0, 0, 3}, {1, 0, 3}});
  CHECK(arena.offsets == std::vector<int64_t>{0, 0});
  CHECK(arena.bytes == kArenaAlignment);
}

TEST_CASE("sums of the largest tensors that a file can name stay in range", "[compiler]") {
  const std::vector<Lifetime> lifetimes(1000, Lifetime{int64_t{1} << 60, 0, 1});
  const Arena arena = planArena(lifetimes);
  CHECK(arena.bytes == 1000 * kMostPlannedBytes);
  CHECK(arena.leastBytes == arena.bytes);
}

/// A random chain of steps, each of which writes some tensors that others read later.
static std::vector<Lifetime> randomLifetimes(std::mt19937 &random) {
  const auto below = [&](int64_t end) {
    return int64_t(std::uniform_int_distribution<int64_t>(0, end - 1)(random));
  };
  const int64_t steps = 1 + below(60);
  std::vector<Lifetime> lifetimes;
  for (int64_t step = 0; step < steps; ++step)
    for (int64_t i = below(4); i >= 0; --i)
      lifetimes.push_back({below(5) == 0 ? below(1 << 20) : below(2000), step,
                           std::min(steps, step + below(below(6) == 0 ? steps : 4))});
  return lifetimes;
}

TEST_CASE("no two tensors that live together overlap", "[compiler]") {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    const std::vector<Lifetime> lifetimes = randomLifetimes(random);
    const Arena arena = planArena(lifetimes);
    REQUIRE(arena.offsets.size() == lifetimes.size());
    int64_t all = 0;
    for (size_t i = 0; i < lifetimes.size(); ++i) {
      const int64_t begin = arena.offsets[i], end = begin + lifetimes[i].bytes;
      REQUIRE(begin % kArenaAlignment == 0);
      REQUIRE(end <= arena.bytes);
      all += (lifetimes[i].bytes + kArenaAlignment - 1) / kArenaAlignment * kArenaAlignment;
      for (size_t j = 0; j < i; ++j) {
        const bool isApart =
            end <= arena.offsets[j] || arena.offsets[j] + lifetimes[j].bytes <= begin;
        REQUIRE((isApart || !lifetimes[i].livesWith(lifetimes[j])));
      }
    }
    REQUIRE(arena.leastBytes <= arena.bytes);
    REQUIRE(arena.bytes <= all);
  }
}
