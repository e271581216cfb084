// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which elements of an array an access reaches: boxes against every element by itself.
#include "compiler/access/arrays/ArrayShape.h"

#include "compiler/access/arrays/ArrayPlaces.h"

#include <catch2/catch.hpp>
#include <random>
#include <set>

using namespace tilescope::compiler;
using namespace tilescope::compiler::access;

namespace {

ArrayShape shapeOf(std::vector<int64_t> extents, int64_t fold = 1, int32_t bytes = 4) {
  return arrayShape({"x", 0, std::move(extents), bytes}, fold);
}

/// The elements in boxes, by number; none may be in two of them unless the directions overlap.
std::set<int64_t> elementsIn(const ArrayShape &shape, const std::vector<ElementBox> &boxes) {
  std::set<int64_t> elements;
  for (const ElementBox &box : boxes)
    for (int64_t i = 0; i < box.count[0]; ++i)
      for (int64_t j = 0; j < box.count[1]; ++j)
        for (int64_t k = 0; k < box.count[2]; ++k) {
          const ArrayElement element{box.first[0] + i * box.step[0], box.first[1] + j * box.step[1],
                                     box.first[2] + k * box.step[2]};
          REQUIRE(element.slice < shape.slices);
          REQUIRE(element.row < shape.rows);
          REQUIRE(element.column < shape.columns);
          REQUIRE(box.contains(element.slice, element.row, element.column));
          elements.insert(numberOf(shape, element));
        }
  return elements;
}

/// One by one.
std::set<int64_t> reached(const ArrayShape &shape, int64_t offset,
                          const std::vector<TouchDim> &dims) {
  std::set<int64_t> bytes{offset};
  for (const TouchDim &dim : dims) {
    std::set<int64_t> next;
    for (const int64_t from : bytes)
      for (int64_t i = 0; i < dim.extent; ++i)
        next.insert(from + i * dim.strideBytes);
    bytes = std::move(next);
  }
  std::set<int64_t> elements;
  for (const int64_t byte : bytes)
    if (byte >= 0 && byte / shape.elementBytes < shape.numElements)
      elements.insert(byte / shape.elementBytes);
  return elements;
}

} // namespace

TEST_CASE("a tile of a matrix is one box", "[access]") {
  const ArrayShape shape = shapeOf({100, 80});
  const auto boxes = boxesOf(shape, 3232, {{16, 320}, {8, 4}}, 4);
  REQUIRE(boxes.size() == 1);
  CHECK(boxes.front() == ElementBox{{0, 10, 8}, {1, 16, 8}, {1, 1, 1}});
  CHECK(boxes.front().end(1) == 26);
  // A row that goes on in the next one.
  const auto wrapped = boxesOf(shape, 60 * 4, {{100, 4}}, 4);
  REQUIRE(wrapped.size() == 2);
  CHECK(wrapped[0] == ElementBox{{0, 0, 60}, {1, 1, 20}, {1, 1, 1}});
  CHECK(wrapped[1] == ElementBox{{0, 1, 0}, {1, 1, 80}, {1, 1, 1}});
}

TEST_CASE("all steps of a loop over a band of a matrix are one box", "[access]") {
  // 128 rows of 4096 halves, 64 at a time: as the trace has them, and the step of the loop.
  const ArrayShape shape = shapeOf({4096, 4096}, 1, 2);
  const auto boxes = boxesOf(shape, 128 * 8192, {{128, 8192}, {64, 2}, {64, 128}}, 2);
  REQUIRE(boxes.size() == 1);
  CHECK(boxes.front() == ElementBox{{0, 128, 0}, {1, 128, 4096}, {1, 1, 1}});
}

TEST_CASE("rows of several slices, columns in steps, and every other row are single boxes",
          "[access]") {
  const ArrayShape shape = shapeOf({2, 3, 16, 32});
  CHECK(shape.slices == 6);
  // Row 5 of all slices.
  CHECK(boxesOf(shape, 5 * 128, {{6, 2048}, {32, 4}}, 4) ==
        std::vector{ElementBox{{0, 5, 0}, {6, 1, 32}, {1, 1, 1}}});
  CHECK(boxesOf(shape, 0, {{16, 128}, {8, 16}}, 4) ==
        std::vector{ElementBox{{0, 0, 0}, {1, 16, 8}, {1, 1, 4}}});
  CHECK(boxesOf(shape, 0, {{8, 256}, {32, 4}}, 4) ==
        std::vector{ElementBox{{0, 0, 0}, {1, 8, 32}, {1, 2, 1}}});
  CHECK(indexOf(shape, {4, 7, 9}) == std::vector<int64_t>{1, 1, 7, 9});
  CHECK(elementAt(shape, numberOf(shape, {4, 7, 9})) == ArrayElement{4, 7, 9});
}

TEST_CASE("what lies outside of an array is left out, also before its beginning", "[access]") {
  const ArrayShape shape = shapeOf({4, 10});
  CHECK(elementsIn(shape, boxesOf(shape, -12, {{8, 4}}, 4)) == std::set<int64_t>{0, 1, 2, 3, 4});
  CHECK(elementsIn(shape, boxesOf(shape, 36 * 4, {{8, 4}}, 4)) ==
        std::set<int64_t>{36, 37, 38, 39});
  CHECK(boxesOf(shape, 40 * 4, {{8, 4}}, 4).empty());
  CHECK(boxesOf(shapeOf({0, 8}), 0, {{8, 4}}, 4).empty());
}

TEST_CASE("boxes hold the elements that are reached one by one", "[access]") {
  std::mt19937 random(7);
  const auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  const std::vector<ArrayShape> shapes = {shapeOf({300}, 16), shapeOf({300}, 23),
                                          shapeOf({20, 24}),  shapeOf({3, 9, 16}),
                                          shapeOf({1, 40}),   shapeOf({64, 1})};
  for (int round = 0; round < 3000; ++round) {
    const ArrayShape &shape = shapes[static_cast<size_t>(pick(0, 5))];
    std::vector<TouchDim> dims;
    const int64_t numDims = pick(0, 3);
    for (int64_t dim = 0; dim < numDims; ++dim)
      dims.push_back({pick(1, 9), 4 * pick(-30, 60)});
    const int64_t offset = 4 * pick(-20, 320);
    INFO("round " << round << ": " << shape.rows << " x " << shape.columns << " from " << offset);
    CHECK(elementsIn(shape, boxesOf(shape, offset, dims, 4)) == reached(shape, offset, dims));
  }
}

TEST_CASE("an access of wider or narrower elements touches all that it covers", "[access]") {
  const ArrayShape bytes = shapeOf({64}, 16, 1);
  CHECK(boxesOf(bytes, 8, {{2, 4}}, 4) == std::vector{ElementBox{{0, 0, 8}, {1, 1, 8}, {1, 1, 1}}});
  const ArrayShape words = shapeOf({64}, 16, 4);
  CHECK(boxesOf(words, 6, {{4, 1}}, 1) == std::vector{ElementBox{{0, 0, 1}, {1, 1, 1}, {1, 1, 1}}});
}

TEST_CASE("long vectors are folded into pictures that are wider than high", "[access]") {
  CHECK(usualFold(40) == 40);
  CHECK(usualFold(98432) == 512);
  const ArrayShape shape = shapeOf({98432}, usualFold(98432));
  CHECK(shape.rows == 193);
  CHECK(shape.isFolded());
}

TEST_CASE("arrays get the room in which all are largest", "[access]") {
  const PlaceSize wide{900, 320, 20, 10};
  const auto beside = placeArrays({1, 1, 1}, wide);
  CHECK(beside[1].y == beside[0].y);
  CHECK(beside[0].width == beside[0].height);
  CHECK(beside[2].x + beside[2].width <= 900);
  CHECK(beside[0].y == 20);
  const auto below = placeArrays({6, 6}, {400, 400, 20, 10});
  CHECK(below[1].x == below[0].x);
  CHECK(below[1].y > below[0].y + below[0].height + 20);
}

TEST_CASE("elements are found where they are drawn, also in a part of the array", "[access]") {
  const ArrayShape shape = shapeOf({100, 200});
  ArrayGrid grid{{10, 20, 400, 200}, wholeWindow(shape)};
  const auto box = grid.box({{0, 50, 100}, {1, 10, 20}, {1, 1, 1}});
  REQUIRE(box);
  CHECK(box->x == 210);
  CHECK(box->y == 120);
  CHECK(box->width == 40);
  CHECK(box->height == 20);
  CHECK(static_cast<int64_t>(grid.at({215, 121})->x) == 102);
  CHECK_FALSE(grid.at({5, 121}));
  // Twice as large about a point, which stays where it is.
  grid.window = zoomed(grid.window, shape, 2, *grid.at({110, 120}));
  CHECK(grid.window == ArrayWindow{25, 25, 50, 100});
  CHECK(grid.at({110, 120})->x == 50);
  CHECK_FALSE(grid.box({{0, 0, 0}, {1, 10, 20}, {1, 1, 1}}));
  CHECK(showing(grid.window, shape, 99, 0) == ArrayWindow{50, 0, 50, 100});
  CHECK(zoomed(grid.window, shape, 0.1, {0, 0}) == wholeWindow(shape));
  // A single element of a large array is still seen.
  const ArrayGrid large{{0, 0, 100, 100}, wholeWindow(shapeOf({4096, 4096}))};
  CHECK(large.box({{0, 5, 5}, {1, 1, 1}, {1, 1, 1}})->width == 1);
}

TEST_CASE("what is to be seen is a few pixels large, within the array", "[access]") {
  const ArrayGrid grid{{10, 20, 100, 100}, wholeWindow(shapeOf({4096, 4096}))};
  const auto seen = [&](const ElementBox &box) { return grid.seen(*grid.box(box)); };
  // About its middle.
  const GridRect tile = seen({{0, 2048, 1024}, {1, 64, 64}, {1, 1, 1}});
  CHECK(tile.width == 6);
  CHECK(tile.height == 6);
  CHECK(std::abs(tile.x + 3 - 36) <= 1);
  CHECK(std::abs(tile.y + 3 - 71) <= 1);
  // At the corners it stays within.
  CHECK(seen({{0, 0, 0}, {1, 1, 1}, {1, 1, 1}}).x == 10);
  const GridRect last = seen({{0, 4095, 4095}, {1, 1, 1}, {1, 1, 1}});
  CHECK(last.x + last.width == 110);
  CHECK(last.y + last.height == 120);
  // A row keeps its length, and what is large enough its place.
  const GridRect row = seen({{0, 100, 0}, {1, 1, 4096}, {1, 1, 1}});
  CHECK(row.width == 100);
  CHECK(row.height == 4);
  const ElementBox half{{0, 0, 0}, {1, 2048, 2048}, {1, 1, 1}};
  CHECK(seen(half).width == grid.box(half)->width);
  CHECK(seen(half).y == grid.box(half)->y);
}
