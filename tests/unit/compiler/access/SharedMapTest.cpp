// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The map of shared memory, worked out by hand.
#include "compiler/access/picture/SharedMap.h"

#include "compiler/access/picture/SharedWords.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::compiler::access;

namespace {

SharedBuffer buffer(std::string name, int64_t offset, int64_t bytes, uint32_t begin, uint32_t end) {
  SharedBuffer made;
  made.name = std::move(name);
  made.operation = "ttg.local_alloc";
  made.shape = {bytes / 2};
  made.elementType = "f16";
  made.offset = offset;
  made.bytes = bytes;
  made.begin = begin;
  made.end = end;
  return made;
}

/// The example of SharedMap.h: steps from the lines 11 to 16.
SharedFacts example() {
  SharedFacts facts;
  for (uint32_t step = 0; step < 6; ++step)
    facts.steps.push_back({{{10 + step, 4}, {10 + step, 9}, 0}, 20 + step, false});
  facts.total = 96;
  facts.limit = 1000;
  facts.buffers = {buffer("a", 0, 64, 1, 4), buffer("", 0, 64, 5, 6), buffer("b", 64, 32, 2, 6)};
  facts.buffers[1].use = SharedUse::Scratch;
  facts.buffers[1].operation = "ttg.convert_layout";
  facts.buffers[1].words = "handing a block of fp16[8, 4] between threads";
  return facts;
}

} // namespace

TEST_CASE("the worked example of the map", "[access]") {
  const SharedFacts facts = example();
  const SharedMap map(facts, {192, 20, 4, 6});
  CHECK(
      map.rows() ==
      std::vector<SharedRow>{
          {0, 1, true}, {1, 2, false}, {2, 3, false}, {3, 4, false}, {4, 5, true}, {5, 6, false}});
  CHECK(map.height() == 88);
  // Bytes 64 to 95 of 96 in 192 pixels; from the third row on.
  CHECK(map.box(2).x == 128);
  CHECK(map.box(2).width == 64);
  CHECK(map.box(2).y == 24);
  CHECK(map.box(2).height == 64);
  // The scratch begins where `a` began, and later than `a` ends.
  CHECK(map.box(1).x == map.box(0).x);
  CHECK(map.box(1).y >= map.box(0).y + map.box(0).height);
  CHECK(facts.sharersOf(0) == std::vector<size_t>{1});
  CHECK(facts.sharersOf(2).empty());
  CHECK(SharedMap::fittingRowHeight(facts, 88, 4, 5, 100) == 20);
  CHECK(SharedMap::fittingRowHeight(facts, 20, 4, 5, 100) == 5);
  CHECK(map.rowsIn(0, 4) == Interval(0, 1));
  CHECK(map.rowsIn(4, 25) == Interval(1, 3));
}

TEST_CASE("steps without anything to do are one row, accesses keep a row of their own",
          "[access]") {
  SharedFacts facts = example();
  facts.buffers.resize(1);
  facts.buffers[0].end = 6;
  CHECK(SharedMap::rowsOf(facts) ==
        std::vector<SharedRow>{{0, 1, true}, {1, 2, false}, {2, 5, true}, {5, 6, false}});
  SharedAccess access;
  access.step = 3;
  facts.accesses.push_back(access);
  CHECK(SharedMap::rowsOf(facts)[3] == SharedRow{3, 4, false});
  const SharedMap map(facts, {100, 20, 4, 0});
  CHECK(map.rowOf(2) == 2);
  CHECK(map.rowOf(4) == 4);
}

TEST_CASE("a small buffer can be pointed at beside a large one", "[access]") {
  SharedFacts facts = example();
  facts.total = 100000;
  facts.buffers = {buffer("large", 0, 99992, 0, 6), buffer("bar", 99992, 8, 0, 6)};
  const SharedMap map(facts, {200, 20, 4, 6});
  CHECK(map.box(1).width == 6);
  CHECK(map.box(1).x == 194);
  CHECK(bufferAt(map, {197, 3}) == 1);
  CHECK(bufferAt(map, {190, 3}) == 0);
  CHECK(bufferAt(map, {190, 1000}) == -1);
}

TEST_CASE("keys lead from buffer to buffer", "[access]") {
  const SharedMap map(example(), {192, 20, 4, 6});
  CHECK(bufferFrom(map, 0, Step::Right) == 2);
  CHECK(bufferFrom(map, 0, Step::Down) == 1);
  CHECK(bufferFrom(map, 1, Step::Up) == 0);
  CHECK(bufferFrom(map, 2, Step::Right) == 2);
  CHECK(bufferFrom(map, 1, Step::First) == 0);
  CHECK(bufferFrom(map, 0, Step::Last) == 2);
  CHECK(bufferFrom(SharedMap(), 0, Step::Right) == -1);
}

TEST_CASE("offsets are labeled at powers of two", "[access]") {
  CHECK(offsetStep(96, 100) == 1);
  CHECK(offsetStep(49152, 6) == 8192);
  CHECK(offsetStep(0, 6) == 1);
}

TEST_CASE("a slot of a ring holds its block until the next one fills it", "[access]") {
  SharedFacts facts = example();
  facts.buffers[0].slots = 2;
  SharedRing ring;
  ring.numIterations = 2;
  ring.turns = {
      {-1, 0, true, 0}, {0, 1, true, 1}, {0, 0, false, 0}, {1, 0, true, 2}, {1, 1, false, 1}};
  const auto table = ringTable(facts, ring);
  REQUIRE(table.size() == 3);
  CHECK(table[0] == std::vector<RingCell>{{0, true, false}, {}});
  CHECK(table[1] == std::vector<RingCell>{{0, false, true}, {1, true, false}});
  CHECK(table[2] == std::vector<RingCell>{{2, true, false}, {1, false, true}});
  CHECK(ringCellText(2, true, false) == "fills 2");
  CHECK(ringCellText(-1, false, false).empty());
}

TEST_CASE("what is said of shared memory", "[access]") {
  SharedFacts facts = example();
  CHECK(sharedSentence(facts) == "96 B of 1000 B (10 %): 2 buffers, scratch of 1 operation");
  CHECK(bufferTitle(facts.buffers[0]) == "a: fp16[32]");
  CHECK(bufferTitle(facts.buffers[1]) == "scratch: handing a block of fp16[8, 4] between threads");
  CHECK(bufferLabel(facts.buffers[1]) == "scratch of convert_layout");
  CHECK(placeSentence(facts.buffers[2]) == "bytes 64 to 95 · 32 B");
  CHECK(lifeText(facts, 0) == "lines 12–14");
  CHECK(lifeText(facts, 1) == "line 16");
  CHECK(sharersSentence(facts, 0) ==
        "At other times its bytes are those of scratch of convert_layout (line 16).");
  CHECK(sharersSentence(facts, 2).empty());
  facts.limit = 90;
  CHECK(sharedSentence(facts).starts_with("96 B needed, and there are 90 B"));
  facts.buffers.clear();
  CHECK(sharedSentence(facts) == "This kernel keeps nothing in shared memory.");
}
