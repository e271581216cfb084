// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is said of files that cannot be opened.
#include "app/ide/page/NoticeBar.h"
#include "tests/gui/StateFixture.h"

#include <QLabel>

#include <algorithm>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("that a file is not text is said as anything else, until the user works on",
          "[gui][document]") {
  StateFixture test;
  test.open("kernel.py", sampleSource());
  WindowFixture &fixture = test.fixture;
  CHECK_FALSE(fixture.window->openFile(fixture.write("fake.py", std::string("PNG\0\0", 5))));
  const auto notices = fixture.window->findChildren<NoticeBar *>();
  const auto notice = std::ranges::find_if(
      notices, [](NoticeBar *each) { return each->text().contains(u"fake.py"); });
  REQUIRE(notice != notices.end());
  CHECK((*notice)->findChild<QLabel *>()->text().startsWith(u"Cannot read ‘/"));
  CHECK_FALSE((*notice)->findChild<QLabel *>()->text().contains(u'`'));
  QTest::keyClick(fixture.window->editor(), Qt::Key_Right);
  CHECK((*notice)->isVisible());
  QTest::keyClick(fixture.window->editor(), Qt::Key_Space);
  CHECK((*notice)->isHidden());
}
