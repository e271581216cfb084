// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A learner works on lessons with keys, over real workers.
#include "tests/gui/LessonFixture.h"
#include "tests/gui/Patience.h"
#include "views/common/Theme.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/LayoutDiagram.h"
#include "views/lesson/GoalList.h"
#include "views/lesson/QuestionPanel.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTextBrowser>
#include <QToolButton>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using views::ShownGoal;
using State = views::ShownGoal::State;

namespace {

struct LearnerFixture : LessonFixture {
  std::vector<State> states() const {
    std::vector<State> found;
    for (const ShownGoal &goal : view.goals().goals())
      found.push_back(goal.state);
    return found;
  }
  bool waitFor(const std::vector<State> &wanted) {
    // Goals are told one by one: those of the newest text are known once the check is over.
    const auto numMet = std::ranges::count(wanted, State::Met);
    const QString summary =
        numMet == std::ssize(wanted)
            ? QStringLiteral("All goals are met.")
            : QStringLiteral("%1 of %2 goals are met.").arg(numMet).arg(wanted.size());
    const auto isOver = [&] { return view.summary() == summary && states() == wanted; };
    return QTest::qWaitFor([&] { return isOver(); }, kPatienceMs);
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
  CHECK(test.view.lessons().currentText() == u"Programs and masks ✓");

  // The next lesson is another file; what was reached is kept.
  QTest::mouseClick(&test.view.nextButton(), Qt::LeftButton);
  CHECK(test.window.editor()->utf8Text().find("def add_bias") != std::string::npos);
  CHECK(test.window.lessons()->nextUnsolved() == 1);
  const LessonShelf again(QStringLiteral(TILESCOPE_LESSONS),
                          test.folder.filePath(QStringLiteral("learner")));
  CHECK(again.progress().lessons.at("programs-and-masks").numMet == 3);
  CHECK_FALSE(again.progress().lessons.at("programs-and-masks").solvedAt.empty());
}

TEST_CASE("a kernel that meets all goals is saved by itself, and no other", "[gui][lesson]") {
  LearnerFixture test;
  test.open("puzzle-clip");
  const QString path = test.folder.filePath(QStringLiteral("learner/puzzle-clip.py"));
  const auto saved = [&] {
    QFile file(path);
    REQUIRE(file.open(QIODevice::ReadOnly));
    return file.readAll().toStdString();
  };
  const std::string start = saved();
  REQUIRE(test.waitFor({State::NotMet, State::NotMet, State::Met}));
  test.retype("tl.store", QStringLiteral("tl.store(out_ptr + offsets, tl.maximum(x, low), "
                                         "mask=mask)"));
  REQUIRE(test.waitFor({State::NotMet, State::NotMet, State::Met}));
  CHECK(saved() == start);
  CHECK(test.window.currentPage()->isModified());
  test.retype("tl.store", QStringLiteral("tl.store(out_ptr + offsets, tl.minimum(tl.maximum(x, "
                                         "low), high), mask=mask)"));
  REQUIRE(test.waitFor({State::Met, State::Met, State::Met}));
  CHECK(QTest::qWaitFor([&] { return !test.window.currentPage()->isModified(); }, kPatienceMs));
  CHECK(saved() == test.window.editor()->utf8Text());
  // What spoils it stays in the editor alone.
  const std::string solved = saved();
  test.retype("tl.store", QStringLiteral("tl.store(out_ptr + offsets, x, mask=mask)"));
  REQUIRE(test.waitFor({State::NotMet, State::NotMet, State::Met}));
  CHECK(saved() == solved);
}

TEST_CASE("hints open one by one, and a lesson can be started over", "[gui][lesson]") {
  LearnerFixture test;
  test.open("programs-and-masks");
  CHECK(test.view.hintButton().text() == u"Hint 1 of 3");
  CHECK_FALSE(test.view.page().toPlainText().contains(u"Hint 1"));
  QTest::keyClick(&test.view.hintButton(), Qt::Key_Space);
  CHECK(test.view.page().toPlainText().contains(u"Hint 1."));
  CHECK_FALSE(test.view.page().toPlainText().contains(u"Hint 2."));
  // Enter presses it, too.
  QTest::keyClick(&test.view.hintButton(), Qt::Key_Return);
  CHECK(test.view.page().toPlainText().contains(u"Hint 2."));
  test.view.hintButton().setFocus();
  QTest::keyClick(&test.view.hintButton(), Qt::Key_Enter);
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

TEST_CASE("a learner transposes by keys: a copy that is no transpose, then the grid",
          "[gui][lesson]") {
  LearnerFixture test;
  test.open("transpose");
  // Right from the start, but the stores are far apart, and there are programs without work.
  REQUIRE(test.waitFor({State::Met, State::Met, State::Met, State::NotMet, State::NotMet}));
  CHECK(test.view.goals().goals()[3].evidence.contains(u"uses 12.5 %"));
  CHECK(test.view.goals().goals()[4].evidence == u"2048 programs");

  test.retype("row = tl.program_id(0)",
              QStringLiteral("rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)"));
  // `row` is gone, and the kernel does not compile.
  REQUIRE(test.waitFor(std::vector<State>(5, State::NotMet)));
  CHECK(test.view.goals().goals()[0].evidence.contains(u"`row`"));
  test.retype("x = tl.load",
              QStringLiteral("x = tl.load(x_ptr + rows[:, None] * n_cols + cols[None, :], "
                             "mask=(rows[:, None] < n_rows) & (cols[None, :] < n_cols))"));
  test.retype("tl.store",
              QStringLiteral("tl.store(out_ptr + rows[:, None] * n_cols + cols[None, :], x, "
                             "mask=(rows[:, None] < n_rows) & (cols[None, :] < n_cols))"));
  // Coalesced, and no transpose.
  REQUIRE(test.waitFor({State::NotMet, State::NotMet, State::Met, State::Met, State::NotMet}));
  CHECK(QTest::qWaitFor(
      [&] {
        return test.view.goals().goals()[0].evidence.contains(u"elements of `out_ptr` are wrong");
      },
      kPatienceMs));
  test.retype("tl.store",
              QStringLiteral("tl.store(out_ptr + cols[None, :] * n_rows + rows[:, None], x, "
                             "mask=(rows[:, None] < n_rows) & (cols[None, :] < n_cols))"));
  REQUIRE(test.waitFor({State::Met, State::Met, State::Met, State::Met, State::NotMet}));
  test.retype("# grid =",
              QStringLiteral("# grid = [\"cdiv(n_rows, BLOCK)\", \"cdiv(n_cols, BLOCK)\"]"));
  REQUIRE(test.waitFor(std::vector<State>(5, State::Met)));
  CHECK(QTest::qWaitFor([&] { return test.view.summary() == u"All goals are met."; }, kPatienceMs));
}

TEST_CASE("a question is answered by keys and by a click, and the score is kept", "[gui][lesson]") {
  LearnerFixture test;
  test.open("layouts");
  REQUIRE(test.waitFor({State::Met, State::NotMet, State::NotMet}));
  views::QuestionPanel &panel = test.view.questions();
  REQUIRE(panel.questions().size() == 3);
  const auto answer = [&](const char *text) {
    panel.field().setFocus();
    panel.field().selectAll();
    QTest::keyClicks(&panel.field(), QString::fromLatin1(text));
    QTest::keyClick(&panel.field(), Qt::Key_Return);
  };
  using QuestionState = views::ShownQuestion::State;
  const auto waitFor = [&](size_t question, QuestionState state) {
    return QTest::qWaitFor([&] { return panel.questions()[question].state == state; }, kPatienceMs);
  };

  // What is clicked stays where it is while words come and go above it.
  const auto placeOfNext = [&] {
    QCoreApplication::processEvents();
    return panel.nextButton().mapTo(&test.view, QPoint());
  };
  const QPoint place = placeOfNext();
  answer("lane five");
  CHECK(panel.resultText() == u"type a number, such as 16");
  // Two neighbors a lane: element 5 is the second one of lane 2.
  CHECK_FALSE(panel.solutionButton().isVisible());
  answer("5");
  // What is right is not told at once.
  REQUIRE(waitFor(0, QuestionState::TryAgain));
  CHECK(panel.resultText() ==
        u"✗ Not so. It is less. The view in front shows it: look there, and answer once more.");
  CHECK(test.window.dock(QStringLiteral("layout"))->isInFront());
  CHECK(panel.field().hasFocus());
  CHECK(panel.solutionButton().isVisible());
  CHECK(placeOfNext() == place);
  answer("6");
  REQUIRE(waitFor(0, QuestionState::Wrong));
  CHECK(panel.resultText().startsWith(
      u"✗ Not so. It is 2. Element [5] is in register 1 of lane 2 of warp 0."));
  CHECK_FALSE(panel.solutionButton().isVisible());
  CHECK(placeOfNext() == place);
  answer("2");
  REQUIRE(waitFor(0, QuestionState::Right));
  CHECK(placeOfNext() == place);

  // An element is an answer that can be clicked.
  panel.nextButton().setFocus();
  QTest::mouseClick(&panel.nextButton(), Qt::LeftButton);
  CHECK(placeOfNext() == place);
  // Nor is what is typed lost to another button.
  CHECK(panel.field().hasFocus());
  views::LayoutDiagram *layout = test.window.layoutDiagram();
  REQUIRE(QTest::qWaitFor([&] { return layout->current() != nullptr; }, kPatienceMs));
  QTest::mouseClick(&layout->tensorCanvas(), Qt::LeftButton, {},
                    layout->tensorCanvas().cellRect(70).center().toPoint());
  CHECK(panel.field().text() == u"[70]");
  QTest::mouseClick(&panel.answerButton(), Qt::LeftButton);
  REQUIRE(waitFor(1, QuestionState::Right));

  // What was said stays, and is said to be of the text before.
  CHECK(panel.resultText().startsWith(u"✓ Right. "));
  test.retype("offsets = tl.program_id", QStringLiteral("offsets = tl.arange(0, BLOCK)"));
  REQUIRE(QTest::qWaitFor(
      [&] { return panel.resultText().startsWith(u"✓ Right, before the last edit. "); },
      kPatienceMs));
  const LessonShelf again(QStringLiteral(TILESCOPE_LESSONS),
                          test.folder.filePath(QStringLiteral("learner")));
  const auto &questions = again.progress().lessons.at("layouts").questions;
  CHECK(questions.at(0) == QuestionScore{3, false, true});
  CHECK(questions.at(1) == QuestionScore{1, true, true});
}

TEST_CASE("the text shows the accesses and the layout of the learner's kernel", "[gui][lesson]") {
  LearnerFixture test;
  test.open("coalescing");
  const auto shows = [&](const char *words) {
    return test.view.page().toPlainText().contains(QString::fromLatin1(words));
  };
  REQUIRE(QTest::qWaitFor([&] { return shows("used of them"); }, kPatienceMs));
  CHECK(shows("the load of x_ptr in line 25\n4 bytes\n32\n12.5 %"));
  // It follows the text.
  test.retype("        total += tl.load", QStringLiteral("        total += 1"));
  REQUIRE(QTest::qWaitFor([&] { return !shows("the load of x_ptr"); }, kPatienceMs));
  CHECK(shows("the store of out_ptr"));

  test.open("layouts");
  QImage drawn;
  const QUrl address(QStringLiteral("live:layout/x_ptr"));
  REQUIRE(QTest::qWaitFor(
      [&] {
        drawn = test.view.page()
                    .document()
                    ->resource(QTextDocument::ImageResource, address)
                    .value<QImage>();
        return !drawn.isNull();
      },
      kPatienceMs));
  CHECK(drawn.width() == test.view.pictureWidth());
  // Four warps in their colors.
  std::set<QRgb> colors;
  for (int x = 0; x < drawn.width(); ++x)
    for (int y = 0; y < drawn.height(); ++y)
      colors.insert(drawn.pixel(x, y));
  for (int warp = 0; warp < 4; ++warp)
    CHECK(colors.contains(views::theme().categorical(warp, 4).rgb()));
}

TEST_CASE("closed hints, and keys that act where the learner sees it", "[gui][lesson]") {
  LearnerFixture test;
  test.open("programs-and-masks");
  test.view.hintButton().setFocus();
  for (int i = 0; i < 3; ++i)
    QTest::keyClick(&test.view.hintButton(), Qt::Key_Space);
  // Not the button that would replace the text at the next press.
  CHECK(test.view.page().hasFocus());
  QTest::mouseClick(&test.view.startOverButton(), Qt::LeftButton);
  CHECK_FALSE(test.view.page().toPlainText().contains(u"Hint 1."));
  CHECK(test.view.hintButton().text() == u"Hint 1 of 3");
  test.view.goals().setFocus();
  CHECK(test.view.goals().currentRow() == 0);
  CHECK(test.view.goals().currentItem()->isSelected());
  test.view.page().setFocus();
  CHECK_FALSE(test.view.goals().currentItem()->isSelected());
}
