// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Workspaces: each has its arrangement, as the user left it, and views in windows of their own.
#include "tests/gui/Arranged.h"
#include "views/common/Theme.h"
#include "views/stages/StageColumn.h"

#include <QScreen>
#include <QScrollBar>

#include <array>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::StageId;

TEST_CASE("workspaces have a key each and remember what was changed in them", "[gui][window]") {
  Arranged test;
  test.resize({1600, 1000});
  REQUIRE(test.window->workspace() == Workspace::See);
  views::CodeView &ttir = test.window->stageColumn(StageId::Ttir)->codeView();
  ttir.verticalScrollBar()->setValue(4);
  const int scrolled = ttir.verticalScrollBar()->value();
  test.key(Qt::Key_E, Qt::ControlModifier);
  const views::Focus focus = test.window->focusState()->selected();

  test.key(Qt::Key_1, Qt::AltModifier);
  CHECK(test.window->workspace() == Workspace::Write);
  CHECK(test.columns() == "AST,TTIR,TTGIR,LLVM IR,PTX,SASS>TTIR");
  CHECK(test.dock("layout").isHidden());
  CHECK(test.dock("problems").isInFront());
  CHECK(test.window->editor()->hasFocus());
  CHECK(test.window->centralWidget()->height() >= 1000 * 45 / 100);
  // A change of the user's.
  test.key(Qt::Key_9, Qt::ControlModifier);
  REQUIRE(test.isIn("passes"));

  test.key(Qt::Key_3, Qt::AltModifier);
  CHECK(test.window->workspace() == Workspace::Measure);
  CHECK(test.columns() == "AST,TTIR,TTGIR,LLVM IR,PTX>TTGIR | SASS");
  CHECK(test.dock("run").isInFront());
  CHECK(test.dock("run").height() >= 250);
  // What had the keyboard is not in sight here.
  CHECK(test.window->editor()->hasFocus());

  test.key(Qt::Key_2, Qt::AltModifier);
  CHECK(test.dock("layout").isInFront());
  CHECK(test.columns() == "AST,TTIR>TTIR | TTGIR,LLVM IR,PTX,SASS>TTGIR");
  CHECK(ttir.verticalScrollBar()->value() == scrolled);
  CHECK(test.window->focusState()->selected().position == focus.position);
  test.key(Qt::Key_1, Qt::AltModifier);
  CHECK(test.dock("passes").isInFront());
  // The default again.
  test.window->action(QStringLiteral("defaultLayout"))->trigger();
  QTest::qWait(20);
  CHECK(test.window->workspace() == Workspace::Write);
  CHECK(test.dock("problems").isInFront());
}

TEST_CASE("workspaces survive a restart", "[gui][window]") {
  Arranged test;
  test.resize({1600, 1000});
  test.key(Qt::Key_7, Qt::ControlModifier);
  test.key(Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
  test.key(Qt::Key_3, Qt::AltModifier);
  test.key(Qt::Key_Backslash, Qt::ControlModifier);
  const std::string before = test.columns();
  test.window->close();
  test.open();
  QTest::qWait(50);
  CHECK(test.window->workspace() == Workspace::Measure);
  CHECK(test.window->action(QStringLiteral("workspace.measure"))->isChecked());
  CHECK(test.columns() == before);
  test.window->activateWindow();
  test.window->action(QStringLiteral("workspace.see"))->trigger();
  QTest::qWait(50);
  CHECK(test.dock("layout").isHidden());
  CHECK(test.dock("access").isInFront());
}

/// Drags the line between the editor and what is at its right.
static void dragEditorEdge(Arranged &test, int by) {
  QWidget &window = *test.window;
  const QWidget &central = *test.window->centralWidget();
  const QPoint from(central.geometry().right() + 2, central.geometry().center().y());
  QTest::mousePress(&window, Qt::LeftButton, {}, from);
  QTest::mouseMove(&window, from + QPoint(by / 2, 0));
  QMouseEvent moved(QEvent::MouseMove, from + QPoint(by, 0),
                    window.mapToGlobal(from + QPoint(by, 0)), Qt::LeftButton, Qt::LeftButton,
                    Qt::NoModifier);
  QCoreApplication::sendEvent(&window, &moved);
  // Qt moves it in an event of its own.
  QTest::qWait(50);
  QTest::mouseRelease(&window, Qt::LeftButton, {}, from + QPoint(by, 0));
  QTest::qWait(100);
}

TEST_CASE("the width that an editor is dragged to survives workspaces and a restart",
          "[gui][window]") {
  Arranged test;
  const auto width = [&] { return test.window->centralWidget()->width(); };
  test.key(Qt::Key_1, Qt::AltModifier);
  test.resize({1366, 768});
  const int usual = width();
  dragEditorEdge(test, -120);
  // Narrower than what an editor keeps of itself.
  const int narrow = width();
  REQUIRE(std::abs(usual - narrow - 120) <= 8);
  test.key(Qt::Key_2, Qt::AltModifier);
  test.resize({1366, 768});
  dragEditorEdge(test, 100);
  const int wide = width();
  REQUIRE(wide > usual + 80);
  const auto isAs = [&](int wanted) {
    return QTest::qWaitFor([&] { return std::abs(width() - wanted) <= 4; }, 5000);
  };
  test.key(Qt::Key_1, Qt::AltModifier);
  CHECK(isAs(narrow));
  test.key(Qt::Key_2, Qt::AltModifier);
  CHECK(isAs(wide));
  test.window->close();
  test.open();
  REQUIRE(test.window->restoreSession());
  test.window->resize(1366, 768);
  CHECK(isAs(wide));
  test.window->editor()->setFocus();
  test.key(Qt::Key_1, Qt::AltModifier);
  CHECK(isAs(narrow));
}

TEST_CASE("a workspace of a larger window leaves the editor its room", "[gui][window]") {
  Arranged test;
  test.resize({2000, 1200});
  test.window->resizeDocks({&test.dock("problems")}, {600}, Qt::Vertical);
  test.key(Qt::Key_1, Qt::AltModifier);
  test.window->resize(1280, 720);
  QTest::qWait(50);
  test.key(Qt::Key_2, Qt::AltModifier);
  QTest::qWait(50);
  CHECK(test.window->size() == QSize(1280, 720));
  CHECK(test.window->centralWidget()->height() >= 720 * 44 / 100);
  CHECK(test.window->centralWidget()->width() >= 1280 * 38 / 100);
}

TEST_CASE("a floating view that fills the screen makes room for what a key goes to",
          "[gui][window]") {
  Arranged test;
  ViewDock &dock = test.dock("layout");
  dock.setFloating(true);
  const QRect before(100, 100, 400, 300);
  const auto fill = [&] {
    dock.setGeometry(before);
    QApplication::processEvents();
    QTest::mouseDClick(dock.titleBarWidget(), Qt::LeftButton, {}, QPoint(60, 6));
    QApplication::processEvents();
    REQUIRE(dock.geometry() == dock.screen()->availableGeometry());
  };
  fill();
  QTest::keyClick(dock.widget(), Qt::Key_E, Qt::ControlModifier);
  CHECK(dock.geometry() == before);
  fill();
  QTest::keyClick(test.window->editor(), Qt::Key_8, Qt::ControlModifier);
  CHECK(dock.geometry() == before);
  // Its own key leaves it as it is.
  fill();
  QTest::keyClick(test.window->editor(), Qt::Key_7, Qt::ControlModifier);
  CHECK(dock.geometry() == dock.screen()->availableGeometry());
}

TEST_CASE("after large text and another workspace all is as wide as it was", "[gui][window]") {
  Arranged test;
  test.resize({1920, 1080});
  const auto sizes = [&] {
    return std::array{test.window->centralWidget()->width(), test.dock("stage.ttir").width(),
                      test.dock("stage.ttgir").width(), test.dock("problems").height()};
  };
  const auto before = sizes();
  QTest::qWait(50);
  const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers) {
    QTest::keyClick(test.window->editor(), key, modifiers);
    QTest::qWait(60);
  };
  for (int i = 0; i < 10; ++i)
    press(Qt::Key_Plus, Qt::ControlModifier);
  REQUIRE(views::textPercent() == 200);
  test.window->action(QStringLiteral("workspace.measure"))->trigger();
  QTest::qWait(100);
  test.window->action(QStringLiteral("workspace.see"))->trigger();
  QTest::qWait(100);
  press(Qt::Key_0, Qt::ControlModifier);
  const auto isAsBefore = [&] {
    const auto now = sizes();
    for (size_t i = 0; i < now.size(); ++i)
      if (std::abs(now[i] - before[i]) > 8)
        return false;
    return true;
  };
  CHECK(QTest::qWaitFor(isAsBefore, 3000));
}
