// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The mark of the line at which a program has stopped.
#include "app/ide/page/EditorPage.h"
#include "tests/gui/StepFixture.h"

#include <QPushButton>

using namespace tilescope;
using namespace tilescope::tests;

static void replace(std::string &text, std::string_view from, std::string_view to) {
  text.replace(text.find(from), from.size(), to);
}

TEST_CASE("the beginning of the line that is stepped is in sight", "[gui][worker][step]") {
  std::string text = kScaled;
  replace(text, "tl.store(out_ptr + offs, z, mask=mask)",
          "tl.store(out_ptr + offs, z, mask=mask)  # " + std::string(400, '-'));
  Steps test(text);
  views::KernelEditor &editor = test.fixture.editor();
  QTest::keyClick(&editor, Qt::Key_End, Qt::ControlModifier);
  QTest::keyClick(&editor, Qt::Key_Up);
  QTest::keyClick(&editor, Qt::Key_End);
  const auto scrolled = [&] { return editor.SendScintilla(QsciScintilla::SCI_GETXOFFSET); };
  REQUIRE(scrolled() > 0);
  test.press(Qt::Key_F10);
  CHECK(test.line() == 22);
  CHECK(scrolled() == 0);
}

TEST_CASE("edits move the mark of the line that is stepped, or take it away",
          "[gui][worker][step]") {
  std::string text = kScaled;
  replace(text, "# n = 50", "# n = 48");
  Steps test(text);
  views::KernelEditor &editor = test.fixture.editor();
  for (int i = 0; i < 3; ++i)
    test.press(Qt::Key_F10);
  REQUIRE(test.line() == 24);
  const int breakpoint = 23;
  editor.toggleBreakpoint(breakpoint - 1);
  const auto marksLine = [&](int line) {
    return test.waitFor([&] { return test.line() == line; });
  };
  // A line before it and one behind it are other ones on the disk than here.
  editor.goTo({25, 0});
  test.fixture.type("# mine");
  std::string theirs = text;
  replace(theirs, "# n = 48", "# n = 50\n# # theirs");
  replace(theirs, "z, mask=mask", "z, mask");
  test.fixture.write("scale.py", theirs);
  app::EditorPage &page = *test.window.currentPage();
  REQUIRE(test.waitFor([&] { return page.notice().text().contains(u"Another program"); }));
  QTest::keyClick(page.notice().findChildren<QPushButton *>().at(1), Qt::Key_Space);
  REQUIRE(editor.utf8Text() == theirs);
  CHECK(marksLine(25));
  CHECK(editor.breakpoints().contains(breakpoint));
  QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
  REQUIRE(editor.utf8Text() != theirs);
  CHECK(marksLine(24));
  CHECK(editor.breakpoints().contains(breakpoint - 1));
  QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  REQUIRE(editor.utf8Text() == theirs);
  CHECK(marksLine(25));
  CHECK(editor.breakpoints().contains(breakpoint));
  // The line itself goes, and comes back.
  editor.goTo({24, 0});
  QTest::keyClick(&editor, Qt::Key_Down, Qt::ShiftModifier);
  QTest::keyClick(&editor, Qt::Key_Delete);
  CHECK(marksLine(0));
  QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
  REQUIRE(editor.utf8Text() == theirs);
  CHECK(marksLine(25));
}
