// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/TileSets.h"

#include <catch2/catch.hpp>
#include <numeric>

using namespace tilescope::compiler;

/// A product: each program loads a band of 1000 bytes of either factor.
static std::vector<ProgramFacts> product(uint64_t rows, uint64_t columns) {
  std::vector<ProgramFacts> programs;
  for (uint64_t row = 0; row < rows; ++row)
    for (uint64_t column = 0; column < columns; ++column) {
      ProgramFacts program;
      program.tiles = {{0, static_cast<int64_t>(row * 1000), 1000},
                       {1, static_cast<int64_t>(column * 1000), 1000}};
      programs.push_back(program);
    }
  return programs;
}

static std::vector<uint64_t> firstPrograms(uint64_t count) {
  std::vector<uint64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

TEST_CASE("a square of programs loads less than a row", "[compiler]") {
  const std::vector<ProgramFacts> programs = product(8, 8);
  CHECK(differentBytes(programs, firstPrograms(8)) == 9000);
  REQUIRE(rowLength(programs) == 8);
  const auto best = bestRectangle(programs, 8, 8);
  REQUIRE(best);
  CHECK(best->bytes == 6000);
  CHECK(best->rows * best->columns == 8);
}

TEST_CASE("a tile that programs walk through for different lengths counts with the longest",
          "[compiler]") {
  std::vector<ProgramFacts> programs(2);
  programs[0].tiles = {{0, 64, 100}};
  programs[1].tiles = {{0, 64, 300}};
  CHECK(differentBytes(programs, firstPrograms(2)) == 300);
}

TEST_CASE("programs that share nothing, or everything, have no rows", "[compiler]") {
  std::vector<ProgramFacts> apart(4), equal(4);
  for (size_t number = 0; number < 4; ++number) {
    apart[number].tiles = {{0, static_cast<int64_t>(number), 8}};
    equal[number].tiles = {{0, 0, 8}};
  }
  CHECK_FALSE(rowLength(apart));
  CHECK_FALSE(rowLength(equal));
  CHECK_FALSE(rowLength({}));
}

TEST_CASE("a rectangle has rows that the grid has", "[compiler]") {
  const std::vector<ProgramFacts> programs = product(2, 16);
  const auto best = bestRectangle(programs, 16, 16);
  REQUIRE(best);
  CHECK(best->rows == 2);
  CHECK(best->columns == 8);
}
