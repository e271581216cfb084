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
