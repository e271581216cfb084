// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// How many programs touch each element: counted by cells, against every element by itself.
#include "compiler/access/arrays/ReuseDistance.h"
#include "compiler/access/arrays/StepLoops.h"
#include "compiler/access/arrays/TouchColors.h"
#include "compiler/access/arrays/TouchWords.h"
#include "tests/support/TouchTraces.h"

#include <catch2/catch.hpp>
#include <random>
#include <set>

using namespace tilescope::compiler;
using namespace tilescope::compiler::access;
using namespace tilescope::tests;

/// The programs that touch each element, by looking at each box of each program.
static std::vector<uint32_t> bruteForce(const TouchedArrays &arrays, size_t array,
                                        const ProgramRange &programs, TouchKind kind) {
  const ArrayShape &shape = arrays.shape(array);
  std::vector<uint32_t> counts(static_cast<size_t>(shape.numElements));
  for (uint64_t program = programs.first; program < programs.last; ++program) {
    const auto boxes = arrays.boxes(array, program, {});
    for (size_t number = 0; number < counts.size(); ++number) {
      const ArrayElement at = elementAt(shape, static_cast<int64_t>(number));
      bool isTouched = false;
      for (const TouchedBox &touched : boxes) {
        const TouchAccess &by = arrays.access(touched.access);
        isTouched |= (kind == TouchKind::Read ? by.reads : by.writes) &&
                     touched.box.contains(at.slice, at.row, at.column);
      }
      counts[number] += isTouched;
    }
  }
  return counts;
}

static void checkCounts(const TouchedArrays &arrays) {
  const ProgramRange all{0, numPrograms(arrays.trace().grid)};
  for (size_t array = 0; array < arrays.numArrays(); ++array)
    for (const TouchKind kind : {TouchKind::Read, TouchKind::Written}) {
      const auto counts = countTouches(arrays, array, all, kind);
      REQUIRE(counts);
      CHECK(counts->sampledEvery() == 1);
      CHECK_FALSE(counts->cells().isCoarse());
      const std::vector<uint32_t> expected = bruteForce(arrays, array, all, kind);
      uint64_t different = 0, total = 0;
      uint32_t most = 0;
      for (size_t number = 0; number < expected.size(); ++number) {
        const ArrayElement at = elementAt(arrays.shape(array), static_cast<int64_t>(number));
        if (counts->at(at) != expected[number])
          FAIL("element " << number << ": " << counts->at(at) << " instead of "
                          << expected[number]);
        different += expected[number] > 0;
        total += expected[number];
        most = std::max(most, expected[number]);
      }
      CHECK(counts->different() == different);
      CHECK(counts->total() == total);
      CHECK(counts->most() == most);
    }
}

TEST_CASE("tiles of a product are counted by cells", "[access]") {
  const TouchedArrays arrays(productTrace({4, 64, 1}));
  REQUIRE(arrays.numArrays() == 3);
  const auto counts = countTouches(arrays, 0, {0, 16}, TouchKind::Read);
  CHECK(counts->cells().edges(1) == std::vector<int64_t>{0, 64, 128, 192, 256});
  CHECK(counts->cells().edges(2) == std::vector<int64_t>{0, 256});
  CHECK(counts->least() == 4);
  CHECK(counts->most() == 4);
  CHECK(countsText(*counts, TouchKind::Read) == "read by 4 programs");
  checkCounts(TouchedArrays(productTrace({4, 8, 1})));
  checkCounts(TouchedArrays(productTrace({4, 8, 2})));
}

TEST_CASE("random boxes are counted as each element is by itself", "[access]") {
  std::mt19937 random(3);
  const auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  for (int round = 0; round < 40; ++round) {
    TouchTrace trace;
    trace.grid = {6, 1, 1};
    trace.programs = {0, 6, 1};
    trace.arguments = {{"x", int64_t{1} << 44, {3, 17, 20}, 4}};
    trace.accesses = {{{}, "tt.load", true, false, true, 4},
                      {{}, "tt.store", false, true, true, 4}};
    for (uint32_t program = 0; program < 6; ++program)
      for (int run = 0; run < 4; ++run)
        trace.runs.push_back({program,
                              static_cast<uint32_t>(pick(0, 1)),
                              static_cast<uint32_t>(run),
                              static_cast<uint32_t>(pick(1, 4)),
                              trace.arguments[0].address + 4 * pick(-5, 900),
                              4 * pick(-30, 40),
                              {{pick(1, 7), 80}, {pick(1, 9), 4 * pick(1, 3)}}});
    checkCounts(TouchedArrays(std::move(trace)));
  }
}

TEST_CASE("a picture shows the most touched of the elements that share a pixel", "[access]") {
  const TouchedArrays arrays(productTrace({4, 64, 1}));
  const auto counts = countTouches(arrays, 0, {0, 6}, TouchKind::Read);
  const ArrayWindow whole = wholeWindow(arrays.shape(0));
  // Programs 0 to 3 read the first band, 4 and 5 the second.
  CHECK(counts->picture(0, whole, 1, 4) == std::vector<uint32_t>{4, 2, 0, 0});
  CHECK(counts->picture(0, whole, 2, 2) == std::vector<uint32_t>{4, 4, 0, 0});
  CHECK(counts->picture(0, {64, 0, 64, 256}, 1, 2) == std::vector<uint32_t>{2, 2});
  CHECK(counts->picture(1, whole, 1, 1) == std::vector<uint32_t>{0});
  // More than one pixel for each element.
  CHECK(counts->picture(0, {62, 0, 4, 1}, 1, 8) == std::vector<uint32_t>{4, 4, 4, 4, 2, 2, 2, 2});
}

TEST_CASE("grouped tiles share more", "[access]") {
  const TouchedArrays rows(productTrace({16, 64, 1})), squares(productTrace({16, 64, 4}));
  const auto inRows = waveTraffic(rows, waveAt(0, rows.trace().grid, 16));
  const auto inSquares = waveTraffic(squares, waveAt(0, squares.trace().grid, 16));
  REQUIRE(inRows);
  REQUIRE(inSquares);
  // A band has 64 rows of 1024 halves.
  constexpr uint64_t kBand = 64 * 1024 * 2;
  CHECK(inRows->bytesRead == 32 * kBand);
  CHECK(inRows->bytesDifferent == 17 * kBand);
  CHECK(inSquares->bytesRead == 32 * kBand);
  CHECK(inSquares->bytesDifferent == 8 * kBand);
  CHECK(inSquares->bytesWritten == 16 * 64 * 64 * 4);
  CHECK(waveText(*inSquares) ==
        "16 programs read 4 MiB; 1 MiB of it is different: each byte is read 4.0 times");
  const auto all = wavesTraffic(squares, 16);
  REQUIRE(all);
  CHECK(all->waves == 16);
  CHECK(all->bytesRead == 16 * 32 * kBand);
  CHECK(all->bytesDifferent == 16 * 8 * kBand);
  CHECK(all->bytesLeast == 32 * kBand);
}

TEST_CASE("a band is far from its next use when tiles go row by row", "[access]") {
  const TouchedArrays rows(productTrace({16, 64, 1})), squares(productTrace({16, 64, 4}));
  constexpr uint64_t kBand = 64 * 1024 * 2;
  const auto inRows = findReuse(rows, 16, 16 * kBand);
  REQUIRE(inRows);
  CHECK(inRows->distances[0].most() == 0);
  CHECK(inRows->distances[1].least() == 17 * kBand / kDistanceBytes);
  CHECK(inRows->distances[1].most() == 17 * kBand / kDistanceBytes);
  CHECK(inRows->bytesRead == 16 * 17 * kBand);
  CHECK(inRows->bytesFetched == inRows->bytesRead);
  CHECK(findReuse(rows, 16, 17 * kBand)->bytesFetched == 32 * kBand);
  // Four waves of a group read its four bands of A; the next group reads those of B again.
  const auto inSquares = findReuse(squares, 16, 16 * kBand);
  CHECK(inSquares->distances[0].most() == 8 * kBand / kDistanceBytes);
  CHECK(inSquares->distances[1].least() == 20 * kBand / kDistanceBytes);
  CHECK(inSquares->distances[1].most() == 24 * kBand / kDistanceBytes);
  CHECK(inSquares->bytesFetched == (16 + 4 * 16) * kBand);
  CHECK(reuseText(*inSquares) == "A cache of 2 MiB fetches 10 MiB of the 16 MiB that waves read");
  CHECK(distanceText(inSquares->distances[0]) == "up to 1 MiB read between two uses");
}

TEST_CASE("distances are those of a list of what was read last", "[access]") {
  std::mt19937 random(11);
  for (int round = 0; round < 30; ++round) {
    TouchTrace trace;
    trace.grid = {40, 1, 1};
    trace.programs = {0, 40, 1};
    trace.arguments = {{"x", int64_t{1} << 44, {64}, 1024}};
    trace.accesses = {{{}, "tt.load", true, false, true, 1024}};
    std::vector<int64_t> first;
    for (uint32_t program = 0; program < 40; ++program) {
      first.push_back(std::uniform_int_distribution<int64_t>(0, 60)(random));
      trace.runs.push_back(
          {program, 0, 0, 1, trace.arguments[0].address + first.back() * 1024, 0, {{4, 1024}}});
    }
    // By looking back from each element to the program that read it last.
    constexpr size_t kElements = 12;
    uint64_t fetched = 0;
    for (size_t program = 0; program < first.size(); ++program)
      for (int64_t element = first[program]; element < first[program] + 4; ++element) {
        size_t last = program;
        std::set<int64_t> since;
        const auto reads = [&](size_t by) {
          return first[by] <= element && element < first[by] + 4;
        };
        while (last > 0 && !reads(--last))
          ;
        for (size_t by = last; by < program; ++by)
          for (int64_t each = first[by]; each < first[by] + 4; ++each)
            since.insert(each);
        const bool wasRead = last < program && reads(last);
        fetched += !wasRead || since.size() > kElements;
      }
    const auto reuse = findReuse(TouchedArrays(std::move(trace)), 1, kElements * 1024);
    CHECK(reuse->bytesFetched == fetched * 1024);
    CHECK(reuse->bytesRead == 160 * 1024);
  }
}

TEST_CASE("waves are the programs in order, the last one what is left", "[access]") {
  const Grid grid{5, 3, 2};
  CHECK(numPrograms(grid) == 30);
  CHECK(programAt(17, grid) == Grid{2, 0, 1});
  for (uint64_t number = 0; number < 30; ++number)
    CHECK(programNumber(programAt(number, grid), grid) == number);
  CHECK(programText(17, grid) == "(2, 0, 1)");
  CHECK(programText(17, {40, 1, 1}) == "17");
  CHECK(numWaves(grid, 8) == 4);
  CHECK(waveAt(3, grid, 8) == ProgramRange{24, 30});
}

TEST_CASE("what is touched is said in words", "[access]") {
  const TouchedArrays arrays(productTrace({4, 64, 1}));
  CHECK(arrayTitle(arrays, 0) == "a_ptr [256, 256]");
  CHECK(touchText(arrays, 0, 5, {2, 3}) == "reads rows 64 to 127, columns 64 to 95");
  CHECK(touchText(arrays, 0, 5, {}) == "reads rows 64 to 127, columns 0 to 255");
  CHECK(touchText(arrays, 2, 5, {0, 1}) == "not in this iteration");
  CHECK(touchText(arrays, 2, 5, {7, 8}) == "writes rows 64 to 127, columns 64 to 127");
  CHECK(programTotals(arrays, 5, {}) == "reads 64 KiB, writes 16 KiB");
  CHECK(elementText(arrays, 1, {0, 3, 17}) == "b_ptr[3, 17]");
  CHECK(arrays.numSteps(5) == 8);
}

TEST_CASE("loads of a vector that overlap are one stretch", "[access]") {
  const int64_t x = int64_t{1} << 44;
  TouchTrace trace;
  trace.grid = {1, 1, 1};
  trace.programs = {0, 1, 1};
  trace.arguments = {{"x_ptr", x, {1000}, 4}};
  trace.accesses = {{{}, "tt.load", true, false, false, 4}};
  // An element, the one before and the one behind it.
  trace.runs = {{0, 0, 0, 1, x, 0, {{256, 4}}},
                {0, 0, 0, 1, x, 0, {{255, 4}}},
                {0, 0, 0, 1, x + 4, 0, {{256, 4}}}};
  CHECK(touchText(TouchedArrays(trace), 0, 0, {}) == "reads elements 0 to 256");
  // A gap between two stretches.
  trace.runs.push_back({0, 0, 0, 1, x + 4 * 300, 0, {{10, 4}}});
  trace.runs.push_back({0, 0, 0, 1, x + 4 * 305, 0, {{10, 4}}});
  CHECK(touchText(TouchedArrays(trace), 0, 0, {}) == "reads elements 0 to 256 and 1 more piece");
}

TEST_CASE("a trace of some programs tells what it has", "[access]") {
  TouchTrace trace = productTrace({4, 64, 1});
  trace.programs = {1, 5, 3};
  const TouchedArrays every(std::move(trace));
  CHECK(every.has(4));
  CHECK_FALSE(every.has(5));
  CHECK_FALSE(every.has(16));
  CHECK(every.hasAll({4, 5}));
  CHECK_FALSE(every.hasAll({4, 8}));
  CHECK_FALSE(wavesTraffic(every, 4));
}

TEST_CASE("tiles of a matrix in a vector fold the vector to the matrix", "[access]") {
  TouchTrace trace = productTrace({4, 64, 1});
  trace.arguments[0].shape = {256 * 256};
  const TouchedArrays arrays(std::move(trace));
  CHECK(arrays.shape(0).columns == 256);
  CHECK(arrays.boxes(0, 5, {2, 3}).size() == 1);
}

TEST_CASE("more programs are further from the background", "[access]") {
  for (uint32_t count = 1; count < 300; ++count) {
    CHECK(countColor(count + 1, 300, true).lightness > countColor(count, 300, true).lightness);
    CHECK(countColor(count + 1, 300, false).lightness < countColor(count, 300, false).lightness);
  }
}

TEST_CASE("turns of loops one behind the other are told apart", "[access]") {
  TouchTrace trace;
  trace.grid = {1, 1, 1};
  trace.programs = {0, 1, 1};
  constexpr int64_t kArea = int64_t{1} << 44;
  trace.arguments = {{"x", kArea, {64}, 4}, {"w", 2 * kArea, {64}, 4}};
  trace.accesses = {{{{25, 8}, {25, 20}}, "tt.load", true, false, true, 4},
                    {{{30, 8}, {30, 20}}, "tt.load", true, false, true, 4},
                    {{{31, 8}, {31, 20}}, "tt.load", true, false, true, 4},
                    {{{33, 4}, {33, 20}}, "tt.store", false, true, false, 4}};
  trace.runs = {{0, 0, 0, 2, kArea, 32, {{8, 4}}},
                {0, 1, 2, 3, kArea, 32, {{8, 4}}},
                // Left out in the first turn.
                {0, 2, 3, 2, 2 * kArea, 32, {{8, 4}}},
                {0, 3, 4, 1, kArea, 0, {{8, 4}}}};
  const TouchedArrays arrays(trace);
  const std::vector<StepLoop> loops = stepLoops(arrays, 0);
  REQUIRE(loops.size() == 2);
  CHECK(loops[1].steps.first == 2);
  CHECK(loops[1].steps.last == 5);
  CHECK(stepLoopText(arrays, 0, 1) == "turn 1 of 0–1 of the loop with line 26");
  CHECK(stepLoopText(arrays, 0, 2) == "turn 0 of 0–2 of the loop with lines 31 to 32");
  // One loop needs no such words.
  CHECK(stepLoopText(TouchedArrays(productTrace({4, 64, 1})), 0, 1).empty());
}
