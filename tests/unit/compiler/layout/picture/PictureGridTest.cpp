// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/picture/LayoutPicture.h"
#include "tests/unit/compiler/layout/picture/RandomFacts.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::test;

TEST_CASE("the worked example of CellMap", "[compiler][layout]") {
  const LinearLayout lanes({{Dim::Column, 2}, {Dim::Row, 2}}, {{Dim::Lane, 3}}, {0, 1, 2, 4});
  const CellMap map(lanes);
  const uint64_t expected[] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7};
  for (int64_t cell = 0; cell < 16; ++cell)
    CHECK(map.at({cell / 4, cell % 4}) == expected[cell]);
  CHECK(map.edges(Dim::Column, 0, 4) == std::vector<int64_t>{2});
  CHECK(map.edges(Dim::Row, 0, 4) == std::vector<int64_t>{1, 2, 3});
  CHECK(map.find(5) == Cell{2, 2});
  CHECK_FALSE(
      CellMap(lanes.dropIn(Dim::Row).concatIns(LinearLayout::zeros(1, Dim::Row, Dim::Lane, 8)))
          .find(4)
          .has_value());
}

TEST_CASE("tiles are the runs that a walk over the cells finds", "[compiler][layout]") {
  RandomFacts random;
  for (int trial = 0; trial < 300; ++trial) {
    const LayoutFacts facts = random.next();
    const Family families[] = {Family::Warp, Family::Lane, Family::Register, Family::Thread};
    const LayoutPicture picture =
        makeLayoutPicture(facts, defaultSlice(LayoutMap(facts)), families[random.number(0, 3)]);
    for (const PictureView *view :
         {&picture.tensor, static_cast<const PictureView *>(&picture.hardware)}) {
      const PictureGrid &grid = view->grid;
      const CellMap members = picture.membersOf(*view);
      const int64_t first = random.number(0, static_cast<int>(grid.columns) - 1);
      const auto intervals =
          tileIntervals(members, Dim::Column, grid.blockColumns, first, grid.columns);
      REQUIRE(intervals.front().first == first);
      REQUIRE(intervals.back().second == grid.columns);
      // In every row, whatever the row.
      for (int64_t row = 0; row < grid.rows; ++row) {
        size_t at = 0;
        for (int64_t column = first + 1; column < grid.columns; ++column) {
          const bool isEdge = members.at({row, column}) != members.at({row, column - 1}) ||
                              (grid.blockColumns > 0 && column % grid.blockColumns == 0);
          REQUIRE(isEdge == (intervals[at].second == column));
          at += isEdge ? 1 : 0;
        }
      }
      const auto down = tileIntervals(members, Dim::Row, grid.blockRows, 0, grid.rows);
      size_t at = 0;
      for (int64_t row = 1; row < grid.rows; ++row) {
        const bool isEdge = members.at({row, first}) != members.at({row - 1, first}) ||
                            (grid.blockRows > 0 && row % grid.blockRows == 0);
        REQUIRE(isEdge == (down[at].second == row));
        at += isEdge ? 1 : 0;
      }
    }
  }
  CHECK(tileIntervals(CellMap(), Dim::Row, 0, 3, 3).empty());
}

/// A grid of blocks with gaps between them.
static PictureGrid randomGrid(RandomFacts &random) {
  PictureGrid grid;
  grid.blockRows = random.number(0, 3);
  grid.blockColumns = random.number(0, 5);
  grid.rows = grid.blockRows > 0 ? grid.blockRows * random.number(1, 4) : random.number(1, 9);
  grid.columns =
      grid.blockColumns > 0 ? grid.blockColumns * random.number(1, 4) : random.number(1, 9);
  grid.numCells = grid.rows * grid.columns - random.number(0, static_cast<int>(grid.columns) - 1);
  grid.gap = random.number(0, 6) / 4.0;
  grid.titleGap = random.number(0, 6) / 4.0;
  return grid;
}

TEST_CASE("cells and points agree across gaps", "[compiler][layout]") {
  RandomFacts random;
  for (int trial = 0; trial < 300; ++trial) {
    const PictureGrid grid = randomGrid(random);
    for (double y = -1.125; y < grid.height() + 2; y += 0.25)
      for (double x = -1.125; x < grid.width() + 2; x += 0.25) {
        int64_t expected = -1;
        for (int64_t number = 0; number < grid.numCells; ++number) {
          const GridPoint origin = grid.origin(grid.cell(number));
          if (x >= origin.x && x < origin.x + 1 && y >= origin.y && y < origin.y + 1)
            expected = number;
        }
        REQUIRE(grid.cellAt({x, y}) == expected);
      }
  }
}

TEST_CASE("the cells in sight are those that a rectangle touches", "[compiler][layout]") {
  RandomFacts random;
  for (int trial = 0; trial < 2000; ++trial) {
    const PictureGrid grid = randomGrid(random);
    const GridRect rect{random.number(-40, 160) / 8.0 + 0.01, random.number(-40, 160) / 8.0 + 0.01,
                        random.number(1, 160) / 8.0, random.number(1, 160) / 8.0};
    const CellRange range = grid.touching(rect);
    const auto isTouched = [](double origin, double low, double size) {
      return origin < low + size && origin + 1 > low;
    };
    int64_t numOutside = 0;
    for (int64_t row = 0; row < grid.rows; ++row) {
      const bool isIn = row >= range.firstRow && row < range.lastRow;
      if (isTouched(grid.origin({row, 0}).y, rect.y, rect.height))
        REQUIRE(isIn);
      else if (isIn)
        ++numOutside;
    }
    // In a gap one more may count.
    REQUIRE(numOutside <= 1);
    for (int64_t column = 0; column < grid.columns; ++column)
      if (isTouched(grid.origin({0, column}).x, rect.x, rect.width))
        REQUIRE((column >= range.firstColumn && column < range.lastColumn));
  }
}

TEST_CASE("a place far away costs no more than a near one", "[compiler][layout]") {
  PictureGrid grid;
  grid.rows = int64_t(1) << 24;
  grid.columns = int64_t(1) << 22;
  grid.numCells = grid.rows * grid.columns;
  const CellRange range = grid.touching({4e6, 1e7, 100, 50});
  CHECK(range == CellRange{10000000, 10000051, 4000000, 4000101});
  CHECK(grid.cellAt({4e6, 1e7}) == 10000000 * grid.columns + 4000000);
}
