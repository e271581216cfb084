// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Watch expressions of Step, by keys.
#include "tests/gui/StepFixture.h"

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using views::StepModel;

TEST_CASE("watch expressions are typed, shown, and removed", "[gui][worker][step]") {
  Steps test;
  test.press(Qt::Key_F10);
  test.press(Qt::Key_F10);
  QTest::keyClicks(&test.view.watchField(), QStringLiteral("max(offs) + n"));
  QTest::keyClick(&test.view.watchField(), Qt::Key_Return);
  REQUIRE(test.waitFor([&] { return test.view.model().numWatches() == 1; }));
  CHECK(test.view.model().index(0, StepModel::Value).data().toString() == u"65");
  test.press(Qt::Key_F10);
  test.view.table().setFocus();
  test.view.table().setCurrentIndex(test.view.model().index(0, 0));
  QTest::keyClick(&test.view.table(), Qt::Key_Delete);
  CHECK(test.waitFor([&] { return test.view.model().numWatches() == 0; }));
  // What is wrong with one is worded as everywhere in the window.
  QTest::keyClicks(&test.view.watchField(), QStringLiteral("median(offs)"));
  QTest::keyClick(&test.view.watchField(), Qt::Key_Return);
  REQUIRE(test.waitFor([&] { return test.view.model().numWatches() == 1; }));
  CHECK(test.view.model().index(0, StepModel::Value).data().toString().contains(u"‘median’"));
}

TEST_CASE("watches stay in sight at every stop, and each is there once", "[gui][worker][step]") {
  Steps test;
  test.press(Qt::Key_F10);
  const auto watch = [&](const char *expression) {
    QTest::keyClicks(&test.view.watchField(), QString::fromLatin1(expression));
    QTest::keyClick(&test.view.watchField(), Qt::Key_Return);
  };
  watch("max(offs)");
  REQUIRE(test.waitFor([&] { return test.view.model().numWatches() == 1; }));
  // Two rows are in sight.
  QTableView &table = test.view.table();
  table.setFixedHeight(table.horizontalHeader()->height() +
                       2 * table.verticalHeader()->defaultSectionSize() + 4);
  QCoreApplication::processEvents();
  const auto isInSight = [&](int row) {
    return table.viewport()->rect().contains(
        table.visualRect(test.view.model().index(row, 0)).center());
  };
  for (int i = 0; i < 3; ++i) {
    table.setCurrentIndex(test.view.model().index(test.view.model().rowCount() - 1, 0));
    table.scrollToTop();
    test.press(Qt::Key_F10);
    CHECK(isInSight(0));
  }
  // One that is there already is chosen, not added.
  watch("max(offs)");
  CHECK(table.currentIndex().row() == 0);
  CHECK(test.view.model().numWatches() == 1);
  watch("min(offs)");
  REQUIRE(test.waitFor([&] { return test.view.model().numWatches() == 2; }));
  CHECK(isInSight(0));
  CHECK(isInSight(1));
}
