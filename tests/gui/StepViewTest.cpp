// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/gui/StepFixture.h"

#include <QPushButton>

#include <algorithm>
#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::tests;
using namespace tilescope::views;

TEST_CASE("while the first step is under way, nobody is told how to begin", "[gui][step]") {
  StepView view;
  view.show();
  const auto says = [&](QStringView words) {
    return std::ranges::any_of(view.findChildren<QLabel *>(), [&](const QLabel *label) {
      return label->isVisible() && label->text().contains(words);
    });
  };
  REQUIRE(says(u"begins with the first line"));
  view.setBusy(true);
  CHECK_FALSE(says(u"begins with the first line"));
  CHECK(says(u"On the way to the first stop"));
  view.setBusy(true, QStringLiteral("Running the other programs: 3 of 8"));
  CHECK(says(u"3 of 8"));
  view.setBusy(false);
  CHECK(says(u"begins with the first line"));
  view.clear(QStringLiteral("The program has ended."));
  CHECK(says(u"has ended"));
}

static std::string withoutLaunch() {
  const std::string end = "# ///\n\n";
  std::string text = kScaled;
  const size_t begin = text.find("# /// tilescope");
  return text.erase(begin, text.find(end) + end.size() - begin);
}

TEST_CASE("that a file lacks a launch is not said of another file", "[gui][worker][step]") {
  Steps test(withoutLaunch());
  QTest::keyClick(test.window.editor(), Qt::Key_F10);
  const auto says = [&] {
    return std::ranges::any_of(test.view.findChildren<QLabel *>(), [](const QLabel *label) {
      return label->isVisible() && label->text().contains(u"needs a launch");
    });
  };
  REQUIRE(test.waitFor(says));
  test.fixture.openAndWait(test.fixture.write("launched.py", kScaled));
  CHECK(test.waitFor([&] { return !says(); }));
  // Nor is one offered that would do nothing.
  for (const QPushButton *button : test.view.findChildren<QPushButton *>())
    CHECK_FALSE((button->isVisible() && button->text() == u"Write a launch block"));
  QTest::keyClick(test.window.editor(), Qt::Key_PageUp, Qt::ControlModifier);
  QTest::keyClick(test.window.editor(), Qt::Key_F10);
  CHECK(test.waitFor(says));
}

TEST_CASE("another kernel is stepped from its first program on", "[gui][worker][step]") {
  Steps test;
  test.press(Qt::Key_F10);
  auto *program = test.view.findChild<QSpinBox *>();
  REQUIRE(program != nullptr);
  program->setFocus();
  QTest::keyClick(program, Qt::Key_Up);
  REQUIRE(test.waitFor([&] {
    return !test.window.steps()->isBusy() && test.window.steps()->state()->program[0] == 1;
  }));
  // The same kernel begins anew with it.
  test.press(Qt::Key_F10, Qt::ControlModifier);
  CHECK(test.view.program()[0] == 1);
  std::string other = kScaled;
  other.replace(other.find("def scale("), 10, "def other(");
  other.replace(other.find("\"scale\""), 7, "\"other\"");
  test.fixture.openAndWait(test.fixture.write("other.py", other));
  QTest::keyClick(test.window.editor(), Qt::Key_F10);
  REQUIRE(test.waitFor([&] { return test.view.positionLine().contains(u"other, line 22"); }));
  CHECK(test.view.program()[0] == 0);
}
