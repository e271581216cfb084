// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/gui/DiagramFixture.h"
#include "tests/support/FakeResult.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/LayoutDiagram.h"

#include <QLabel>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::views;
using tests::Diagram;

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
  const QPointF point = tensor.cellRect(130).center();
  QTest::mouseMove(&tensor, point.toPoint());
  QTest::qWait(20);
  REQUIRE(tensor.cellAt(point) == 130);
  CHECK(tensor.highlighted() == std::vector<int64_t>{130});
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
  const QPointF around = tensor.cellRect(200).center();
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
  const QByteArray text = svg.readAll();
  CHECK(text.contains("warp 3"));
  // The title names an encoding, `#ttg.blocked<{…}>`.
  QXmlStreamReader xml(text);
  QString title;
  while (!xml.atEnd())
    if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == u"title")
      title = xml.readElementText();
  CHECK_FALSE(xml.hasError());
  CHECK(title.contains(u"<{"));
  CHECK(QImage(folder.filePath(QStringLiteral("layout.png"))).width() == 3200);
}

TEST_CASE("a note of several lines is whole in a low and narrow diagram", "[gui][layout]") {
  Diagram diagram({320, 120});
  diagram.view.setNote(QStringLiteral("words that take ").repeated(8) + QStringLiteral("lines"));
  const auto isWhole = [&] {
    for (const QLabel *label : diagram.view.findChildren<QLabel *>())
      if (label->wordWrap() && !label->isHidden())
        return label->height() >= label->heightForWidth(label->width());
    return false;
  };
  CHECK(QTest::qWaitFor(isWhole, 2000));
  diagram.view.resize(240, 110);
  CHECK(QTest::qWaitFor(isWhole, 2000));
}

/// Seven dimensions, the last one fastest.
static compiler::LayoutFacts sevenDimensions() {
  compiler::LayoutFacts facts;
  facts.value = "%seven";
  facts.shape = {2, 2, 2, 2, 2, 4, 8};
  facts.elementBits = 32;
  const auto basis = [](size_t dim, int32_t value) {
    std::vector<int32_t> coordinates(7, 0);
    coordinates[dim] = value;
    return coordinates;
  };
  facts.layout = {{"register", {basis(6, 1), basis(6, 2), basis(6, 4)}},
                  {"lane", {basis(5, 1), basis(5, 2), basis(4, 1), basis(3, 1), basis(2, 1)}},
                  {"warp", {basis(1, 1), basis(0, 1)}}};
  return facts;
}

TEST_CASE("however many dimensions a layout has, its view stays as narrow", "[gui][layout]") {
  Diagram diagram({520, 500});
  const int least = diagram.view.minimumSizeHint().width();
  for (int i = 0; i < 3; ++i) {
    diagram.show(sevenDimensions());
    QCoreApplication::processEvents();
    CHECK(diagram.view.minimumSizeHint().width() <= least);
    CHECK(diagram.view.width() == 520);
  }
  int numBoxes = 0;
  for (const QSpinBox *box : diagram.view.findChildren<QSpinBox *>()) {
    numBoxes += box->isVisible();
    CHECK(diagram.view.rect().contains(QRect(box->mapTo(&diagram.view, QPoint()), box->size())));
  }
  CHECK(numBoxes == 5);
}

TEST_CASE("a further dimension stays cut where it was, until the shape is another one",
          "[gui][layout]") {
  Diagram diagram;
  diagram.show(sevenDimensions());
  const auto box = [&](int dim) {
    for (QSpinBox *each : diagram.view.findChildren<QSpinBox *>())
      if (each->prefix() == QStringLiteral("dim %1: ").arg(dim))
        return each;
    return static_cast<QSpinBox *>(nullptr);
  };
  const QPointF corner = diagram.view.tensorCanvas().cellRect(0).center();
  REQUIRE(box(1));
  box(1)->setFocus();
  QTest::keyClick(box(1), Qt::Key_Up);
  CHECK(box(1)->value() == 1);
  diagram.show(sevenDimensions());
  CHECK(box(1)->value() == 1);
  QTest::mouseMove(&diagram.view.tensorCanvas(), corner.toPoint());
  CHECK(QTest::qWaitFor([&] { return diagram.view.infoText().contains(u"[0, 1, 0, 0, 0, 0, 0]"); },
                        2000));

  compiler::LayoutFacts other = sevenDimensions();
  std::swap(other.shape[5], other.shape[6]);
  other.layout.clear();
  diagram.show(other);
  CHECK(box(1)->value() == 0);
}
