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

TEST_CASE("an arrow goes from the right edge of one cell to the left edge of another", "[layout]") {
  const ArrowShape arrow = arrowBetween({10, 20, 8, 6}, {200, 50, 8, 10}, 10);
  CHECK(arrow.start.x == 18);
  CHECK(arrow.start.y == 23);
  CHECK(arrow.head[0].x == 200);
  CHECK(arrow.head[0].y == 55);
  // The line ends within the head, and arrives level with it.
  CHECK(arrow.end.x > arrow.head[1].x);
  CHECK(arrow.end.x < 200);
  CHECK(arrow.secondControl.y == arrow.end.y);
  CHECK(arrow.firstControl.x > arrow.start.x);
  // Cells side by side leave room for a curve nevertheless.
  const ArrowShape close = arrowBetween({10, 20, 8, 6}, {18, 60, 8, 10}, 10);
  CHECK(close.firstControl.x >= close.start.x + 20);
}
