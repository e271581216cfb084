// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/gui/DiagramFixture.h"
#include "tests/support/FakeResult.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/LayoutDiagram.h"

#include <QLabel>
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
