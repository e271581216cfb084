// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A lesson is presented, and what is typed meanwhile into its files, over a real worker.
#include "app/ide/present/PresentController.h"
#include "app/ide/window/Presentation.h"
#include "tests/gui/Patience.h"
#include "tests/gui/PresentedWindow.h"
#include "views/programs/ProgramsView.h"

#include <QPushButton>
#include <QStatusBar>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

namespace {

struct PresentedLesson : PresentedWindow {
  QString ownTalk() const {
    write("kernel.py", "import triton\n\n\n@triton.jit\ndef k(x_ptr):\n    pass\n");
    return write("present.toml", "title = \"Talk\"\n[[steps]]\ntitle = \"One\"\nfile = "
                                 "\"kernel.py\"\n");
  }
};

} // namespace

TEST_CASE("a lesson is presented with its script", "[gui][present]") {
  PresentedLesson test;
  QAction *present = test.window.action(QStringLiteral("lesson.present"));
  test.open("puzzle-clip");
  present->trigger();
  CHECK_FALSE(test.present.isUnderWay());
  CHECK(test.window.statusBar()->currentMessage() ==
        u"This lesson has no script to present it with.");
  test.open("programs-and-masks");
  present->trigger();
  REQUIRE(test.present.isUnderWay());
  CHECK(test.present.layer()->caption() == u"A kernel runs once for each block");
  test.press(Qt::Key_End);
  views::ProgramsView &programs = *test.window.programsView();
  REQUIRE(QTest::qWaitFor([&] { return programs.canvas().content().program == 3; }, kPatienceMs));
  // The learner's file is in front again at the end.
  test.press(Qt::Key_Escape);
  CHECK(test.window.lessons()->shown() == 0);
  CHECK(test.window.findChild<FileTabs *>()->count() == 2);
  CHECK(test.window.currentPage()->path().contains(u"learner"));
}

TEST_CASE("what is typed into a lesson's files while they are presented does not stay",
          "[gui][present]") {
  PresentedLesson test;
  test.open("programs-and-masks");
  QAction *present = test.window.action(QStringLiteral("lesson.present"));
  present->trigger();
  REQUIRE(test.present.isUnderWay());
  test.press(Qt::Key_End);
  test.press(Qt::Key_Left);
  REQUIRE(test.window.currentPage()->path().endsWith(u"/solution.py"));
  const std::string solution = test.window.editor()->utf8Text();
  QTest::mouseClick(test.window.editor()->viewport(), Qt::LeftButton, {}, QPoint(200, 60));
  QTest::keyClicks(test.window.editor(), QStringLiteral("xx"));
  REQUIRE(test.window.editor()->utf8Text() != solution);
  test.press(Qt::Key_Escape);
  CHECK_FALSE(test.present.isUnderWay());
  CHECK(test.window.findChild<FileTabs *>()->count() == 1);
  CHECK(test.window.lessons()->shown() == 0);
  QTest::mouseClick(&test.view.solutionButton(), Qt::LeftButton);
  CHECK(test.window.editor()->isReadOnly());
  CHECK(test.window.editor()->utf8Text() == solution);
}

TEST_CASE("a solution that was opened to be edited is shown as it is", "[gui][present]") {
  PresentedLesson test;
  test.open("programs-and-masks");
  const QString path = QStringLiteral(TILESCOPE_LESSONS "/programs-and-masks/solution.py");
  REQUIRE(test.window.openFile(path));
  const std::string solution = test.window.editor()->utf8Text();
  QTest::keyClicks(test.window.editor(), QStringLiteral("xx"));
  REQUIRE(test.window.editor()->utf8Text() != solution);
  test.open("programs-and-masks");
  QTest::mouseClick(&test.view.solutionButton(), Qt::LeftButton);
  CHECK(test.window.editor()->isReadOnly());
  CHECK(test.window.editor()->utf8Text() == solution);
}

TEST_CASE("a file of one's own that was changed in a presentation stays open", "[gui][present]") {
  PresentedLesson test;
  test.open("programs-and-masks");
  test.window.openFile(test.ownTalk());
  REQUIRE(test.present.isUnderWay());
  QTest::mouseClick(test.window.editor()->viewport(), Qt::LeftButton, {}, QPoint(200, 60));
  QTest::keyClicks(test.window.editor(), QStringLiteral("xx"));
  test.press(Qt::Key_Escape);
  CHECK(test.window.findChild<FileTabs *>()->count() == 2);
  CHECK(test.window.currentPage()->path().contains(u"learner"));
}
