// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The mark of the line at which a program has stopped, and what breakpoints are offered there.
#include "app/ide/page/EditorPage.h"
#include "tests/gui/StepFixture.h"
#include "views/common/Theme.h"

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

TEST_CASE("the arrow is seen on a line with a breakpoint, too", "[gui][worker][step]") {
  for (const char *name : {"dark", "light"}) {
    for (const char *condition : {"", "n > 0"}) {
      Steps test;
      views::applyTheme(views::loadTheme(QString::fromLatin1(name)));
      views::KernelEditor &editor = test.fixture.editor();
      editor.setCondition(22, condition);
      const auto count = [&](views::ColorRole role) {
        const QRgb color = views::theme()[role].rgb();
        const int height = static_cast<int>(editor.SendScintilla(QsciScintilla::SCI_TEXTHEIGHT, 0));
        const auto y = static_cast<int>(
            editor.SendScintilla(QsciScintilla::SCI_POINTYFROMPOSITION, 0,
                                 editor.SendScintilla(QsciScintilla::SCI_POSITIONFROMLINE, 22)));
        const int left = editor.marginWidth(views::kNumberMargin);
        const QImage mark =
            editor.viewport()
                ->grab(QRect(left, y, editor.marginWidth(views::kBreakpointMargin), height))
                .toImage();
        int found = 0;
        for (int row = 0; row < mark.height(); ++row)
          for (int column = 0; column < mark.width(); ++column)
            found += mark.pixel(column, row) == color;
        return found;
      };
      const int full = count(views::ColorRole::Accent);
      CHECK(full > 0);
      test.press(Qt::Key_F10);
      if (test.line() == 22)
        test.press(Qt::Key_F10);
      REQUIRE(test.line() == 23);
      INFO(name << ", `" << condition << "`");
      const int arrow = count(views::ColorRole::Success);
      CHECK(arrow > 10);
      CHECK(count(views::ColorRole::Accent) < full / 2);
      if (const QString folder = qEnvironmentVariable("TILESCOPE_TEST_PICTURES"); !folder.isEmpty())
        CHECK(editor.grab().save(folder + QStringLiteral("/step-%1-%2.png")
                                              .arg(QString::fromLatin1(name))
                                              .arg(*condition ? 1 : 0)));
      // It is full again behind it.
      test.press(Qt::Key_F10);
      CHECK(count(views::ColorRole::Accent) == full);
      CHECK(editor.breakpoints() == std::map<uint32_t, std::string>{{22, condition}});
    }
  }
}

TEST_CASE("conditions are offered about blocks of the line, or of the one that is stepped",
          "[gui][worker][step]") {
  Steps test;
  const auto offered = [&](int line) {
    test.goToLine(line);
    test.window.editor()->setFocus();
    QTest::keyClick(test.window.editor(), Qt::Key_F9, Qt::ShiftModifier);
    auto *dialog = test.window.findChild<QInputDialog *>();
    REQUIRE(dialog != nullptr);
    const QString value = dialog->textValue();
    CHECK(dialog->comboBoxItems().value(0) == value);
    dialog->reject();
    delete dialog;
    // A dialog that closes does not always hand the keys back on this platform.
    test.window.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&test.window));
    return value;
  };
  REQUIRE(test.waitFor([&] { return test.window.compileController()->isCurrent(); }));
  // `tl.store(out_ptr + offs, z, mask=mask)`, `mask = offs < n`, and `def scale(…)`.
  CHECK(offered(26) == u"any(isnan(z))");
  CHECK(offered(23) == u"not any(offs)");
  CHECK(offered(21) == u"");
  test.press(Qt::Key_F10);
  for (int i = 0; i < 10 && test.line() < 26; ++i)
    test.press(Qt::Key_F10);
  REQUIRE(test.line() == 26);
  CHECK(offered(21) == u"any(isnan(z))");
}

static const QComboBox *breakpointList(const views::StepView &view) {
  for (const QComboBox *box : view.findChildren<QComboBox *>())
    if (box->accessibleName() == u"Breakpoints")
      return box;
  return nullptr;
}

TEST_CASE("the list of breakpoints is of the file that is stepped through", "[gui][worker][step]") {
  Steps test;
  std::string other = kScaled;
  replace(other, "* 2 + 1", "* 2 + 1.0");
  const QString first = test.fixture.folder.filePath(QStringLiteral("scale.py"));
  const QComboBox *list = breakpointList(test.view);
  REQUIRE(list != nullptr);
  const auto lists = [&](const char *line) {
    const QString item = QString::fromLatin1(line);
    return test.waitFor([&] { return !list->isHidden() && list->findText(item) >= 0; });
  };
  test.fixture.editor().toggleBreakpoint(23);
  test.press(Qt::Key_F10, Qt::ControlModifier);
  CHECK(lists("Line 24"));
  test.fixture.openAndWait(test.fixture.write("other.py", other));
  test.fixture.editor().toggleBreakpoint(25);
  test.press(Qt::Key_F10, Qt::ControlModifier);
  CHECK(lists("Line 26"));
  CHECK(list->findText(QStringLiteral("Line 24")) < 0);
  test.window.openFile(first);
  const CompileController &compile = *test.window.compileController();
  REQUIRE(test.waitFor([&] { return compile.isCurrent() && !compile.isRunning(); }));
  test.press(Qt::Key_F10, Qt::ControlModifier);
  CHECK(lists("Line 24"));
  CHECK(list->findText(QStringLiteral("Line 26")) < 0);
}

TEST_CASE("breakpoints come back with their lines, and the list says where they are",
          "[gui][worker][step]") {
  Steps test;
  views::KernelEditor &editor = test.fixture.editor();
  const QComboBox *list = breakpointList(test.view);
  REQUIRE(list != nullptr);
  const auto lists = [&](const QString &item) {
    return test.waitFor([&] { return list->findText(item) >= 0; });
  };
  editor.setCondition(23, "n == 50");
  editor.toggleBreakpoint(25);
  const std::map<uint32_t, std::string> both = editor.breakpoints();
  REQUIRE(both.size() == 2);
  CHECK(lists(QStringLiteral("Line 24 if n == 50")));
  // All of the text goes.
  QTest::keyClick(&editor, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(&editor, QStringLiteral("x = 1"));
  CHECK(editor.breakpoints().empty());
  CHECK(test.waitFor([&] { return list->findText(QStringLiteral("Line 24 if n == 50")) < 0; }));
  while (editor.utf8Text() != kScaled)
    QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
  CHECK(editor.breakpoints() == both);
  CHECK(lists(QStringLiteral("Line 24 if n == 50")));
  QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(editor.breakpoints().empty());
  QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
  CHECK(editor.breakpoints() == both);
  // A line comes before them; some lines go, and come back.
  editor.goTo({0, 0});
  QTest::keyClick(&editor, Qt::Key_Return);
  CHECK(lists(QStringLiteral("Line 25 if n == 50")));
  QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
  editor.goTo({22, 0});
  for (int i = 0; i < 2; ++i)
    QTest::keyClick(&editor, Qt::Key_Down, Qt::ShiftModifier);
  QTest::keyClick(&editor, Qt::Key_Delete);
  CHECK(editor.breakpoints() != both);
  QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
  CHECK(editor.breakpoints() == both);
  CHECK(lists(QStringLiteral("Line 24 if n == 50")));
}
