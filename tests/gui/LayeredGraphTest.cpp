// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/model/LayeredGraph.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace tilescope;
using namespace tilescope::views;

static constexpr GraphMetrics kMetrics{
    .boxWidth = 100, .boxHeight = 40, .columnGap = 30, .rowGap = 10};

using Sources = std::vector<std::vector<uint32_t>>;

static double middle(const LayeredGraph &graph, size_t box) {
  const GridRect rect = graph.boxRect(box);
  return rect.y + rect.height / 2;
}

/// How often lines of neighboring columns cross.
static int crossings(const LayeredGraph &graph) {
  int count = 0;
  for (size_t column = 0; column < graph.numColumns(); ++column) {
    std::vector<std::pair<uint32_t, uint32_t>> lines;
    for (auto [i, behind] = graph.placesIn(column); i < behind; ++i)
      for (const uint32_t next : graph.places()[static_cast<size_t>(i)].next)
        lines.emplace_back(static_cast<uint32_t>(i), next);
    for (const auto &one : lines)
      for (const auto &other : lines)
        count += one.first < other.first && one.second > other.second;
  }
  return count;
}

TEST_CASE("a chain is a straight row", "[model][graph]") {
  const LayeredGraph graph(Sources{{}, {0}, {1}, {2}}, kMetrics);
  CHECK(graph.numColumns() == 4);
  CHECK(graph.width() == 3 * 130 + 100);
  CHECK(graph.height() == 40);
  for (size_t i = 0; i < 4; ++i)
    CHECK(graph.boxRect(i) == GridRect{static_cast<double>(i) * 130, 0, 100, 40});
}

TEST_CASE("branches lie around what they come from and lead to", "[model][graph]") {
  const LayeredGraph graph(Sources{{}, {0}, {0}, {1, 2}}, kMetrics);
  CHECK(graph.numColumns() == 3);
  CHECK(graph.height() == 90);
  CHECK(middle(graph, 0) == Approx(45));
  CHECK(middle(graph, 3) == Approx(45));
  CHECK(std::abs(middle(graph, 1) - middle(graph, 2)) == Approx(50));
  CHECK(crossings(graph) == 0);
}

TEST_CASE("a line around boxes passes them, and is shared by its readers", "[model][graph]") {
  // The residual of a block, read again at the end.
  const LayeredGraph graph(Sources{{}, {0}, {1}, {0, 2}, {0, 3}}, kMetrics);
  const std::vector<uint32_t> near = graph.wayTo(0, 3), far = graph.wayTo(0, 4);
  REQUIRE(near.size() == 4);
  REQUIRE(far.size() == 5);
  CHECK(near[1] == far[1]);
  CHECK(near[2] == far[2]);
  for (size_t i = 1; i + 1 < far.size(); ++i) {
    const GraphPlace &pass = graph.places()[far[i]];
    CHECK(pass.isPass);
    CHECK(pass.box == 0);
    CHECK(pass.column == i);
    // Beside the boxes of its column.
    for (size_t box = 1; box < 4; ++box)
      if (graph.columnOf(box) == i)
        CHECK(std::abs(middle(graph, box) - pass.y) >= 30);
  }
  CHECK(graph.jumps().empty());
}

TEST_CASE("what reads nothing stands right before its first reader", "[model][graph]") {
  const LayeredGraph graph(Sources{{}, {0}, {1}, {}, {2, 3}}, kMetrics);
  CHECK(graph.columnOf(3) == 2);
  CHECK(graph.columnOf(4) == 3);
}

TEST_CASE("boxes of any graph keep their distance, behind what they read", "[model][graph]") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const auto numBoxes = 1 + random() % 60;
    Sources sources(numBoxes);
    for (uint32_t i = 1; i < numBoxes; ++i)
      for (uint32_t source = 0; source < i; ++source)
        if (random() % i < 2)
          sources[i].push_back(source);
    const LayeredGraph graph(sources, kMetrics);
    REQUIRE(graph.numBoxes() == numBoxes);
    for (uint32_t i = 0; i < numBoxes; ++i) {
      const GridRect rect = graph.boxRect(i);
      REQUIRE(rect.y >= -1e-6);
      REQUIRE(rect.y + rect.height <= graph.height() + 1e-6);
      REQUIRE(graph.boxAt({rect.x + 1, rect.y + 1}) == static_cast<int>(i));
      for (const uint32_t source : sources[i]) {
        REQUIRE(graph.columnOf(source) < graph.columnOf(i));
        const std::vector<uint32_t> way = graph.wayTo(source, i);
        REQUIRE(way.size() == graph.columnOf(i) - graph.columnOf(source) + 1);
        REQUIRE(way.back() == graph.placeOf(i));
      }
    }
    for (size_t column = 0; column < graph.numColumns(); ++column) {
      const auto [first, behind] = graph.placesIn(column);
      for (int64_t i = first + 1; i < behind; ++i) {
        const GraphPlace &above = graph.places()[static_cast<size_t>(i - 1)];
        const GraphPlace &below = graph.places()[static_cast<size_t>(i)];
        const double halves = (above.isPass ? 4 : 20) + (below.isPass ? 4 : 20);
        REQUIRE(below.y - above.y >= halves + 10 - 1e-6);
      }
    }
  }
}

TEST_CASE("lines that would pass too many boxes jump", "[model][graph]") {
  // Each box reads all before it.
  Sources sources(600);
  for (uint32_t i = 1; i < sources.size(); ++i)
    for (uint32_t source = i > 100 ? i - 100 : 0; source < i; ++source)
      sources[i].push_back(source);
  const LayeredGraph graph(sources, kMetrics);
  CHECK_FALSE(graph.jumps().empty());
  CHECK(graph.places().size() < 10 * sources.size());
  for (const GraphJump &jump : graph.jumps())
    REQUIRE(graph.wayTo(jump.from, jump.to).empty());
  CHECK(graph.wayTo(0, 1).size() == 2);
}

TEST_CASE("neighbors in a column are boxes", "[model][graph]") {
  const LayeredGraph graph(Sources{{}, {0}, {0}, {0}, {1, 2, 3}}, kMetrics);
  std::vector<uint32_t> column{1, 2, 3};
  std::ranges::sort(column, {}, [&](uint32_t box) { return middle(graph, box); });
  CHECK(graph.neighbor(column[0], 1) == column[1]);
  CHECK(graph.neighbor(column[1], 1) == column[2]);
  CHECK(graph.neighbor(column[2], 1) == column[2]);
  CHECK(graph.neighbor(column[1], -1) == column[0]);
}

TEST_CASE("no boxes are no picture", "[model][graph]") {
  const LayeredGraph graph(Sources{}, kMetrics);
  CHECK(graph.numColumns() == 0);
  CHECK(graph.width() == 0);
  CHECK(graph.boxAt({0, 0}) == -1);
}
