// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A learner looks at something else and comes back.
#include "tests/gui/LessonFixture.h"
#include "tests/support/Sanitized.h"
#include "views/lesson/GoalList.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
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
