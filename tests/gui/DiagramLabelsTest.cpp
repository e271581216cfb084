// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What is written around a layout diagram: headings, numbers of rows and columns, names of banks.
#include "tests/gui/DiagramFixture.h"
#include "tests/gui/ExportedPicture.h"
#include "views/common/ElidedComboBox.h"
#include "views/common/HatchLines.h"
#include "views/common/Theme.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/LabelSpace.h"
#include "views/layout/LayoutDiagram.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QMouseEvent>
#include <QPainter>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>
#include <map>
#include <set>

using namespace tilescope;
using namespace tilescope::views;
using compiler::LayoutFacts;
using tests::Diagram;

TEST_CASE("headings stay when the grid is moved away", "[gui][layout]") {
  Diagram diagram;
  LayoutFacts facts = diagram.result->layouts[0];
  facts.shape = {256};
  facts.layout = {
      {"register", {{1}}}, {"lane", {{2}, {4}, {8}, {16}, {32}}}, {"warp", {{64}, {128}}}};
  diagram.show(facts);
  DiagramCanvas &hardware = diagram.view.hardwareCanvas();
  // Every row of warps has room for its names.
  const compiler::PictureGrid &grid = hardware.content().grid;
  REQUIRE(grid.hasTitles);
  REQUIRE(grid.numBlocksDown() >= 2);
  const LabelSpace space;
  CHECK((grid.gap + grid.titleGap) * hardware.scale() >=
        QFontMetricsF(space.titleFont()).height() + 3.9);
  // Where there is little room, cells need it more.
  CHECK(hardware.minimumSizeHint().height() <=
        space.top + (3 + double(grid.numBlocksDown() - 1)) * space.height + 11);
  const auto band = [&](const QRect &rect) {
    const QImage image = hardware.grab(rect).toImage();
    std::set<QRgb> colors;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x)
        colors.insert(image.pixel(x, y));
    return colors;
  };
  hardware.zoomBy(6, QPointF(hardware.rect().center()));
  // The upper left corner of the grid is far out of sight, its labels are at the edges.
  REQUIRE(hardware.toWidget({0, 0}).x() < -100);
  REQUIRE(hardware.toWidget({0, 0}).y() < -100);
  const QRgb panel = theme()[ColorRole::Panel].rgb();
  for (const QRect &rect :
       {QRect(60, 0, hardware.width() - 60, 30), QRect(0, 60, 24, hardware.height() - 60)}) {
    const std::set<QRgb> colors = band(rect);
    CHECK(colors.contains(panel));
    CHECK(colors.size() > 2);
  }
}

TEST_CASE("a column's label is whole, or not there", "[gui][layout]") {
  // Of a column between 100 and 140, 15 to either side of its middle, in sight from 0 on.
  const auto center = [](double visibleRight) {
    return labelCenter(100, 140, 15, 0, visibleRight);
  };
  CHECK(center(200) == 120);
  // The column reaches beyond the edge: the label moves as far as its column goes.
  CHECK(center(130) == 115);
  CHECK(center(115) == 100);
  CHECK_FALSE(center(114));
  CHECK(labelCenter(-30, 10, 8, 0, 200) == 8);
  CHECK_FALSE(labelCenter(-30, 4, 8, 0, 200));
}

/// Whether anything is drawn on the canvas within an area.
static bool hasInk(DiagramCanvas &canvas, const QRect &area) {
  const QImage image = canvas.grab(area).toImage();
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixel(x, y) != theme()[ColorRole::Panel].rgb())
        return true;
  return false;
}

TEST_CASE("labels of rows are whole however many digits they have", "[gui][layout]") {
  Diagram diagram;
  LayoutFacts facts = diagram.result->layouts[0];
  facts.shape = {1 << 20};
  facts.layout = {
      {"register", {{1}, {2}}}, {"lane", {{4}, {8}, {16}, {32}, {64}}}, {"warp", {{128}, {256}}}};
  for (int bit = 9; bit < 20; ++bit)
    facts.layout[0].bases.push_back({1 << bit});
  diagram.show(facts);
  DiagramCanvas &tensor = diagram.view.tensorCanvas();
  const DiagramContent &content = tensor.content();
  // Without the frame of the keyboard.
  tensor.clearFocus();
  const QString last = content.rowLabel(content.grid.rows - 1);
  REQUIRE(last.size() >= 6);
  const LabelSpace space(last);
  const int left = std::max(0, static_cast<int>(tensor.toWidget({0, 0}).x() - space.left));
  const auto top = static_cast<int>(tensor.toWidget({0, 0}).y()) + 10;
  CHECK_FALSE(hasInk(tensor, QRect(left, top, 4, tensor.height() - top - 4)));
  CHECK(hasInk(tensor, QRect(left, top, static_cast<int>(space.left), tensor.height() - top - 4)));
}

TEST_CASE("the rows of every warp are named where the names of warps set them apart",
          "[gui][layout]") {
  Diagram diagram({700, 230});
  LayoutFacts facts = diagram.result->layouts[0];
  facts.shape = {64};
  facts.layout = {
      {"register", {{1}, {2}}}, {"lane", {{4}, {8}, {16}, {32}, {0}}}, {"warp", {{0}, {0}}}};
  diagram.show(facts);
  DiagramCanvas &hardware = diagram.view.hardwareCanvas();
  hardware.clearFocus();
  const compiler::PictureGrid &grid = hardware.content().grid;
  REQUIRE(grid.numBlocksDown() == 4);
  const LabelSpace space(hardware.content().rowLabel(grid.rows - 1));
  REQUIRE(hardware.scale() < space.height / 2);
  for (int64_t warp = 0; warp < 4; ++warp) {
    INFO(warp);
    const QRectF first = hardware.cellRect(grid.number({warp * grid.blockRows, 0}));
    const QRect label(static_cast<int>(first.left() - space.left), static_cast<int>(first.top()),
                      static_cast<int>(space.left) - 6, 5);
    CHECK(hasInk(hardware, label));
  }
}

TEST_CASE("columns that the labels of rows cover have no label above these", "[gui][layout]") {
  Diagram diagram;
  LayoutFacts facts = diagram.result->layouts[0];
  facts.shape = {32, 64};
  facts.layout = {{"register", {{0, 1}, {0, 2}, {8, 0}, {16, 0}}},
                  {"lane", {{0, 4}, {0, 8}, {0, 16}, {1, 0}, {2, 0}}},
                  {"warp", {{4, 0}, {0, 32}}}};
  diagram.show(facts);
  DiagramCanvas &tensor = diagram.view.tensorCanvas();
  const LabelSpace space(QStringLiteral("31"));
  const QRect corner(0, 0, static_cast<int>(space.left) - 4,
                     static_cast<int>(space.top - space.height / 2) - 2);
  // Dragged until the first columns lie under the labels of the rows.
  for (int step = 0; step < 8; ++step) {
    QTest::mousePress(&tensor, Qt::LeftButton, {}, QPoint(300, 200));
    QMouseEvent move(QEvent::MouseMove, QPointF(293, 190), tensor.mapToGlobal(QPointF(293, 190)),
                     Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&tensor, &move);
    QTest::mouseRelease(&tensor, Qt::LeftButton, {}, QPoint(293, 190));
    tensor.clearFocus();
    INFO(step);
    CHECK_FALSE(hasInk(tensor, corner));
  }
  REQUIRE(tensor.toWidget({0, 0}).x() < space.left - 20);
  CHECK(hasInk(tensor, QRect(corner.right() + 4, 0, 300, corner.height())));
}

TEST_CASE("names of banks are not cut off", "[gui][layout]") {
  Diagram diagram;
  LayoutFacts facts = diagram.result->layouts[0];
  facts.shape = {4, 64};
  facts.elementBits = 16;
  facts.shared = true;
  facts.layout = {{"offset", {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {0, 32}, {1, 8}, {2, 16}}}};
  diagram.show(facts);
  QTemporaryDir folder;
  const QByteArray svg = tests::exportedSvg(diagram.view, folder);
  CHECK(svg.contains(">b0<"));
  CHECK(svg.contains(">b24<"));
}

TEST_CASE("names of tiles of one width are all there, or none is", "[gui][layout]") {
  Diagram diagram;
  LayoutFacts facts = diagram.result->layouts[0];
  facts.shape = {2, 64};
  facts.elementBits = 32;
  facts.shared = true;
  facts.layout = {{"offset", {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {0, 32}, {1, 0}}}};
  // Of letters on a ground there are more colors than two.
  DiagramCanvas &hardware = diagram.view.hardwareCanvas();
  const auto isNamed = [&](int bank) {
    const QPointF from = hardware.toWidget(QPointF(bank, 0)),
                  to = hardware.toWidget(QPointF(bank + 1, 4));
    const QImage tile =
        hardware.grab(QRectF(from, to).toAlignedRect().adjusted(2, 2, -2, -2)).toImage();
    std::set<QRgb> colors;
    for (int y = 0; y < tile.height(); ++y)
      for (int x = 0; x < tile.width(); ++x)
        colors.insert(tile.pixel(x, y));
    return colors.size() > 3;
  };
  int numNamed = 0, numNot = 0;
  for (int width = 500; width <= 2600; width += 100) {
    diagram.view.resize(width, 500);
    diagram.show(facts);
    QTest::qWait(10);
    INFO(width);
    CHECK(isNamed(1) == isNamed(11));
    (isNamed(1) ? numNamed : numNot)++;
  }
  CHECK(numNot > 0);
  CHECK(numNamed > 0);
}

TEST_CASE("the list of a choice is as wide as its texts", "[gui][layout]") {
  views::ElidedComboBox choice;
  choice.addItems(
      {QStringLiteral("line 34: shared store, 32 wavefronts"),
       QStringLiteral("line 34: shared store of a block with a long name, 64 wavefronts, "
                      "at least 32")});
  choice.setFixedWidth(120);
  choice.show();
  choice.showPopup();
  const QAbstractItemView &list = *choice.view();
  REQUIRE(QTest::qWaitFor([&] { return list.isVisible(); }));
  CHECK(list.viewport()->width() >= list.fontMetrics().horizontalAdvance(choice.itemText(1)));
  CHECK(list.textElideMode() == Qt::ElideRight);
  choice.hidePopup();
}
