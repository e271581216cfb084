// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A learner works on lessons with keys, over real workers.
#include "app/ide/compile/WorkerConnection.h"
#include "app/ide/lesson/LessonController.h"
#include "tests/gui/WindowFixture.h"
#include "views/lesson/GoalList.h"
#include "views/lesson/LessonView.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>
#include <QToolButton>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using views::ShownGoal;
using State = views::ShownGoal::State;

static constexpr int kPatienceMs = 60000;

namespace {

/// A window with the lessons that are shipped, and a learner's folder of its own.
struct LearnerFixture {
  WorkerConnection worker{QStringLiteral(TILESCOPE_WORKER_PATH)};
  QTemporaryDir folder;
  MainWindow window{&worker,
                    {.session = nullptr,
                     .examplesFolder = {},
                     .lessonsFolder = QStringLiteral(TILESCOPE_LESSONS),
                     .learnerFolder = folder.filePath(QStringLiteral("learner"))}};
  views::LessonView &view = *window.lessons()->view();

  LearnerFixture() {
    window.resize(1366, 740);
    window.show();
    REQUIRE(QTest::qWaitForWindowActive(&window));
  }
  void open(const char *id) {
    QAction *lesson = window.action(QStringLiteral("lessons.") + QString::fromLatin1(id));
    REQUIRE(lesson);
    lesson->trigger();
  }
  std::vector<State> states() const {
    std::vector<State> found;
    for (const ShownGoal &goal : view.goals().goals())
      found.push_back(goal.state);
    return found;
  }
  bool waitFor(const std::vector<State> &wanted) {
    return QTest::qWaitFor([&] { return states() == wanted; }, kPatienceMs);
  }
  /// The line that holds a text becomes another one, typed.
  void retype(const char *line, const QString &text) {
    const std::string whole = window.editor()->utf8Text();
    const size_t at = whole.find(line);
    REQUIRE(at != std::string::npos);
    const auto row = std::count(whole.begin(), whole.begin() + static_cast<long>(at), '\n');
    window.editor()->goTo({static_cast<uint32_t>(row), 0});
    window.editor()->setFocus();
    QTest::keyClick(window.editor(), Qt::Key_End);
    QTest::keyClick(window.editor(), Qt::Key_Home, Qt::ShiftModifier);
    QTest::keyClicks(window.editor(), text);
    QTest::keyClick(window.editor(), Qt::Key_Escape);
  }
};

} // namespace

TEST_CASE("a learner solves the first lesson by keys, with a wrong answer on the way",
          "[gui][lesson]") {
  LearnerFixture test;
  test.open("programs-and-masks");
  CHECK(test.window.workspace() == Workspace::Learn);
  CHECK(test.view.page().toPlainText().startsWith(u"Programs and masks"));
  CHECK(test.window.editor()->utf8Text().find("def add") != std::string::npos);
  REQUIRE(test.waitFor({State::NotMet, State::NotMet, State::Met}));
  CHECK(test.view.goals().goals()[0].evidence ==
        u"the kernel never writes 768 elements of `out_ptr`, the first at [256]");
  CHECK(test.view.summary() == u"1 of 3 goals are met.");

  // Each program its own block; the last one sticks out over the end.
  test.retype("offsets = tl.arange",
              QStringLiteral("offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)"));
  REQUIRE(test.waitFor({State::Met, State::Met, State::NotMet}));
  CHECK(test.view.goals().goals()[2].hasPlace);

  // Enter on a goal goes to the place that it is about.
  test.view.goals().setFocus();
  test.view.goals().setCurrentRow(2);
  QTest::keyClick(&test.view.goals(), Qt::Key_Return);
  CHECK(test.window.editor()->cursor().line + 1 == 21);

  test.retype("x = tl.load", QStringLiteral("x = tl.load(x_ptr + offsets, mask=offsets < n)"));
  test.retype("y = tl.load", QStringLiteral("y = tl.load(y_ptr + offsets, mask=offsets < n)"));
  test.retype("tl.store", QStringLiteral("tl.store(out_ptr + offsets, x - y, mask=offsets < n)"));
  REQUIRE(test.waitFor({State::NotMet, State::NotMet, State::Met}));
  test.retype("tl.store", QStringLiteral("tl.store(out_ptr + offsets, x + y, mask=offsets < n)"));
  REQUIRE(test.waitFor({State::Met, State::Met, State::Met}));
  CHECK(test.view.summary() == u"All goals are met.");
  CHECK(test.view.lessons().currentText() == u"✓ Programs and masks");

  // The next lesson is another file; what was reached is kept.
  QTest::mouseClick(&test.view.nextButton(), Qt::LeftButton);
  CHECK(test.window.editor()->utf8Text().find("def add_bias") != std::string::npos);
  CHECK(test.window.lessons()->nextUnsolved() == 1);
  const LessonShelf again(QStringLiteral(TILESCOPE_LESSONS),
                          test.folder.filePath(QStringLiteral("learner")));
  CHECK(again.progress().lessons.at("programs-and-masks").numMet == 3);
  CHECK_FALSE(again.progress().lessons.at("programs-and-masks").solvedAt.empty());
}

TEST_CASE("hints open one by one, and a lesson can be started over", "[gui][lesson]") {
  LearnerFixture test;
  test.open("programs-and-masks");
  CHECK(test.view.hintButton().text() == u"Hint 1 of 3");
  CHECK_FALSE(test.view.page().toPlainText().contains(u"Hint 1"));
  QTest::keyClick(&test.view.hintButton(), Qt::Key_Space);
  CHECK(test.view.page().toPlainText().contains(u"Hint 1."));
  CHECK_FALSE(test.view.page().toPlainText().contains(u"Hint 2."));
  QTest::keyClick(&test.view.hintButton(), Qt::Key_Space);
  test.view.hintButton().setFocus();
  QTest::keyClick(&test.view.hintButton(), Qt::Key_Space);
  CHECK_FALSE(test.view.hintButton().isEnabled());
  // Another Space does not come to the button beside it.
  CHECK(test.window.focusWidget() == &test.view.page());

  const std::string start = test.window.editor()->utf8Text();
  test.retype("offsets = tl.arange", QStringLiteral("offsets = 3"));
  const std::string edited = test.window.editor()->utf8Text();
  QTest::mouseClick(&test.view.startOverButton(), Qt::LeftButton);
  CHECK(test.window.editor()->utf8Text() == start);
  QTest::keyClick(test.window.editor(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(test.window.editor()->utf8Text() == edited);

  // A solution is shown to be read; the learner's text stays.
  QTest::mouseClick(&test.view.solutionButton(), Qt::LeftButton);
  CHECK(test.window.editor()->isReadOnly());
  CHECK(test.window.editor()->utf8Text().find("mask = offsets < n") != std::string::npos);
}

TEST_CASE("a link in the text leads to a view, and another file has no lesson", "[gui][lesson]") {
  LearnerFixture test;
  test.open("programs-and-masks");
  Q_EMIT test.view.page().anchorClicked(QUrl(QStringLiteral("tilescope:programs")));
  CHECK(test.window.dock(QStringLiteral("programs"))->isInFront());
  test.window.newFile();
  CHECK_FALSE(test.window.lessons()->shown());
  CHECK(test.view.page().toPlainText().contains(u"Choose a lesson above"));
  CHECK(test.view.goals().goals().empty());
}

TEST_CASE("a lesson's file is what the learner left, at the next start too", "[gui][lesson]") {
  LearnerFixture test;
  test.open("programs-and-masks");
  test.retype("offsets = tl.arange", QStringLiteral("offsets = 3"));
  QTest::keyClick(test.window.editor(), Qt::Key_S, Qt::ControlModifier);
  const LessonShelf shelf(QStringLiteral(TILESCOPE_LESSONS),
                          test.folder.filePath(QStringLiteral("learner")));
  const QString path = test.folder.filePath(QStringLiteral("learner/programs-and-masks.py"));
  CHECK(shelf.positionOf(path) == std::optional<size_t>(0));
  CHECK_FALSE(shelf.positionOf(test.folder.filePath(QStringLiteral("programs-and-masks.py"))));
  QFile file(path);
  REQUIRE(file.open(QIODevice::ReadOnly));
  CHECK(file.readAll().contains("offsets = 3"));
}
