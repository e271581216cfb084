// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A learner looks at something else and comes back.
#include "tests/gui/LessonFixture.h"
#include "tests/gui/Patience.h"
#include "tests/support/Sanitized.h"
#include "views/lesson/GoalList.h"
#include "views/lesson/QuestionPanel.h"
#include "views/run/RunView.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTextBrowser>

#include <algorithm>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("closing the solution leads back to its lesson, whose hints are still open",
          "[gui][lesson]") {
  LessonFixture test;
  test.open("programs-and-masks");
  test.open("broadcasting");
  test.open("programs-and-masks");
  QTest::keyClick(&test.view.hintButton(), Qt::Key_Space);
  REQUIRE(test.view.page().toPlainText().contains(u"Hint 1."));
  QTest::mouseClick(&test.view.solutionButton(), Qt::LeftButton);
  REQUIRE(test.window.windowTitle().contains(u"solution.py"));
  QTest::keyClick(test.window.editor(), Qt::Key_W, Qt::ControlModifier);
  CHECK(test.window.windowTitle().contains(u"programs-and-masks"));
  CHECK(test.view.page().toPlainText().startsWith(u"Programs and masks"));
  CHECK(test.view.page().toPlainText().contains(u"Hint 1."));
  CHECK_FALSE(test.view.page().toPlainText().contains(u"Hint 2."));
  CHECK(test.view.hintButton().text() == u"Hint 2 of 3");
  // Another lesson has hints of its own.
  test.open("broadcasting");
  CHECK_FALSE(test.view.page().toPlainText().contains(u"Hint 1."));
  test.open("programs-and-masks");
  CHECK(test.view.page().toPlainText().contains(u"Hint 1."));
}

TEST_CASE("hints that were opened are open after a restart, until the lesson is started over",
          "[gui][lesson]") {
  LessonFixture test;
  test.open("programs-and-masks");
  QTest::keyClick(&test.view.hintButton(), Qt::Key_Space);
  const QString learner = test.folder.filePath(QStringLiteral("learner"));
  const auto kept = [&] {
    return LessonShelf(QStringLiteral(TILESCOPE_LESSONS), learner)
        .progress()
        .lessons.at("programs-and-masks")
        .hints;
  };
  CHECK(kept() == std::vector<int>{0});
  {
    MainWindow again(&test.worker, {.session = nullptr,
                                    .examplesFolder = {},
                                    .lessonsFolder = QStringLiteral(TILESCOPE_LESSONS),
                                    .learnerFolder = learner});
    again.show();
    again.action(QStringLiteral("lessons.programs-and-masks"))->trigger();
    CHECK(again.lessons()->view()->hintButton().text() == u"Hint 2 of 3");
    CHECK(again.lessons()->view()->page().toPlainText().contains(u"Hint 1."));
  }
  QTest::mouseClick(&test.view.startOverButton(), Qt::LeftButton);
  CHECK(kept().empty());
}

TEST_CASE("the count of goals and the buttons begin where the lesson's text does",
          "[gui][lesson]") {
  LessonFixture test;
  test.open("programs-and-masks");
  const int inset = qRound(test.view.page().document()->documentMargin());
  CHECK(inset >= 8);
  CHECK(test.view.hintButton().mapTo(&test.view, QPoint()).x() == inset);
  REQUIRE(
      QTest::qWaitFor([&] { return test.view.summary().contains(u"goals"); }, 30000 * kSlowdown));
  const auto labels = test.view.findChildren<QLabel *>();
  const auto count = std::ranges::find(labels, test.view.summary(), &QLabel::text);
  REQUIRE(count != labels.end());
  CHECK((*count)->mapTo(&test.view, QPoint()).x() + (*count)->contentsMargins().left() == inset);
}

TEST_CASE("goals show the last line of why they are not met, at any width", "[gui][lesson]") {
  LessonFixture test;
  test.open("programs-and-masks");
  views::GoalList list(&test.window);
  const QString words = QStringLiteral("The result is right");
  const QString why =
      QStringLiteral("the kernel never writes 7936 elements of out_ptr, the first at [1, 0]");
  list.setGoals({{words, views::ShownGoal::State::NotMet, why, false}});
  list.show();
  for (int width = 180; width < 520; ++width) {
    list.resize(width, 400);
    QCoreApplication::processEvents();
    // As the theme pads rows, and as styles keep text off their edges.
    const int margin = list.style()->pixelMetric(QStyle::PM_FocusFrameHMargin) + 1;
    const int room = list.viewport()->width() - 2 * 4 - 2 * margin;
    const int needed = list.fontMetrics()
                           .boundingRect(0, 0, room, 10000, Qt::TextWordWrap, list.item(0)->text())
                           .height();
    INFO("at a width of " << width);
    REQUIRE(list.visualItemRect(list.item(0)).height() >= needed);
  }
}

TEST_CASE("titles of lessons are whole in the list, in a narrow window too", "[gui][lesson]") {
  LessonFixture test;
  test.open("programs-and-masks");
  test.window.resize(800, 560);
  QCoreApplication::processEvents();
  auto *lessons = test.view.header()->findChild<QComboBox *>();
  REQUIRE(lessons);
  lessons->setFocus();
  QTest::keyClick(lessons, Qt::Key_F4);
  REQUIRE(QTest::qWaitFor([&] { return lessons->view()->isVisible(); }, 5000 * kSlowdown));
  int widest = 0;
  for (int i = 0; i < lessons->count(); ++i)
    widest =
        std::max(widest, lessons->view()->fontMetrics().horizontalAdvance(lessons->itemText(i)));
  CHECK(lessons->view()->viewport()->width() >= widest);
  QTest::keyClick(lessons->view(), Qt::Key_Escape);
}

TEST_CASE("the solution in front is what is compiled and run, and the lesson stays the learner's",
          "[gui][lesson]") {
  LessonFixture test;
  test.open("programs-and-masks");
  const CompileController &compile = *test.window.compileController();
  const EditorPage *own = test.window.currentPage();
  QTest::mouseClick(&test.view.solutionButton(), Qt::LeftButton);
  const EditorPage *solution = test.window.currentPage();
  REQUIRE(solution != own);
  CHECK(compile.file() == solution);
  REQUIRE(compile.document());
  CHECK(compile.document()->source->text == test.window.editor()->utf8Text());
  const auto &run = *test.window.findChild<views::RunView *>();
  QTest::keyClick(test.window.editor(), Qt::Key_F5);
  REQUIRE(QTest::qWaitFor([&] { return run.statusText().contains(u"as expected"); }, kPatienceMs));
  // Goals and questions are those of the learner's text, which does not meet them.
  CHECK(test.view.page().toPlainText().startsWith(u"Programs and masks"));
  CHECK(test.window.lessons()->shown() == std::optional<size_t>(0));
  CHECK(QTest::qWaitFor([&] { return test.view.summary() == u"1 of 3 goals are met."; },
                        kPatienceMs));

  // Back in the learner's file, its own result is shown: there is none.
  QTest::keyClick(test.window.editor(), Qt::Key_PageUp, Qt::ControlModifier);
  REQUIRE(test.window.currentPage() == own);
  CHECK(compile.file() == own);
  CHECK_FALSE(run.statusText().contains(u"as expected"));
  QTest::keyClick(test.window.editor(), Qt::Key_F5);
  REQUIRE(QTest::qWaitFor([&] { return run.statusText().contains(u"out_ptr"); }, kPatienceMs));
}

TEST_CASE("with an empty text the lesson stays, and can be started over", "[gui][lesson]") {
  LessonFixture test;
  test.open("programs-and-masks");
  const std::string start = test.window.editor()->utf8Text();
  test.window.editor()->setFocus();
  QTest::keyClick(test.window.editor(), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(test.window.editor(), Qt::Key_Delete);
  const CompileController &compile = *test.window.compileController();
  REQUIRE(QTest::qWaitFor([&] { return compile.document() == nullptr; }, kPatienceMs));
  CHECK(test.view.page().toPlainText().startsWith(u"Programs and masks"));
  CHECK(test.view.summary() == u"0 of 3 goals are met.");
  QTest::mouseClick(&test.view.startOverButton(), Qt::LeftButton);
  CHECK(test.window.editor()->utf8Text() == start);
}

TEST_CASE("whatever kind of text is in front, nothing of another one is compiled or run",
          "[gui][lesson]") {
  LessonFixture test;
  const auto write = [&](const char *name, const QByteArray &bytes) {
    const QString path = test.folder.filePath(QLatin1String(name));
    QFile file(path);
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    return path;
  };
  const QByteArray kernel = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
                            "def k(p):\n    tl.store(p, 1.0)\n";
  const QString plain = write("plain.py", kernel);
  const CompileController &compile = *test.window.compileController();
  const std::vector<std::function<void()>> others{
      [&] { test.window.openFile(write("latin.py", "# \xe9\n" + kernel)); },
      [&] { test.window.openFile(write("words.txt", "words\n")); },
      [&] {
        test.window.openFile(write("large.py", "# " + QByteArray(1 << 21, 'x') + "\n" + kernel));
      },
      [&] { test.window.openFile(write("empty.py", {})); },
      [&] {
        test.window.openReadOnly(QStringLiteral("<tilescope>/prelude/standard.py"),
                                 QString::fromUtf8(kernel));
      },
      [&] {
        test.window.openReadOnly(QStringLiteral("/elsewhere/seen.py"), QString::fromUtf8(kernel));
      },
  };
  for (const auto &open : others) {
    test.window.openFile(plain);
    REQUIRE(compile.file() == test.window.currentPage());
    open();
    EditorPage *page = test.window.currentPage();
    INFO(page->title().toStdString());
    REQUIRE(page->path() != plain);
    if (compile.document())
      CHECK(compile.document()->source->text == page->editor().utf8Text());
    CHECK((!compile.document() || compile.file() == page));
    QTest::keyClick(&page->editor(), Qt::Key_F5);
    if (compile.document())
      CHECK(compile.document()->source->text == page->editor().utf8Text());
    CHECK((!compile.document() || compile.file() == page));
  }
}

TEST_CASE("answers are kept with the text that they are about", "[gui][lesson]") {
  LessonFixture test;
  test.open("programs-and-masks");
  views::QuestionPanel &panel = test.view.questions();
  REQUIRE(QTest::qWaitFor([&] { return panel.field().isVisible(); }, kPatienceMs));
  panel.field().setFocus();
  QTest::keyClicks(&panel.field(), QStringLiteral("7777"));
  QTest::keyClick(&panel.field(), Qt::Key_Return);
  REQUIRE(QTest::qWaitFor([&] { return panel.solutionButton().isVisible(); }, kPatienceMs));
  CHECK_FALSE(panel.resultText().contains(u"It is 4"));
  QTest::mouseClick(&panel.solutionButton(), Qt::LeftButton);
  REQUIRE(panel.resultText().contains(u"It is 4"));
  const QString answered = panel.resultText();
  test.open("broadcasting");
  CHECK_FALSE(test.view.questions().resultText() == answered);
  test.open("programs-and-masks");
  CHECK(test.view.questions().resultText() == answered);
  // About another text they are said to be of the one before.
  test.window.editor()->setFocus();
  QTest::keyClick(test.window.editor(), Qt::Key_End, Qt::ControlModifier);
  QTest::keyClicks(test.window.editor(), QStringLiteral("# more"));
  const QString before = QString(answered).replace(QStringLiteral("Not so."),
                                                   QStringLiteral("Not so, before the last edit."));
  CHECK(QTest::qWaitFor([&] { return panel.resultText() == before; }, kPatienceMs));
  CHECK_FALSE(panel.solutionButton().isVisible());
}
