// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a conversion moves, checked place by place against the two layouts.
#include "compiler/layout/picture/ConversionMap.h"

#include "compiler/layout/picture/ConversionPicture.h"
#include "tests/unit/compiler/layout/picture/RandomFacts.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using compiler::test::Exhaustive;
using compiler::test::RandomFacts;

namespace {

LayoutFacts facts(std::vector<int64_t> shape, std::vector<LayoutBases> layout) {
  LayoutFacts result;
  result.shape = std::move(shape);
  result.elementBits = 32;
  result.layout = std::move(layout);
  return result;
}

/// Neighbors in the registers of a lane, and in neighboring lanes.
LayoutFacts inRegisters() {
  return facts({8}, {{"register", {{1}}}, {"lane", {{2}}}, {"warp", {{4}}}});
}
LayoutFacts inLanes() {
  return facts({8}, {{"register", {{2}}}, {"lane", {{1}}}, {"warp", {{4}}}});
}

/// Bits of the element's index, in any order, some of them twice or not at all (copies), spread
/// over registers, lanes and warps.
LayoutFacts shuffled(RandomFacts &random) {
  std::vector<std::vector<int32_t>> bases;
  for (int bit = 0; bit < 3; ++bit) {
    bases.push_back({1 << bit, 0});
    bases.push_back({0, 1 << bit});
  }
  for (int i = random.number(0, 2); i > 0; --i)
    bases.push_back(random.number(0, 1) == 0 ? std::vector<int32_t>{0, 0}
                                             : bases[static_cast<size_t>(random.number(0, 5))]);
  for (size_t i = bases.size(); i-- > 1;)
    std::swap(bases[i], bases[static_cast<size_t>(random.number(0, static_cast<int>(i)))]);
  // Sums of bases reach the same elements: a swizzle.
  for (int d = 0; d < 2; ++d)
    bases[0][static_cast<size_t>(d)] ^= bases[1][static_cast<size_t>(d)];
  std::vector<LayoutBases> layout{{"register", {}}, {"lane", {}}, {"warp", {}}};
  for (const std::vector<int32_t> &basis : bases)
    layout[static_cast<size_t>(random.number(0, 2))].bases.push_back(basis);
  return facts({8, 8}, layout);
}

MoveKind kindOf(const Exhaustive &before, uint64_t from, const Exhaustive &behind, uint64_t to) {
  const auto differs = [&](const char *input) {
    return before.component(from, input) != behind.component(to, input);
  };
  return differs("warp")       ? MoveKind::Warp
         : differs("lane")     ? MoveKind::Lane
         : differs("register") ? MoveKind::Register
                               : MoveKind::Stays;
}

} // namespace

TEST_CASE("the worked example of the map", "[layout]") {
  const ConversionMap map(inRegisters(), inLanes());
  // Register 1, lane 0, warp 1 holds element 6; register 1, lane 0, warp 0 element 2.
  const Move move = map.moveTo(1);
  CHECK(move.element == 2);
  CHECK(map.before().component(move.from, Dim::Register) == 0);
  CHECK(map.before().component(move.from, Dim::Lane) == 1);
  CHECK(move.kind == MoveKind::Lane);
  CHECK(map.counts() == MoveCounts{4, 0, 4, 0});
}

TEST_CASE("what all lanes hold comes from nowhere else", "[layout]") {
  // Eight elements in the registers of each of four lanes, and then two in each lane.
  const LayoutFacts everywhere =
      facts({8}, {{"register", {{1}, {2}, {4}}}, {"lane", {{0}, {0}}}, {"warp", {}}});
  const LayoutFacts spread = facts({8}, {{"register", {{1}}}, {"lane", {{2}, {4}}}, {"warp", {}}});
  const ConversionMap map(everywhere, spread);
  CHECK(map.counts() == MoveCounts{2, 6, 0, 0});
  // Lane 3 takes elements 6 and 7 out of its own registers.
  const Move move = map.moveTo(6);
  CHECK(move.element == 6);
  CHECK(map.before().component(move.from, Dim::Lane) == 3);
}

TEST_CASE("every place gets what it is to hold, and is counted by what changes", "[layout]") {
  RandomFacts random;
  int numWithCopies = 0, numChecked = 0;
  for (int round = 0; round < 300; ++round) {
    const LayoutFacts from = shuffled(random), to = shuffled(random);
    const Exhaustive before(from), behind(to);
    const ConversionMap map(from, to);
    if (before.holders.size() < 64 || behind.holders.size() < 64)
      continue;
    REQUIRE_FALSE(map.isEmpty());
    ++numChecked;
    numWithCopies += before.held.size() > 64;
    MoveCounts counts;
    for (uint64_t place = 0; place < behind.held.size(); ++place) {
      const Move move = map.moveTo(place);
      REQUIRE(before.held[move.from] == behind.held[place]);
      REQUIRE(map.before().coordinates(move.element) == behind.held[place]);
      REQUIRE(move.kind == kindOf(before, move.from, behind, place));
      // No copy of the element is nearer.
      for (const uint64_t holder : before.holders.at(behind.held[place]))
        REQUIRE(move.kind <= kindOf(before, holder, behind, place));
      uint64_t *const sums[] = {&counts.stays, &counts.registers, &counts.lanes, &counts.warps};
      ++*sums[static_cast<int>(move.kind)];
    }
    REQUIRE(map.counts() == counts);
  }
  CHECK(numChecked > 100);
  CHECK(numWithCopies > 20);
}

TEST_CASE("what a lane sends is what others receive from it", "[layout]") {
  RandomFacts random;
  for (int round = 0; round < 60; ++round) {
    const LayoutFacts from = shuffled(random), to = shuffled(random);
    const Exhaustive before(from), behind(to);
    const ConversionMap map(from, to);
    if (map.isEmpty())
      continue;
    const auto isOfLane = [](const Exhaustive &side, uint64_t place, uint64_t other) {
      return side.component(place, "lane") == side.component(other, "lane") &&
             side.component(place, "warp") == side.component(other, "warp");
    };
    for (uint64_t place = 0; place < before.held.size(); ++place) {
      size_t count = 0;
      for (uint64_t other = 0; other < behind.held.size(); ++other)
        count += isOfLane(before, place, map.moveTo(other).from);
      const std::vector<Move> sent = map.outOfLane(place);
      REQUIRE(sent.size() == count);
      for (const Move &move : sent)
        REQUIRE(isOfLane(before, place, move.from));
    }
    for (uint64_t place = 0; place < behind.held.size(); ++place) {
      const std::vector<Move> received = map.intoLane(place);
      REQUIRE(received.size() == static_cast<size_t>(map.behind().size(Dim::Register)));
      for (const Move &move : received) {
        REQUIRE(isOfLane(behind, place, move.to));
        REQUIRE(move == map.moveTo(move.to));
      }
    }
  }
}

TEST_CASE("layouts of different tensors have no map", "[layout]") {
  LayoutFacts other = inLanes();
  other.shape = {16};
  CHECK(ConversionMap(inRegisters(), other).isEmpty());
  CHECK(ConversionMap(inRegisters(), {}).isEmpty());
  CHECK(ConversionMap().counts() == MoveCounts{});
}

TEST_CASE("cells behind have the color of where their elements were", "[layout]") {
  const ConversionPicture picture =
      makeConversionPicture(inRegisters(), inLanes(), {.family = Family::Lane, .slice = {}});
  const CellMap colors = picture.membersOf(ConversionSide::Behind);
  const PictureView &view = picture.view(ConversionSide::Behind);
  for (int64_t cell = 0; cell < view.grid.numCells; ++cell) {
    const Move move = picture.map.moveTo(view.places.at(view.grid.cell(cell)));
    CHECK(colors.at(view.grid.cell(cell)) ==
          static_cast<uint64_t>(picture.map.before().component(move.from, Dim::Lane)));
    CHECK(picture.cellOf(ConversionSide::Behind, move) == cell);
  }
}

TEST_CASE("a cell is about its element, or about its lane", "[layout]") {
  for (const ConversionCells cells : {ConversionCells::Places, ConversionCells::Elements}) {
    const ConversionPicture picture = makeConversionPicture(
        inRegisters(), inLanes(), {.cells = cells, .family = Family::Warp, .slice = {}});
    for (const ConversionSide side : {ConversionSide::Before, ConversionSide::Behind})
      for (int64_t cell = 0; cell < picture.view(side).grid.numCells; ++cell) {
        const std::vector<Move> one = picture.movesAt(side, cell, MoveScope::Element);
        REQUIRE(one.size() == 1);
        CHECK(picture.cellOf(side, one.front()) == cell);
        const std::vector<Move> lane = picture.movesAt(side, cell, MoveScope::Lane);
        CHECK(lane.size() == 2);
        CHECK(std::ranges::find(lane, one.front()) != lane.end());
      }
  }
}
