// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Files that other programs change, replace and remove while they are open.
#include "tests/gui/FakeWindow.h"
#include "tests/gui/KeptTexts.h"
#include "views/common/CodeView.h"

#include <QDialog>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollBar>

#include <fcntl.h>
#include <sys/stat.h>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

namespace {

struct DiskFixture : FakeWindow {
  QString path = write("kernel.py", "a = 1\n");
  DiskFixture() {
    openAndWait(path);
    editor().goTo({0, 0});
  }

  /// As most programs save.
  void replace(const std::string &text) {
    REQUIRE(std::rename(write("kernel.py.new", text).toLocal8Bit().constData(),
                        path.toLocal8Bit().constData()) == 0);
  }
  bool becomes(const std::string &text) {
    return QTest::qWaitFor([&] { return editor().utf8Text() == text; }, 5000);
  }
  bool says(const char *words) {
    return QTest::qWaitFor(
        [&] { return page().notice().text().contains(QString::fromLatin1(words)); }, 5000);
  }
  void choose(int index) {
    QTest::keyClick(page().notice().findChildren<QPushButton *>().at(index), Qt::Key_Space);
  }
};

} // namespace

TEST_CASE("a file that changes on the disk is read again at once, however it is written",
          "[gui][disk]") {
  DiskFixture test;
  test.write("kernel.py", "a = 2\n");
  CHECK(test.becomes("a = 2\n"));
  for (int i = 3; i < 6; ++i) {
    const std::string text = "a = " + std::to_string(i) + "\n";
    test.replace(text);
    CHECK(test.becomes(text));
    CHECK_FALSE(test.page().isModified());
  }
  // A file from the past, after the clock was set back.
  test.write("kernel.py", "a = 6\n");
  const timespec past[2] = {{1000000000, 0}, {1000000000, 0}};
  utimensat(AT_FDCWD, test.path.toLocal8Bit().constData(), past, 0);
  CHECK(test.becomes("a = 6\n"));
  // The earlier text is one undo away.
  test.press(Qt::Key_Z);
  CHECK(test.editor().utf8Text() == "a = 5\n");
  CHECK(test.page().isModified());
}

TEST_CASE("the cursor stays in its line while the file is read again", "[gui][disk]") {
  DiskFixture test;
  test.replace("a = 1\nb = 2\nc = 3\nd = 4\n");
  REQUIRE(test.becomes("a = 1\nb = 2\nc = 3\nd = 4\n"));
  test.editor().goTo({2, 4});
  // Changed above it and below it, with a line more.
  test.replace("a = 10\nnew = 0\nb = 2\nc = 3\nd = 40\n");
  REQUIRE(test.becomes("a = 10\nnew = 0\nb = 2\nc = 3\nd = 40\n"));
  CHECK(test.editor().cursor() == Position{3, 4});
  // The line itself is another one.
  test.replace("x = 10\nnew = 0\nb = 2\nrest()\nd = 400\n");
  REQUIRE(test.becomes("x = 10\nnew = 0\nb = 2\nrest()\nd = 400\n"));
  CHECK(test.editor().cursor().line == 3);
}

TEST_CASE("changes here and on the disk: mine are kept, theirs taken, or both compared",
          "[gui][disk]") {
  DiskFixture test;
  test.type("b");
  test.replace("a = 2\n");
  REQUIRE(test.says("Another program has changed this file"));
  CHECK(test.editor().utf8Text() == "ba = 1\n");

  test.choose(2);
  auto *comparison = test.page().findChild<QDialog *>();
  REQUIRE(comparison);
  CHECK(comparison->findChild<views::CodeView *>()->document().text() == "ba = 1\na = 2\n");
  QTest::keyClick(comparison, Qt::Key_Escape);
  CHECK(test.says("Another program"));

  test.choose(1);
  CHECK(test.editor().utf8Text() == "a = 2\n");
  CHECK_FALSE(test.page().isModified());
  test.press(Qt::Key_Z);
  CHECK(test.editor().utf8Text() == "ba = 1\n");
  CHECK(test.page().isModified());

  test.replace("a = 3\n");
  REQUIRE(test.says("Another program"));
  test.choose(0);
  CHECK(test.editor().utf8Text() == "ba = 1\n");
  CHECK(test.page().isModified());
  test.press(Qt::Key_S);
  CHECK(contents(test.path) == "ba = 1\n");
}

TEST_CASE("what was undone is not lost to a change on the disk", "[gui][disk]") {
  DiskFixture test;
  test.type("b");
  test.replace("a = 2\n");
  REQUIRE(test.says("you have unsaved changes here"));
  test.press(Qt::Key_Z);
  CHECK_FALSE(test.page().isModified());
  // Saving asks; it does not take theirs.
  test.press(Qt::Key_S);
  CHECK(test.editor().utf8Text() == "a = 1\n");
  CHECK(contents(test.path) == "a = 2\n");
  CHECK(test.says("drops the changes that you have undone here"));
  test.choose(0);
  QTest::keyClick(&test.editor(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(test.editor().utf8Text() == "ba = 1\n");
}

TEST_CASE("the window that compares both versions settles which one stays", "[gui][disk]") {
  DiskFixture test;
  const auto decide = [&](const char *label) {
    test.choose(2);
    auto *comparison = test.page().findChild<QDialog *>();
    REQUIRE(comparison);
    for (QPushButton *button : comparison->findChildren<QPushButton *>())
      if (button->text() == QString::fromLatin1(label))
        return QTest::keyClick(button, Qt::Key_Space);
    FAIL(label << " is missing");
  };
  test.type("b");
  test.replace("a = 2\n");
  REQUIRE(test.says("Another program"));
  decide("&Keep mine");
  CHECK(test.editor().utf8Text() == "ba = 1\n");
  CHECK(test.page().isModified());
  CHECK(test.page().notice().text().isEmpty());
  CHECK(QTest::qWaitFor([&] { return !test.page().findChild<QDialog *>(); }, 5000));

  test.replace("a = 3\n");
  REQUIRE(test.says("Another program"));
  decide("&Take theirs");
  CHECK(test.editor().utf8Text() == "a = 3\n");
  CHECK_FALSE(test.page().isModified());
  CHECK(test.page().notice().text().isEmpty());
}

TEST_CASE("a change at the end of a long line is in sight in the comparison", "[gui][disk]") {
  DiskFixture test;
  const std::string line = "a = 1  # " + std::string(300, '-');
  test.replace(line + "\nb = 2\n");
  REQUIRE(test.becomes(line + "\nb = 2\n"));
  QTest::keyClick(&test.editor(), Qt::Key_End);
  test.type(" mine");
  test.replace(line + " theirs\nb = 2\n");
  REQUIRE(test.says("Another program"));
  test.choose(2);
  auto *comparison = test.page().findChild<QDialog *>();
  REQUIRE(comparison);
  auto *view = comparison->findChild<views::CodeView *>();
  REQUIRE(view);
  CHECK(view->horizontalScrollBar()->value() > 0);
  const auto isInSight = [&](int row) {
    const views::CodeView::HiddenWords hidden = view->hiddenWords(row);
    return !hidden.areLeft && !hidden.areRight;
  };
  CHECK((isInSight(0) && isInSight(1)));
  // Scrolled back, both lines have a mark at the edge beyond which they differ.
  QTest::keyClick(view, Qt::Key_Home);
  CHECK(view->horizontalScrollBar()->value() == 0);
  CHECK((view->hiddenWords(0).areRight && view->hiddenWords(1).areRight));
  CHECK_FALSE(view->hiddenWords(2).areRight);
}

TEST_CASE("the letters of a question are not those of menus", "[gui][disk]") {
  DiskFixture test;
  test.type("b");
  test.replace("a = 2\n");
  REQUIRE(test.says("Another program"));
  const auto check = [&] {
    for (const QPushButton *button : test.page().notice().findChildren<QPushButton *>())
      for (const QAction *menu : test.window->menuBar()->actions()) {
        INFO(button->text().toStdString() << " " << menu->text().toStdString());
        CHECK(QKeySequence::mnemonic(button->text()) != QKeySequence::mnemonic(menu->text()));
      }
  };
  check();
  QTest::keyClick(&test.editor(), Qt::Key_I, Qt::AltModifier);
  CHECK(QTest::qWaitFor([&] { return test.page().notice().text().isEmpty(); }, 5000));
  CHECK(test.editor().utf8Text() == "ba = 1\n");
  QFile::remove(test.path);
  REQUIRE(test.says("no longer exists"));
  check();
}

TEST_CASE("what is compared is closed when the file changes once more", "[gui][disk]") {
  DiskFixture test;
  test.type("b");
  test.replace("a = 2\n");
  REQUIRE(test.says("Another program"));
  test.choose(2);
  REQUIRE(test.page().findChild<QDialog *>());
  test.replace("a = 3\n");
  CHECK(QTest::qWaitFor([&] { return !test.page().findChild<QDialog *>(); }, 5000));
  CHECK(test.says("Another program"));
}

TEST_CASE("a question about changes is asked again after a restart", "[gui][disk]") {
  DiskFixture test;
  test.type("b");
  test.window->close();
  test.window.reset();
  test.replace("a = 2\n");
  test.open();
  REQUIRE(test.window->restoreSession());
  CHECK(test.page().notice().text().contains(QStringLiteral("Another program")));
  CHECK(test.editor().utf8Text() == "ba = 1\n");
}

TEST_CASE("both make the same change: nothing is asked", "[gui][disk]") {
  DiskFixture test;
  test.type("b");
  test.replace("ba = 1\n");
  CHECK(QTest::qWaitFor([&] { return !test.page().isModified(); }, 5000));
  CHECK(test.page().notice().text().isEmpty());
}

TEST_CASE("a file that vanishes is told of, kept, and found again", "[gui][disk]") {
  DiskFixture test;
  QFile::remove(test.path);
  REQUIRE(test.says("no longer exists on disk"));
  CHECK(test.editor().utf8Text() == "a = 1\n");
  CHECK(test.page().isModified());
  // The session has it now, although nothing was typed.
  CHECK(QTest::qWaitFor(
      [&] { return keptTexts(test.sessionFolder())[QStringLiteral("kernel.py")] == "a = 1\n"; },
      5000));
  test.write("kernel.py", "a = 1\n");
  CHECK(QTest::qWaitFor([&] { return !test.page().isModified(); }, 5000));
  CHECK(test.page().notice().text().isEmpty());
  QFile::remove(test.path);
  REQUIRE(test.says("no longer exists on disk"));
  test.choose(0);
  CHECK(contents(test.path) == "a = 1\n");
  CHECK_FALSE(test.page().isModified());
}

TEST_CASE("a file that turns into something else is kept as it was", "[gui][disk]") {
  DiskFixture test;
  test.replace(std::string("a\0b", 3));
  REQUIRE(test.says("is zero"));
  CHECK(test.editor().utf8Text() == "a = 1\n");
  CHECK(test.page().isModified());
  test.replace("caf\xe9");
  REQUIRE(QTest::qWaitFor([&] { return test.says("Another program"); }, 5000));
  test.choose(1);
  CHECK(test.says("no longer UTF-8"));
  CHECK(test.editor().utf8Text() == "a = 1\n");
}
