// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Arrows between two pictures: which moves share one, and its shape.
#include "compiler/layout/picture/MoveRuns.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;

namespace {

/// Places are cells of a row of 4.
std::optional<Cell> cellIn4(uint64_t place) {
  return Cell{static_cast<int64_t>(place) / 4, static_cast<int64_t>(place) % 4};
}
std::vector<MoveRun> runs(const std::vector<Move> &moves) {
  return moveRuns(
      moves, [](const Move &move) { return cellIn4(move.from); },
      [](const Move &move) { return cellIn4(move.to); });
}

} // namespace

TEST_CASE("neighbors on both sides share an arrow", "[layout]") {
  // Two pairs: both lie side by side before; behind they are in two rows.
  const std::vector<MoveRun> pairs = runs({{0, 0, 0}, {1, 1, 1}, {2, 2, 8}, {3, 3, 9}});
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0] == MoveRun{0, 2, MoveKind::Stays, {0, 0}, {0, 1}, {0, 0}, {0, 1}});
  CHECK(pairs[1] == MoveRun{2, 2, MoveKind::Stays, {0, 2}, {0, 3}, {2, 0}, {2, 1}});
}

TEST_CASE("a run may go down on one side and across on the other, but not turn", "[layout]") {
  CHECK(runs({{0, 0, 0}, {1, 1, 4}, {2, 2, 8}}).size() == 1);
  // Behind: one to the right, then one down.
  CHECK(runs({{0, 0, 0}, {1, 1, 1}, {2, 2, 5}}).size() == 2);
}

TEST_CASE("moves of different kinds have arrows of their own", "[layout]") {
  CHECK(runs({{0, 0, 0, MoveKind::Lane}, {1, 1, 1, MoveKind::Warp}}).size() == 2);
}

TEST_CASE("a move without a cell is left out, and those around it are not joined", "[layout]") {
  const std::vector<Move> moves{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
  const auto all = [](const Move &move) { return cellIn4(move.to); };
  const auto without1 = [](const Move &move) {
    return move.from == 1 ? std::nullopt : cellIn4(move.from);
  };
  const std::vector<MoveRun> shown = moveRuns(moves, without1, all);
  REQUIRE(shown.size() == 2);
  CHECK(shown[0].count + shown[1].count == 2);
}

TEST_CASE("an arrow is an arc to the side with more room", "[layout]") {
  const GridRect area{0, 0, 400, 200};
  const ArrowShape low = arrowBetween({10, 20, 8, 6}, {300, 50, 8, 10}, area, 10);
  // From the lower edge of one cell to the lower edge of the other.
  CHECK(low.start.x == 14);
  CHECK(low.start.y == 26);
  CHECK(low.head[0].x == 304);
  CHECK(low.head[0].y == 60);
  // The line ends within the head, and both ends go straight away from the cells.
  CHECK(low.end.y > low.head[0].y);
  CHECK(low.end.y < low.head[1].y);
  CHECK(low.firstControl.x == low.start.x);
  CHECK(low.secondControl.x == low.end.x);
  CHECK(low.firstControl.y > low.start.y);
  CHECK(low.secondControl.y > low.end.y);
  const ArrowShape high = arrowBetween({10, 150, 8, 6}, {300, 160, 8, 10}, area, 10);
  CHECK(high.start.y == 150);
  CHECK(high.head[0].y == 160);
  CHECK(high.secondControl.y < high.end.y);
  // Within the area, however far it goes.
  const ArrowShape far = arrowBetween({0, 90, 8, 6}, {390, 80, 8, 10}, area, 10);
  CHECK(far.firstControl.y == 200);
  // The farther, the deeper: arrows between two rows do not lie on each other.
  const ArrowShape near = arrowBetween({200, 20, 8, 6}, {300, 50, 8, 10}, area, 10);
  CHECK(near.firstControl.y < low.firstControl.y);
}
