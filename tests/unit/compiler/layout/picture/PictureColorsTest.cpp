// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/picture/PictureColors.h"

#include "compiler/layout/picture/LayoutPicture.h"
#include "tests/unit/compiler/layout/picture/RandomFacts.h"

#include <array>
#include <catch2/catch.hpp>
#include <ctime>

using namespace tilescope::compiler;
using namespace tilescope::compiler::test;

static MemberPalette paletteFor(int memberBits) {
  MemberPalette palette;
  palette.memberBits = memberBits;
  palette.none = 0xff0a141e;
  std::mt19937 engine(7);
  for (size_t i = 0; i < MemberPalette::numColors(memberBits); ++i)
    palette.colors.push_back(0xff000000 | (engine() & 0xffffff));
  return palette;
}

static int channel(uint32_t color, int index) { return static_cast<int>(color >> 8 * index & 255); }

TEST_CASE("from afar a sample has the mean color of its cells", "[compiler][layout]") {
  RandomFacts random;
  for (int trial = 0; trial < 500; ++trial) {
    LayoutFacts facts = random.next();
    const LayoutPicture picture =
        makeLayoutPicture(facts, defaultSlice(LayoutMap(facts)), Family::Lane);
    const PictureGrid &grid = picture.tensor.grid;
    const CellMap members = picture.membersOf(picture.tensor);
    const MemberPalette palette = paletteFor(picture.members.bits);
    CellSamples samples{{0, grid.rows, 0, grid.columns}, random.number(0, 3), random.number(0, 3)};
    std::vector<uint32_t> colors(static_cast<size_t>(samples.numRows() * samples.numColumns()));
    sampleColors(members, palette, samples, colors);
    for (int64_t row = 0; row < samples.numRows(); ++row)
      for (int64_t column = 0; column < samples.numColumns(); ++column) {
        std::array<double, 3> sum{};
        int count = 0;
        for (int64_t y = row << samples.rowLevel; y < (row + 1) << samples.rowLevel; ++y)
          for (int64_t x = column << samples.columnLevel; x < (column + 1) << samples.columnLevel;
               ++x, ++count)
            for (int i = 0; i < 3; ++i)
              sum[static_cast<size_t>(i)] += channel(palette.of(members.at({y, x})), i);
        for (int i = 0; i < 3; ++i)
          REQUIRE(channel(colors[static_cast<size_t>(row * samples.numColumns() + column)], i) ==
                  Approx(sum[static_cast<size_t>(i)] / count).margin(0.51));
      }
  }
}

TEST_CASE("near by a sample is a cell", "[compiler][layout]") {
  RandomFacts random;
  for (int trial = 0; trial < 100; ++trial) {
    const LayoutFacts facts = random.next();
    const LayoutPicture picture =
        makeLayoutPicture(facts, defaultSlice(LayoutMap(facts)), Family::Register);
    const PictureGrid &grid = picture.hardware.grid;
    const CellMap members = picture.membersOf(picture.hardware);
    const MemberPalette palette = paletteFor(picture.members.bits);
    const CellSamples samples{{0, grid.rows, 0, grid.columns}, 0, 0};
    std::vector<uint32_t> colors(static_cast<size_t>(grid.numCells));
    sampleColors(members, palette, samples, colors);
    for (int64_t number = 0; number < grid.numCells; ++number)
      REQUIRE(colors[static_cast<size_t>(number)] == palette.of(members.at(grid.cell(number))));
  }
}

TEST_CASE("a large family shares its colors", "[compiler][layout]") {
  const MemberPalette palette = paletteFor(18);
  CHECK(palette.colors.size() == 1024);
  CHECK(palette.of(255) == palette.colors[0]);
  CHECK(palette.of(256) == palette.colors[1]);
  CHECK(palette.of((1 << 18) - 1) == palette.colors[1023]);
  CHECK(palette.of(1 << 18) == palette.none);
}

TEST_CASE("patterns of eight neighbours differ", "[compiler][layout]") {
  for (uint64_t i = 0; i < 8; ++i)
    for (uint64_t j = 0; j < i; ++j) {
      const Hatch a = hatchOf(i), b = hatchOf(j);
      CHECK((a.rising != b.rising || a.falling != b.falling || a.horizontal != b.horizontal ||
             a.vertical != b.vertical));
    }
}

/// An operand of a product of 1024 x 1024 in fused multiply-adds: every lane holds whole rows, and
/// 128 lanes hold each element.
static LayoutFacts operandOfThreads() {
  LayoutFacts facts;
  facts.shape = {1024, 1024};
  facts.elementBits = 32;
  facts.layout = {{"register", {}},
                  {"lane", {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},
                  {"warp", {{0, 0}, {0, 0}}}};
  for (int bit = 0; bit < 10; ++bit)
    facts.layout[0].bases.push_back({0, 1 << bit});
  for (int bit = 0; bit < 10; ++bit)
    facts.layout[0].bases.push_back({1 << bit, 0});
  return facts;
}

TEST_CASE("a picture costs what is seen of it", "[compiler][layout]") {
  const auto timeMs = [] {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
  };
  const double before = timeMs();
  const LayoutFacts facts = operandOfThreads();
  const LayoutPicture picture =
      makeLayoutPicture(facts, defaultSlice(LayoutMap(facts)), Family::Register);
  CHECK(picture.map.numPlaces() == uint64_t(1) << 27);
  CHECK(picture.map.replication() == 128);
  // All of the 134 million places, 128 x 128 to a sample.
  const PictureGrid &grid = picture.hardware.grid;
  CHECK(grid.rows * grid.columns == int64_t(1) << 27);
  const CellSamples samples{{0, grid.rows, 0, grid.columns}, 7, 7};
  std::vector<uint32_t> colors(static_cast<size_t>(samples.numRows() * samples.numColumns()));
  sampleColors(picture.membersOf(picture.hardware), paletteFor(picture.members.bits), samples,
               colors);
  CHECK(timeMs() - before < 16);
}
