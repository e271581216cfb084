// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/FakeResult.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/DiagramGrid.h"
#include "views/layout/LayoutDiagram.h"
#include "views/layout/LayoutMap.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::views;
using compiler::LayoutFacts;

/// The worked example of LayoutMap.h.
static LayoutFacts eightElements() {
  LayoutFacts facts;
  facts.shape = {8};
  facts.elementBits = 32;
  facts.layout = {{"register", {{1}}}, {"lane", {{2}}}, {"warp", {{4}}}};
  return facts;
}

TEST_CASE("a place holds the xor of its bases", "[gui][layout]") {
  const LayoutMap map(eightElements());
  CHECK(map.numPlaces() == 8);
  CHECK(map.elementOf(map.place(1, 0, 1)) == 5);
  CHECK(map.ownersOf(5) == std::vector<uint32_t>{map.place(1, 0, 1)});
  CHECK(map.replication() == 1);
}

TEST_CASE("owners invert places for every element", "[gui][layout]") {
  LayoutFacts facts;
  facts.shape = {16, 8};
  facts.elementBits = 16;
  // The accumulator of a 16x8 matrix instruction.
  facts.layout = {{"register", {{0, 1}, {8, 0}}},
                  {"lane", {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}},
                  {"warp", {{0, 0}}}};
  const LayoutMap map(facts);
  CHECK(map.replication() == 2);
  for (int64_t element = 0; element < map.numElements(); ++element) {
    const std::vector<uint32_t> owners = map.ownersOf(element);
    REQUIRE(owners.size() == 2);
    for (uint32_t owner : owners)
      CHECK(map.elementOf(owner) == element);
  }
}

TEST_CASE("elements outside a layout have no owner", "[gui][layout]") {
  LayoutFacts facts = eightElements();
  facts.layout[2].bases.clear();
  const LayoutMap map(facts);
  CHECK(map.replication() == 0);
  CHECK(map.ownersOf(4).empty());
  CHECK(map.ownersOf(3).size() == 1);
}

TEST_CASE("contiguous elements follow the low register bits", "[gui][layout]") {
  CHECK(LayoutMap(tests::sampleResult()->layouts[0]).contiguousElements() == 4);
  CHECK(LayoutMap(eightElements()).contiguousElements() == 2);
}

TEST_CASE("cells and points agree across gaps", "[gui][layout]") {
  const LayoutMap map(tests::sampleResult()->layouts[0]);
  const HardwareGrid hardware = makeHardwareGrid(map, 32, false);
  CHECK(hardware.grid.blockRows == 32);
  CHECK(hardware.grid.blockColumns == 8);
  CHECK(hardware.grid.blockTitles.size() == 4);
  for (int cell = 0; cell < hardware.grid.numCells(); ++cell) {
    REQUIRE(hardware.grid.cellAt(hardware.grid.cellRect(cell).center()) == cell);
    REQUIRE(hardware.cells[hardware.places[cell]] == cell);
  }
  // Between the first and the second warp.
  CHECK(hardware.grid.cellAt(QPointF(8.2, 3.5)) == -1);
  CHECK(hardware.grid.cellAt(QPointF(-0.1, 3.5)) == -1);
}

TEST_CASE("warps with few registers lie on their side", "[gui][layout]") {
  LayoutFacts facts;
  facts.shape = {256};
  facts.elementBits = 32;
  facts.layout = {
      {"register", {{1}}}, {"lane", {{2}, {4}, {8}, {16}, {32}}}, {"warp", {{64}, {128}}}};
  const LayoutMap map(facts);
  const HardwareGrid hardware = makeHardwareGrid(map, 32, false);
  CHECK(hardware.lanesAcross);
  CHECK(hardware.grid.blockRows == 2);
  CHECK(hardware.grid.blockColumns == 32);
  // One below the other: the four together are wider than high.
  CHECK(hardware.grid.columns == 32);
  CHECK(hardware.grid.rows == 8);
  // Lane 3, register 1 of warp 2.
  const int cell = hardware.cells[map.place(1, 3, 2)];
  CHECK(cell == (2 * 2 + 1) * 32 + 3);
  CHECK(hardware.places[static_cast<size_t>(cell)] == map.place(1, 3, 2));
}

TEST_CASE("one-dimensional tensors are wrapped, others cut", "[gui][layout]") {
  const LayoutMap line(tests::sampleResult()->layouts[0]);
  const TensorGrid wrapped = makeTensorGrid(line, defaultSlice(line));
  CHECK(wrapped.grid.columns * wrapped.grid.rows == 1024);
  CHECK(wrapped.cellOf(line, defaultSlice(line), 700) == 700);

  LayoutFacts cube;
  cube.shape = {2, 4, 8};
  cube.layout = {{"register", {{0, 0, 1}, {0, 0, 2}, {0, 0, 4}}},
                 {"lane", {{0, 1, 0}, {0, 2, 0}, {1, 0, 0}}}};
  const LayoutMap map(cube);
  TensorSlice slice = defaultSlice(map);
  slice.fixed[0] = 1;
  const TensorGrid cut = makeTensorGrid(map, slice);
  CHECK(cut.grid.rows == 4);
  CHECK(cut.grid.columns == 8);
  CHECK(cut.elements[3 * 8 + 5] == map.elementAt({1, 3, 5}));
  CHECK(cut.cellOf(map, slice, map.elementAt({0, 3, 5})) == -1);
  CHECK(cut.cellOf(map, slice, map.elementAt({1, 3, 5})) == 3 * 8 + 5);
}

TEST_CASE("shared memory is shown in rows of 32 banks", "[gui][layout]") {
  LayoutFacts facts;
  facts.shape = {4, 64};
  facts.elementBits = 16;
  facts.shared = true;
  facts.layout = {{"offset", {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {0, 32}, {1, 8}, {2, 16}}}};
  const HardwareGrid grid = makeHardwareGrid(LayoutMap(facts), 16, true);
  CHECK(grid.grid.columns == 64);
  CHECK(grid.grid.rows == 4);
}

TEST_CASE("the layout of the smallest range under the cursor is chosen", "[gui][layout]") {
  const auto result = tests::sampleResult();
  Focus focus;
  focus.position = tests::rangeOf(tests::sampleSource(), "x + y").begin;
  focus.sources = {tests::rangeOf(tests::sampleSource(), "x + y")};
  CHECK(layoutAt(result->layouts, focus) == 1);
  Focus line;
  line.stage = compiler::StageId::Ttgir;
  line.position = {7, 0};
  CHECK(layoutAt(result->layouts, line) == 0);
  CHECK(layoutAt(result->layouts, Focus{}) == -1);
}

TEST_CASE("pointing at an element shows its owners, and the other way round", "[gui][layout]") {
  FocusState focus;
  LayoutDiagram diagram(&focus);
  diagram.resize(1200, 500);
  diagram.setResult(tests::sampleResult());
  diagram.show();
  REQUIRE(QTest::qWaitForWindowExposed(&diagram));
  DiagramCanvas &tensor = diagram.tensorCanvas();
  const QPointF point = tensor.toWidget(tensor.content().grid.cellRect(130).center());
  QTest::mouseMove(&tensor, point.toPoint());
  QTest::qWait(20);
  REQUIRE(tensor.cellAt(point) == 130);
  CHECK(tensor.highlighted() == std::vector<int>{130});
  CHECK(diagram.hardwareCanvas().highlighted().size() == 1);
  CHECK(diagram.infoText().contains(QStringLiteral("element [130]")));
  CHECK(diagram.infoText().contains(QStringLiteral("warp 1 · lane 0 · register 2")));
}

TEST_CASE("zooming keeps the point under the pointer", "[gui][layout]") {
  FocusState focus;
  LayoutDiagram diagram(&focus);
  diagram.resize(1200, 500);
  diagram.setResult(tests::sampleResult());
  diagram.show();
  DiagramCanvas &tensor = diagram.tensorCanvas();
  const QPointF around = tensor.toWidget(tensor.content().grid.cellRect(200).center());
  const double before = tensor.scale();
  tensor.zoomBy(2, around);
  CHECK(tensor.scale() == Approx(2 * before));
  CHECK(tensor.cellAt(around) == 200);
  tensor.fit();
  CHECK(tensor.scale() == Approx(before));
}

TEST_CASE("diagrams are exported as SVG and PNG", "[gui][layout]") {
  QTemporaryDir folder;
  FocusState focus;
  LayoutDiagram diagram(&focus);
  CHECK_FALSE(diagram.exportSvg(folder.filePath(QStringLiteral("empty.svg"))));
  diagram.setResult(tests::sampleResult());
  REQUIRE(diagram.exportSvg(folder.filePath(QStringLiteral("layout.svg"))));
  REQUIRE(diagram.exportPng(folder.filePath(QStringLiteral("layout.png"))));
  QFile svg(folder.filePath(QStringLiteral("layout.svg")));
  REQUIRE(svg.open(QIODevice::ReadOnly));
  CHECK(svg.readAll().contains("warp 3"));
  CHECK(QImage(folder.filePath(QStringLiteral("layout.png"))).width() == 3200);
}
