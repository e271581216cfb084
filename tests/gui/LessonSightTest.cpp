// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a learner sees of a lesson, and where answers lead, over a real worker.
#include "app/ide/present/HeldSliders.h"
#include "tests/gui/LessonFixture.h"
#include "tests/gui/Patience.h"
#include "views/common/ElidedLabel.h"
#include "views/common/Scrubber.h"
#include "views/common/Theme.h"
#include "views/lesson/GoalList.h"
#include "views/lesson/QuestionPanel.h"
#include "views/registers/RegistersView.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTextBrowser>

#include <algorithm>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("the view of an answer goes to the program that was asked about", "[gui][lesson]") {
  LessonFixture test;
  test.open("broadcasting");
  views::QuestionPanel &panel = test.view.questions();
  const auto sliders = slidersOf(*test.window.dock(QStringLiteral("programs")));
  views::Scrubber *x = sliders.at(QStringLiteral("Program x")),
                  *y = sliders.at(QStringLiteral("y"));
  REQUIRE(QTest::qWaitFor([&] { return x->count() > 1 && y->count() > 1; }, kPatienceMs));
  REQUIRE(x->value() == 0);
  panel.field().setFocus();
  QTest::keyClicks(&panel.field(), QStringLiteral("[0, 0]"));
  QTest::keyClick(&panel.field(), Qt::Key_Return);
  const auto isThere = [&] { return x->value() == 1 && y->value() == 1; };
  CHECK(QTest::qWaitFor([&] { return isThere(); }, kPatienceMs));
  // The learner may look elsewhere; the answer leads back.
  x->field().setValue(0);
  REQUIRE(panel.solutionButton().isVisible());
  QTest::mouseClick(&panel.solutionButton(), Qt::LeftButton);
  CHECK(QTest::qWaitFor([&] { return isThere(); }, kPatienceMs));
  CHECK(panel.resultText().contains(u"It is [32, 64]."));
}

TEST_CASE("with large letters, the text of a lesson keeps some lines", "[gui][lesson]") {
  LessonFixture test;
  test.open("reductions");
  REQUIRE(QTest::qWaitFor([&] { return test.view.summary() == u"1 of 4 goals are met."; },
                          kPatienceMs));
  for (int steps = 0; steps < 4; ++steps)
    QTest::keyClick(&test.window, Qt::Key_Plus, Qt::ControlModifier);
  CHECK(QTest::qWaitFor(
      [&] {
        const QTextBrowser &page = test.view.page();
        return page.viewport()->height() >= 6 * QFontMetrics(views::uiFont()).lineSpacing();
      },
      kPatienceMs));
  CHECK(test.view.goals().height() >= 3 * test.view.goals().fontMetrics().lineSpacing());
  CHECK(views::textPercent() > 130);
  for (int steps = 0; steps < 4; ++steps)
    QTest::keyClick(&test.window, Qt::Key_Minus, Qt::ControlModifier);
}

TEST_CASE("a lesson is found by the letters of its title, solved or not", "[gui][lesson]") {
  LessonFixture test;
  test.open("broadcasting");
  test.view.setLessons({{QStringLiteral("Programs and masks"), QStringLiteral("First"), true},
                        {QStringLiteral("Puzzle 1"), QStringLiteral("First"), false}},
                       1);
  QSignalSpy asked(&test.view, &views::LessonView::lessonRequested);
  test.view.lessons().setFocus();
  QTest::keyClicks(&test.view.lessons(), QStringLiteral("p"));
  REQUIRE(asked.count() > 0);
  CHECK(asked.back().front().toInt() == 0);
  // A heading with the same letter is read, and not chosen.
  test.view.setLessons({{QStringLiteral("Programs and masks"), QStringLiteral("First"), true},
                        {QStringLiteral("Puzzle 1"), QStringLiteral("Puzzles"), false}},
                       0);
  asked.clear();
  QTest::keyClick(&test.view.lessons(), Qt::Key_Down);
  REQUIRE(asked.count() == 1);
  CHECK(asked.back().front().toInt() == 1);
}

TEST_CASE("the parts of a narrow view do not cover each other", "[gui][lesson]") {
  LessonFixture test;
  test.open("occupancy");
  test.window.resize(1366, 740);
  QTest::keyClick(test.window.editor(), Qt::Key_Y, Qt::ControlModifier | Qt::ShiftModifier);
  views::RegistersView &registers = *test.window.registersView();
  REQUIRE(QTest::qWaitFor([&] { return registers.hasContent(); }, kPatienceMs));
  REQUIRE(registers.width() < 480);
  const auto labels = registers.findChildren<views::ElidedLabel *>();
  const auto below = std::ranges::find_if(labels, [&](const views::ElidedLabel *each) {
    return !registers.infoText().isEmpty() && each->text() == registers.infoText();
  });
  REQUIRE(below != labels.end());
  const auto top = [&](const QWidget &widget) {
    return widget.mapTo(&registers, QPoint(0, 0)).y();
  };
  CHECK(QTest::qWaitFor(
      [&] { return top(**below) >= top(registers.table()) + registers.table().height(); },
      kPatienceMs));
}

TEST_CASE("code in a lesson's text looks like code, even one sign of it", "[gui][lesson]") {
  LessonFixture test;
  test.open("broadcasting");
  QTextDocument &text = *test.view.page().document();
  const QTextCursor sign = text.find(QStringLiteral("& joins two"));
  REQUIRE_FALSE(sign.isNull());
  QTextCursor first(&text);
  first.setPosition(sign.selectionStart() + 1);
  CHECK(first.charFormat().background().color() == views::theme()[views::ColorRole::Window]);
  first.setPosition(sign.selectionStart() + 4);
  CHECK(first.charFormat().background().style() == Qt::NoBrush);
}
