// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Workspaces: each has its arrangement, as the user left it.
#include "tests/gui/Arranged.h"
#include "views/stages/StageColumn.h"

#include <QScrollBar>

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
