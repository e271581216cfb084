// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What lies outside of an array, or is masked: against loops over the elements.
#include "compiler/access/arrays/PastEnd.h"

#include "compiler/access/arrays/TouchWords.h"

#include <catch2/catch.hpp>
#include <random>
#include <set>

using namespace tilescope::compiler;
using namespace tilescope::compiler::access;

static constexpr int64_t kArea = int64_t{1} << 44;

namespace {
/// One array of floats that one load reads.
struct Trace : TouchTrace {
  explicit Trace(std::vector<int64_t> shape) {
    arguments = {{"x", kArea, std::move(shape), 4}};
    accesses = {{{}, "tt.load", true, false, false, 4}};
  }
  void addRun(uint32_t program, int64_t element, std::vector<TouchDim> dims) {
    runs.push_back({program, 0, 0, 1, kArea + 4 * element, 0, std::move(dims)});
  }
  void addBlock(uint32_t program, int64_t element, std::vector<TouchDim> dims) {
    blocks.push_back({program, 0, 0, 1, kArea + 4 * element, 0, std::move(dims)});
  }
};

using Place = std::pair<int64_t, int64_t>;
std::set<Place> placesOf(const std::vector<ElementBox> &boxes) {
  std::set<Place> places;
  for (const ElementBox &box : boxes)
    for (int64_t row = 0; row < box.count[1]; ++row)
      for (int64_t column = 0; column < box.count[2]; ++column)
        places.emplace(box.first[1] + row * box.step[1], box.first[2] + column * box.step[2]);
  return places;
}
} // namespace

TEST_CASE("the last block of a vector reaches past its end", "[access]") {
  Trace masked({1000}), bare({1000});
  for (uint32_t program = 0; program < 4; ++program)
    bare.addRun(program, program * 256, {{256, 4}});
  masked.runs = bare.runs;
  masked.runs.back().dims = {{232, 4}};
  masked.addBlock(3, 768, {{256, 4}});

  const TouchedArrays withMask(masked);
  REQUIRE(withMask.shape(0).columns == 64);
  CHECK(countOutside(withMask, 0, 3, {}) == OutsideCounts{24, 0, 0});
  CHECK(countOutside(withMask, 0, 2, {}) == OutsideCounts{});
  CHECK(touchText(withMask, 0, 3, {}) == "reads elements 768 to 999; 24 masked");
  CHECK(touchText(withMask, 0, 2, {}) == "reads elements 512 to 767");
  CHECK(boxesPastEnd(withMask, 0, 3, {}).empty());
  CHECK(placesOf(maskedBlocks(withMask, 0, 3, {})).size() == 256);
  CHECK(pastEnd(withMask, 0) == PastEnd{0, 0});

  const TouchedArrays without(bare);
  CHECK(countOutside(without, 0, 3, {}) == OutsideCounts{0, 0, 24});
  CHECK(touchText(without, 0, 3, {}) == "reads elements 768 to 999; 24 past its end");
  std::set<Place> expected;
  for (int64_t element = 1000; element < 1024; ++element)
    expected.emplace(element / 64, element % 64);
  CHECK(placesOf(boxesPastEnd(without, 0, 3, {})) == expected);
  CHECK(boxesPastEnd(without, 0, 2, {}).empty());
}

TEST_CASE("a program that is masked as a whole touches nothing", "[access]") {
  Trace trace({1000});
  trace.addRun(0, 0, {{512, 4}});
  trace.addBlock(2, 1024, {{512, 4}});
  const TouchedArrays arrays(trace);
  CHECK(touchText(arrays, 0, 2, {}) == "touches nothing of it; 512 masked");
  CHECK(touchText(arrays, 0, 1, {}) == "does not touch it");
  // Rows 16 to 23 are behind the last one.
  CHECK(pastEnd(arrays, 0) == PastEnd{8, 0});
}

TEST_CASE("a tile at the corner of a matrix is masked beyond both edges", "[access]") {
  // 100 x 60 in tiles of 32 x 32: the last one is 4 x 28.
  Trace trace({100, 60});
  trace.addRun(0, 96 * 60 + 32, {{4, 240}, {28, 4}});
  trace.addBlock(0, 96 * 60 + 32, {{32, 240}, {32, 4}});
  // No element of it is on: it may lie anywhere beyond the edges.
  trace.addBlock(1, 96 * 60 + 64, {{32, 240}, {32, 4}});
  const TouchedArrays arrays(trace);
  CHECK(pastEnd(arrays, 0) == PastEnd{28, 4});
  CHECK(countOutside(arrays, 0, 0, {}) == OutsideCounts{32 * 32 - 4 * 28, 0, 0});
  const auto boxes = maskedBlocks(arrays, 0, 0, {});
  REQUIRE(boxes.size() == 1);
  CHECK(boxes.front() == ElementBox{{0, 96, 32}, {1, 32, 32}, {1, 1, 1}});
  CHECK(maskedBlocks(arrays, 0, 1, {}).empty());
  CHECK(touchText(arrays, 0, 0, {}) == "reads rows 96 to 99, columns 32 to 59; 912 masked");
}

TEST_CASE("elements outside are counted as each is by itself", "[access]") {
  std::mt19937 random(5);
  const auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  for (int round = 0; round < 200; ++round) {
    Trace trace(round % 2 ? std::vector<int64_t>{150} : std::vector<int64_t>{10, 15});
    const int64_t first = pick(-60, 160), rows = pick(1, 6), columns = pick(1, 20);
    const int64_t down = pick(1, 30), across = pick(1, 3), turns = pick(1, 4), move = pick(-9, 30);
    trace.runs = {{0, 0, 0, static_cast<uint32_t>(turns), kArea + 4 * first, 4 * move, {}}};
    trace.runs[0].dims = {{rows, 4 * down}, {columns, 4 * across}};
    if (down < across)
      std::swap(trace.runs[0].dims[0], trace.runs[0].dims[1]);
    const TouchedArrays arrays(trace);
    OutsideCounts expected;
    std::set<Place> past;
    for (int64_t turn = 0; turn < turns; ++turn)
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t column = 0; column < columns; ++column) {
          const int64_t element = first + turn * move + row * down + column * across;
          expected.before += element < 0;
          expected.past += element >= 150;
          if (element >= 150)
            past.emplace(element / arrays.shape(0).columns, element % arrays.shape(0).columns);
        }
    CHECK(countOutside(arrays, 0, 0, {}) == expected);
    CHECK(placesOf(boxesPastEnd(arrays, 0, 0, {})) == past);
  }
}

TEST_CASE("the room for what is past the end is beside the array", "[access]") {
  const TouchedArrays arrays([] {
    Trace trace({100, 60});
    trace.addRun(0, 96 * 60 + 32, {{4, 240}, {28, 4}});
    return trace;
  }());
  const ArrayShape &shape = arrays.shape(0);
  const PastEnd past{25, 20};
  CHECK(aspectOf(shape, past) == Approx(80.0 / 125));
  const ArrayGrid grid = gridIn({10, 20, 160, 250}, shape, past, wholeWindow(shape));
  CHECK(grid.rect == GridRect{10, 20, 120, 200});
  CHECK(grid.roomRight == 40);
  CHECK(grid.roomBelow == 50);
  const ElementBox corner{{0, 96, 58}, {1, 8, 4}, {1, 1, 1}};
  CHECK(grid.box(corner) == GridRect{126, 212, 4, 8});
  CHECK(grid.reached(corner) == GridRect{126, 212, 8, 16});
  // A part that does not show the end has no such room.
  const ArrayGrid top = gridIn({10, 20, 160, 250}, shape, past, {0, 0, 50, 60});
  CHECK(top.roomBelow == 0);
  CHECK(top.roomRight == 40);
}
