// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A learner looks at something else and comes back.
#include "tests/gui/LessonFixture.h"
#include "tests/support/Sanitized.h"

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
