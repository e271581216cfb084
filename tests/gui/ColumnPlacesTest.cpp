// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Columns by keys: what is in sight after a choice, how wide they are, and when they no longer follow
// the list of passes.
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/ColumnsFixture.h"
#include "views/common/Theme.h"
#include "views/passes/PassesView.h"

#include <QCheckBox>
#include <QScrollBar>

#include <cmath>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::StageId;
using views::StageColumn;

TEST_CASE("views return to the end when the list of passes is covered, or the file is another one",
          "[gui][columns]") {
  Columns test;
  test.open();
  test.press(test.window().editor(), Qt::Key_F, Qt::ControlModifier | Qt::AltModifier);
  views::PassesView &passes = *test.window().passes();
  passes.selectPass(3);
  StageColumn &column = test.column(StageId::Ttgir);
  const auto isBehind = [&] { return column.headerText().contains(u"after tritongpu-coalesce"); };
  const auto isAtEnd = [&] { return column.headerText().contains(u"made in"); };
  REQUIRE(test.waitFor(isBehind));
  // Problems is a tab of the same place.
  test.press(test.window().editor(), Qt::Key_8, Qt::ControlModifier);
  CHECK(test.waitFor(isAtEnd));
  CHECK(test.waitFor([&] { return passes.estimateText().isEmpty(); }));
  // The key brings the list back, and all views with it.
  test.press(test.window().editor(), Qt::Key_F, Qt::ControlModifier | Qt::AltModifier);
  CHECK(passes.followBox().isChecked());
  CHECK(test.waitFor(isBehind));
  test.press(test.window().editor(), Qt::Key_F, Qt::ControlModifier | Qt::AltModifier);
  CHECK_FALSE(passes.followBox().isChecked());
  CHECK(test.waitFor(isAtEnd));
  test.press(test.window().editor(), Qt::Key_F, Qt::ControlModifier | Qt::AltModifier);
  REQUIRE(test.waitFor(isBehind));
  test.fixture.openAndWait(test.fixture.write("other.py", sampleSource()));
  CHECK_FALSE(passes.followBox().isChecked());
  CHECK(test.waitFor(isAtEnd));
}

/// The color of a line in sight, behind its words.
static QColor colorBehind(views::CodeView &view, int32_t line) {
  const int height = static_cast<int>(std::ceil(QFontMetricsF(views::codeFont()).height() * 1.12));
  const QImage image = view.viewport()->grab().toImage();
  const int y = (view.document().rowOf(line) - view.verticalScrollBar()->value()) * height;
  return image.pixelColor(image.width() * 3 / 4, y + 1);
}

TEST_CASE("what is chosen for a column is scrolled to what belongs to the cursor",
          "[gui][columns]") {
  Columns test;
  test.addition = [](const compiler::CompileRequest &request) {
    std::string added;
    for (int i = 0; i < 300 && request.selection.target != "cuda:80"; ++i)
      added += "// " + std::to_string(i) + "\n";
    return added;
  };
  test.backend.answer = [answer = test.backend.answer](const compiler::CompileRequest &request) {
    auto result = answer(request);
    if (request.selection.target != "cuda:80")
      return result;
    // Differences in front of those around the cursor, and these.
    for (compiler::Stage &stage : result->stages) {
      if (const size_t at = stage.text.find("arith.addf"); at != std::string::npos)
        stage.text.replace(at, 10, "arith.mulf");
      for (int i = 0; i < 100; ++i)
        stage.text.insert(0, "// in front\n");
    }
    return result;
  };
  test.open();
  test.window().resize(1600, 1200);
  StageColumn &column = test.goTo(StageId::Ttir, Qt::Key_2);
  views::CodeView &view = column.codeView();
  const auto toEnd = [&] {
    view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum());
  };
  test.window().editor()->goTo(rangeOf(sampleSource(), "tl.store(").begin);
  const auto showsStore = [&] { return view.isLineVisible(lineWith(column, "tt.store")); };
  REQUIRE(test.waitFor(showsStore));
  const int32_t content = lineWith(column, "%y_4 = tt.load");
  REQUIRE(view.isLineVisible(content));
  CHECK(colorBehind(view, content) != views::theme()[views::ColorRole::Base]);
  toEnd();
  REQUIRE_FALSE(showsStore());
  test.press(&view, Qt::Key_PageUp, Qt::ControlModifier | Qt::AltModifier);
  REQUIRE(test.waitFor([&] { return column.headerText().contains(u"after canonicalize"); }));
  CHECK(test.waitFor(showsStore));
  test.press(&view, Qt::Key_PageDown, Qt::ControlModifier | Qt::AltModifier);
  toEnd();
  REQUIRE_FALSE(showsStore());
  test.choose(column.comparisonField(), QStringLiteral("Diff to cuda:80"));
  REQUIRE(test.waitFor([&] { return view.showsDiff(); }));
  CHECK(showsStore());
  // Nothing that is the same looks as if it were removed or added.
  const int32_t same = lineWith(column, "%y_4 = tt.load");
  REQUIRE(view.isLineVisible(same));
  CHECK(colorBehind(view, same) == views::theme()[views::ColorRole::Base]);
}

TEST_CASE("columns of a stage share their room, and the name of the pass is read",
          "[gui][columns]") {
  Columns test;
  test.open();
  test.window().resize(1680, 1000);
  StageColumn &first = test.goTo(StageId::Ttgir, Qt::Key_3);
  test.press(&first.codeView(), Qt::Key_PageUp, Qt::ControlModifier | Qt::AltModifier);
  REQUIRE(test.waitFor([&] { return first.headerText().contains(u"after tritongpu-coalesce"); }));
  test.press(&first.codeView(), Qt::Key_N, Qt::ControlModifier | Qt::AltModifier);
  const auto widthOf = [&](const char *id) {
    return test.window().dock(QString::fromLatin1(id))->width();
  };
  CHECK(test.waitFor([&] {
    const int width = widthOf("stage.ttgir.2");
    return std::abs(widthOf("stage.ttgir") - width) <= 4 &&
           std::abs(widthOf("stage.ttir") - width) <= 4;
  }));
  INFO(widthOf("stage.ttir") << " " << widthOf("stage.ttgir") << " " << widthOf("stage.ttgir.2"));
  for (const char *id : {"stage.ttgir", "stage.ttgir.2"}) {
    INFO(id);
    ViewDock *dock = test.window().dock(QString::fromLatin1(id));
    auto &column = dynamic_cast<StageColumn &>(*dock->widget());
    CHECK(column.passField().currentText() == u"after tritongpu-coalesce");
    // All but a letter or two.
    CHECK(test.waitFor([&] {
      const QComboBox &field = column.passField();
      return field.width() * 10 >= field.sizeHint().width() * 9;
    }));
    const QWidget *title = dock->titleBarWidget();
    for (const QWidget *part : title->findChildren<QWidget *>(Qt::FindDirectChildrenOnly))
      if (part->isVisible())
        CHECK(part->geometry().right() <= title->width());
  }
}

namespace {
/// A window with room for one stage of a few lines, in long texts.
struct LongColumns : Columns {
  LongColumns() {
    addition = [](const compiler::CompileRequest &) {
      std::string added;
      for (int i = 0; i < 300; ++i)
        added += "// " + std::to_string(i) + "\n";
      return added;
    };
    backend.answer = [answer = backend.answer](const compiler::CompileRequest &request) {
      auto result = answer(request);
      for (compiler::Stage &stage : result->stages) {
        for (int i = 0; i < 100; ++i)
          stage.text.insert(0, "// in front\n");
        for (compiler::LineMapping &line : stage.sourceMap.lines)
          line.line += 100;
      }
      return result;
    };
    open();
    window().resize(1366, 768);
    window().action(QStringLiteral("defaultLayout"))->trigger();
  }
  bool shows(StageColumn &column, const std::string &line) {
    return waitFor([&] { return column.codeView().isLineVisible(lineWith(column, line)); });
  }
};
} // namespace

TEST_CASE("a column that becomes lower keeps what belongs to the cursor in sight, but for who has "
          "scrolled",
          "[gui][columns]") {
  LongColumns test;
  StageColumn &column = test.goTo(StageId::Ttir, Qt::Key_2);
  views::CodeView &view = column.codeView();
  QScrollBar &bar = *view.verticalScrollBar();
  test.window().editor()->goTo(rangeOf(sampleSource(), "tl.store(").begin);
  REQUIRE(test.shows(column, "tt.store"));
  // The store is in one of the last rows.
  const int32_t store = lineWith(column, "tt.store");
  int rows = 0;
  for (int32_t line = 0; line < view.document().numLines(); ++line)
    rows += view.isLineVisible(line);
  REQUIRE(rows > 6);
  const int lowerPx = 4 * view.viewport()->height() / rows;
  bar.setValue(store - rows + 2);
  column.align();
  REQUIRE(view.isLineVisible(store));
  view.resize(view.width(), view.height() - lowerPx);
  CHECK(view.isLineVisible(store));
  view.resize(view.width(), view.height() + lowerPx);
  bar.setValue(0);
  view.resize(view.width(), view.height() - lowerPx);
  CHECK(bar.value() == 0);
}

TEST_CASE("a column that was hidden meanwhile shows what belongs to the cursor", "[gui][columns]") {
  LongColumns test;
  StageColumn &column = test.goTo(StageId::Ttir, Qt::Key_2);
  QScrollBar &bar = *column.codeView().verticalScrollBar();
  app::ViewDock &dock = *test.window().dock(QStringLiteral("stage.ttir"));
  test.window().editor()->goTo(rangeOf(sampleSource(), "pid = tl.program_id").begin);
  bar.setValue(0);
  dock.hide();
  REQUIRE_FALSE(column.isVisible());
  test.window().editor()->goTo(rangeOf(sampleSource(), "tl.store(").begin);
  test.goTo(StageId::Ttir, Qt::Key_2);
  CHECK(test.shows(column, "tt.store"));
  // Nothing happened: it stays where the user left it.
  bar.setValue(bar.maximum());
  REQUIRE(bar.value() > 0);
  dock.hide();
  test.goTo(StageId::Ttir, Qt::Key_2);
  QTest::qWait(50);
  CHECK_FALSE(column.codeView().isLineVisible(lineWith(column, "tt.store")));
}
