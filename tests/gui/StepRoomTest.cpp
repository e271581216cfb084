// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a low Step view has room for.
#include "tests/gui/StepFixture.h"
#include "views/common/Theme.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QSpinBox>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("a long name and a watch leave the picture of a low Step view its room, and the reason "
          "of a stop leaves six rows",
          "[gui][worker][step]") {
  std::string text = kScaled;
  for (size_t at = text.find("scaled("); at != std::string::npos; at = text.find("scaled(", at + 1))
    text.replace(at, 6, "scaled_by_a_factor_that_the_launch_states_for_every_program_of_the_grid");
  text.replace(text.find("    tl.store(out_ptr + offs, z, mask=mask)"), 42,
               "    tl.store(out_ptr + offs + 3, z)");
  Steps test(text);
  test.window.resize(1366, 768);
  test.window.action(QStringLiteral("defaultLayout"))->trigger();
  QTest::qWait(100);
  test.press(Qt::Key_F10);
  QTest::keyClicks(&test.view.watchField(), QStringLiteral("max(offs) + missing"));
  QTest::keyClick(&test.view.watchField(), Qt::Key_Return);
  REQUIRE(test.waitFor([&] { return test.view.model().numWatches() == 1; }));
  while (!test.view.frameField().itemText(0).startsWith(u"scaled_by"))
    test.press(Qt::Key_F11);
  QTest::qWait(100);
  const auto leftOf = [&](const QWidget &part) { return part.mapTo(&test.view, QPoint()).x(); };
  CHECK(test.view.picture().width() * 3 >= test.view.width());
  CHECK(leftOf(test.view.picture()) + test.view.picture().width() <= test.view.width());
  // Fields share one row, and each can be read.
  const QWidget &frame = test.view.frameField(), &watch = test.view.watchField();
  const auto middleOf = [](const QWidget &field) { return field.geometry().center().y(); };
  CHECK(std::abs(middleOf(frame) - middleOf(watch)) <= 2);
  CHECK(std::abs(middleOf(frame) - middleOf(test.view.programField(0))) <= 2);
  CHECK(frame.width() >= 100);
  CHECK(watch.width() >= 170);
  CHECK(leftOf(watch) + watch.width() <= test.view.width());
  // The last program writes past the end: what the red line says has its code in quotes.
  QSpinBox &program = test.view.programField(0);
  program.setFocus();
  program.selectAll();
  QTest::keyClicks(&program, QStringLiteral("3\r"));
  REQUIRE(test.waitFor([&] { return test.view.program()[0] == 3; }));
  test.press(Qt::Key_F7);
  INFO(test.view.reasonText().toStdString());
  CHECK(test.view.reasonText().contains(u"‘"));
  CHECK_FALSE(test.view.reasonText().contains(u'`'));
  const QTableView &table = test.view.table();
  CHECK(table.viewport()->height() >= 6 * table.verticalHeader()->defaultSectionSize());
}

TEST_CASE(
    "the largest letters cut no field of the Step view, and nothing covers its picture's title",
    "[gui][worker][step]") {
  Steps test;
  test.window.resize(1366, 768);
  test.window.action(QStringLiteral("defaultLayout"))->trigger();
  views::setFontZoom(100);
  test.press(Qt::Key_F10);
  test.press(Qt::Key_F10);
  test.choose(QStringLiteral("offs"));
  QTest::qWait(100);
  CHECK(test.view.watchField().height() >= test.view.watchField().minimumSizeHint().height());
  CHECK(test.view.frameField().height() >= test.view.frameField().minimumSizeHint().height());
  const QWidget &bar = *test.view.watchField().parentWidget();
  CHECK(test.view.watchField().geometry().bottom() <= bar.rect().bottom());
  const QComboBox &mode = test.view.picture().modeField();
  CHECK(mode.height() >= mode.minimumSizeHint().height());
  views::setFontZoom(0);
}
