// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The Conversion view over facts made by hand: pictures, arrows, keys, mouse, list.
#include "views/layout/conversion/ConversionView.h"

#include "tests/gui/ConversionSamples.h"
#include "tests/gui/ExportedPicture.h"
#include "views/common/ElidedComboBox.h"
#include "views/common/ShortTexts.h"
#include "views/common/Theme.h"
#include "views/layout/conversion/ArrowLayer.h"
#include "views/layout/conversion/ArrowLegend.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::tests;
using namespace tilescope::views;
using compiler::ConversionCells;
using compiler::ConversionSide;
using compiler::MoveRun;
using compiler::MoveScope;

namespace {

struct Shown {
  FocusState focus;
  ConversionView view{&focus};

  explicit Shown(const std::vector<compiler::ConversionFacts> &conversions,
                 const QSize &size = {1366, 620}) {
    view.resize(size);
    view.show();
    REQUIRE(QTest::qWaitForWindowExposed(&view));
    view.setContent(contentOf(conversions));
    QCoreApplication::processEvents();
  }
  DiagramCanvas &before() { return view.canvas(ConversionSide::Before); }
  DiagramCanvas &behind() { return view.canvas(ConversionSide::Behind); }
  QRectF areaOf(const DiagramCanvas &canvas) {
    return {canvas.mapTo(view.arrows().parentWidget(), QPoint()), canvas.size()};
  }
  void goTo(uint32_t line) {
    Focus at;
    at.position = {line, 6};
    focus.setSelected(at, nullptr);
  }
};

} // namespace

TEST_CASE("every choice above the picture is read as a whole where there is room",
          "[gui][views][conversion]") {
  // Padding is the style's.
  applyTheme(loadTheme(QStringLiteral("dark")));
  Shown test({transposed(64, 10)});
  const auto choices = test.view.findChildren<ElidedComboBox *>();
  CHECK(choices.size() == 3);
  for (ElidedComboBox *choice : choices)
    for (int i = 0; i < choice->count(); ++i) {
      choice->setCurrentIndex(i);
      INFO(choice->itemText(i).toStdString()
           << ": " << choice->width() << " of " << choice->sizeHint().width());
      CHECK(choice->shownText().toStdString() == choice->itemText(i).toStdString());
    }
}

TEST_CASE("a narrow choice leaves out the words that all of its entries begin with",
          "[gui][views][conversion]") {
  applyTheme(loadTheme(QStringLiteral("dark")));
  ElidedComboBox box;
  box.addItems({QStringLiteral("Color by warp"), QStringLiteral("Color by register")});
  box.resize(box.sizeHint());
  CHECK(box.shownText() == u"Color by warp");
  box.resize(box.sizeHint().width() -
                 box.fontMetrics().horizontalAdvance(QStringLiteral("Color b")),
             box.sizeHint().height());
  CHECK(box.shownText() == u"warp");
  box.setCurrentIndex(1);
  CHECK(box.shownText() == u"register");
  // Where even the rest has no room, the text begins as it is.
  box.resize(box.width() - box.fontMetrics().horizontalAdvance(QStringLiteral("ster")),
             box.height());
  CHECK(box.shownText().startsWith(u"Co"));
  CHECK(box.shownText().endsWith(u'…'));
}

TEST_CASE("a lane's arrows end at what it gets, and begin where that was",
          "[gui][views][conversion]") {
  Shown test({transposed(64, 10)});
  test.behind().setFocus();
  QTest::keyClick(&test.behind(), Qt::Key_Down);
  CHECK(test.view.infoText().startsWith(u"warp 0 · lane 1 receives 32 elements"));
  const compiler::ConversionPicture &picture = *test.view.picture();
  REQUIRE_FALSE(test.view.arrows().runs().empty());
  size_t count = 0;
  for (const MoveRun &run : test.view.arrows().runs()) {
    count += run.count;
    const auto [from, to] = test.view.arrows().endsOf(run);
    CHECK(test.areaOf(test.before()).contains(from));
    CHECK(test.areaOf(test.behind()).contains(to));
    // The cells at both ends hold the same element.
    const auto elementAt = [&](ConversionSide side, compiler::Cell cell) {
      return picture.view(side).elements.at(cell);
    };
    CHECK(elementAt(ConversionSide::Before, run.fromFirst) ==
          elementAt(ConversionSide::Behind, run.toFirst));
    CHECK(elementAt(ConversionSide::Before, run.fromLast) ==
          elementAt(ConversionSide::Behind, run.toLast));
  }
  CHECK(count == 32);
  CHECK(test.before().highlighted().size() == 32);
  CHECK(test.behind().highlighted().size() == 32);
  CHECK(test.before().accessibleDescription() == test.view.infoText());
}

TEST_CASE("arrows move with what they point at", "[gui][views][conversion]") {
  Shown test({transposed(64, 10)});
  REQUIRE_FALSE(test.view.arrows().runs().empty());
  const auto endsBefore = test.view.arrows().endsOf(test.view.arrows().runs().front());
  QSignalSpy moved(&test.behind(), &DiagramCanvas::viewMoved);
  test.behind().setFocus();
  QTest::keyClick(&test.behind(), Qt::Key_Plus);
  CHECK(moved.count() == 1);
  const auto endsBehind = test.view.arrows().endsOf(test.view.arrows().runs().front());
  CHECK(endsBefore.first == endsBehind.first);
  CHECK(endsBefore.second != endsBehind.second);
  // However far it is zoomed, they stay over their canvas.
  for (int i = 0; i < 8; ++i)
    QTest::keyClick(&test.behind(), Qt::Key_Plus);
  for (const MoveRun &run : test.view.arrows().runs()) {
    const QPointF end = test.view.arrows().endsOf(run).second.center();
    CHECK(test.areaOf(test.behind()).adjusted(-1, -1, 1, 1).contains(end));
  }
}

TEST_CASE("arrows are painted over the canvases, and can be told from any cell",
          "[gui][views][conversion]") {
  for (const char *name : {"dark", "light"}) {
    applyTheme(loadTheme(QString::fromLatin1(name)));
    Shown test({storedProduct(64, 10)});
    // Ink against its edge, without color.
    CHECK(contrastRatio(theme()[ColorRole::Text], theme()[ColorRole::Panel]) > 7);
    const QImage with = test.view.grab().toImage();
    test.view.arrows().setRuns({});
    const QImage without = test.view.grab().toImage();
    int changed = 0;
    for (int y = 0; y < with.height(); ++y)
      for (int x = 0; x < with.width(); ++x)
        changed += with.pixel(x, y) != without.pixel(x, y);
    CHECK(changed > 2000);
  }
  applyTheme(loadTheme(QStringLiteral("dark")));
}

TEST_CASE("what the styles of arrows mean stands beside the fields and covers no cell",
          "[gui][views][conversion]") {
  applyTheme(loadTheme(QStringLiteral("dark")));
  // As low as below a stage on a small screen.
  Shown test({transposed(64, 10)}, {802, 230});
  auto *legend = test.view.findChild<ArrowLegend *>();
  REQUIRE(legend);
  REQUIRE(legend->isVisible());
  CHECK(legend->width() >= legend->sizeHint().width());
  const auto middle = [&](const QWidget *part) {
    return part->mapTo(&test.view, part->rect().center()).y();
  };
  // All in one row.
  for (const ElidedComboBox *choice : test.view.findChildren<ElidedComboBox *>())
    CHECK(std::abs(middle(choice) - middle(legend)) < legend->height());
  for (const DiagramCanvas *canvas : {&test.before(), &test.behind()}) {
    const QRect cells(canvas->mapTo(&test.view, QPoint()), canvas->size());
    CHECK_FALSE(cells.intersects(QRect(legend->mapTo(&test.view, QPoint()), legend->size())));
  }
}

TEST_CASE("arrows that could not be told apart are not drawn over each other",
          "[gui][views][conversion]") {
  Shown test({transposed(64, 10)}, {802, 230});
  const size_t numRuns = test.view.arrows().runs().size();
  REQUIRE(numRuns > 20);
  CHECK(test.view.arrows().numDrawn() == numRuns);
  // From far away most of them lie on each other.
  for (DiagramCanvas *canvas : {&test.before(), &test.behind()})
    canvas->zoomBy(0.2, canvas->rect().center());
  CHECK(test.view.arrows().numDrawn() > 2);
  CHECK(test.view.arrows().numDrawn() < numRuns / 2);
  CHECK(test.view.arrows().runs().size() == numRuns);
}

TEST_CASE("keys change between lane and element, registers and elements",
          "[gui][views][conversion]") {
  Shown test({transposed(64, 10)});
  test.behind().setFocus();
  QTest::keyClick(&test.behind(), Qt::Key_Down);
  QTest::keyClick(&test.behind(), Qt::Key_L);
  CHECK(test.view.scope() == MoveScope::Element);
  CHECK(test.view.infoText().startsWith(u"element ["));
  CHECK(test.view.arrows().runs().size() == 1);
  QTest::keyClick(&test.behind(), Qt::Key_V);
  CHECK(test.view.cells() == ConversionCells::Elements);
  QTest::keyClick(&test.behind(), Qt::Key_Home, Qt::ControlModifier);
  QTest::keyClick(&test.behind(), Qt::Key_End);
  CHECK(test.view.infoText().startsWith(u"element [0, 63]: warp "));
  CHECK(test.behind().highlighted() == test.before().highlighted());
  QTest::keyClick(&test.behind(), Qt::Key_Return);
  QTest::keyClick(&test.behind(), Qt::Key_Home);
  CHECK(test.view.infoText().startsWith(u"element [0, 0]"));
  test.behind().clearFocus();
  CHECK(test.view.infoText().startsWith(u"element [0, 63]"));
  // Colors: the palette has as many as there are lanes.
  test.behind().setFocus();
  QTest::keyClick(&test.behind(), Qt::Key_C);
  CHECK(test.behind().content().palette.memberBits == 5);
}

TEST_CASE("pointing at a register before shows where its lane sends elements",
          "[gui][views][conversion]") {
  Shown test({storedProduct(64, 10)});
  const QPoint at = test.before().cellRect(0).center().toPoint();
  QTest::mouseMove(&test.before(), at);
  QTest::mouseClick(&test.before(), Qt::LeftButton, {}, at);
  CHECK(test.view.infoText().startsWith(u"warp 0 · lane 0 sends 32 elements"));
  CHECK(test.focus.hovered().sources.size() == 1);
  CHECK(test.focus.hovered().sources.front().begin.line == 10);
  // Leaving lets go of the source, and keeps what was clicked.
  test.before().clearFocus();
  QTest::mouseMove(&test.view, QPoint(5, 5));
  QEvent leave(QEvent::Leave);
  QCoreApplication::sendEvent(&test.before(), &leave);
  CHECK(test.focus.hovered().sources.empty());
  CHECK(test.view.infoText().startsWith(u"warp 0 · lane 0 sends 32 elements"));
}

TEST_CASE("the cursor's line selects, and the list leads to lines", "[gui][views][conversion]") {
  compiler::ConversionFacts inLoop = transposed(32, 20);
  inLoop.isInLoop = true;
  Shown test({storedProduct(64, 10), inLoop});
  // Nothing of the cursor's line: the one in the loop.
  CHECK(test.view.titleText().startsWith(u"line 21 · fp32[32, 32] · blocked → blocked"));
  CHECK(test.view.titleText().contains(u"not at the cursor"));
  test.goTo(10);
  CHECK(test.view.titleText().startsWith(u"line 11 · fp32[64, 64] · mma → blocked"));
  CHECK_FALSE(test.view.titleText().contains(u"not at the cursor"));
  QTableView &list = test.view.list();
  CHECK(list.currentIndex().row() == 1);
  QSignalSpy asked(&test.view, &ConversionView::placeShown);
  list.setFocus();
  QTest::keyClick(&list, Qt::Key_Up);
  CHECK(test.view.titleText().startsWith(u"line 21"));
  QTest::keyClick(&list, Qt::Key_Return);
  REQUIRE(asked.count() == 1);
  CHECK(asked.front().front().value<SourceRange>().begin.line == 20);
}

TEST_CASE("a list of one conversion leaves its room to the picture", "[gui][views][conversion]") {
  Shown test({transposed(64, 10)});
  CHECK_FALSE(test.view.list().isVisible());
  test.view.setContent(contentOf({transposed(64, 10), storedProduct(64, 20)}));
  CHECK(test.view.list().isVisible());
}

TEST_CASE("what an edit does not change keeps what is pinned", "[gui][views][conversion]") {
  Shown test({transposed(64, 10)});
  test.behind().setFocus();
  QTest::keyClick(&test.behind(), Qt::Key_Down);
  QTest::keyClick(&test.behind(), Qt::Key_Return);
  test.behind().clearFocus();
  const QString pinned = test.view.infoText();
  CHECK(pinned.startsWith(u"warp 0 · lane 1"));
  test.view.setContent(contentOf({transposed(64, 11)}));
  CHECK(test.view.infoText() == pinned);
  CHECK(test.view.titleText().startsWith(u"line 12"));
  test.view.setContent(contentOf({transposed(32, 11)}));
  CHECK(test.view.infoText().startsWith(u"warp 0 · lane 0"));
  test.view.setContent(contentOf({}));
  CHECK_FALSE(test.view.hasContent());
  CHECK(test.view.arrows().runs().empty());
}

TEST_CASE("pictures of conversions are files with arrows and words", "[gui][views][conversion]") {
  Shown test({transposed(64, 10)});
  QTemporaryDir folder;
  const QByteArray text = exportedSvg(test.view, folder);
  CHECK(text.contains("through shared memory"));
  CHECK(text.contains("other warp"));
  CHECK(exportedPngWidth(test.view, folder) == 3200);
  test.view.clear({});
  CHECK_FALSE(test.view.exportSvg(folder.filePath(QStringLiteral("none.svg"))));
}

TEST_CASE("in a narrow list a conversion is told by its layouts", "[gui][views][conversion]") {
  Shown test({storedProduct(64, 10), transposed(64, 12)}, {700, 196});
  QTableView &list = *test.view.findChild<QTableView *>();
  const auto textOf = [&](int row) {
    return shownText(&list, list.model()->index(row, ConversionListModel::ConversionColumn));
  };
  QStringList shown{textOf(0), textOf(1)};
  shown.sort();
  CHECK(shown == QStringList{QStringLiteral("blocked → blocked"), QStringLiteral("mma → blocked")});
  CHECK(list.model()
            ->index(0, ConversionListModel::ConversionColumn)
            .data(Qt::ToolTipRole)
            .toString()
            .startsWith(u"fp32[64, 64] · "));
  // Where there is room they are whole.
  test.view.resize(1500, 620);
  QCoreApplication::processEvents();
  CHECK(QTest::qWaitFor([&] { return textOf(0).startsWith(u"fp32[64, 64] · "); }));
}
