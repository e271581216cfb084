// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Commands, menus, examples and messages are there when they can do something, and are found by name.
#include "app/ide/window/StartPage.h"
#include "tests/gui/Dialogs.h"
#include "tests/gui/Patience.h"
#include "tests/gui/StateFixture.h"

#include <QAbstractItemView>
#include <QFileDialog>
#include <QInputDialog>
#include <QLineEdit>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::StageId;

static const QMenu *menuOf(const MainWindow &window, const char *title) {
  for (const QAction *action : window.menuBar()->actions())
    if (action->text() == QString::fromLatin1(title))
      return action->menu();
  return nullptr;
}

TEST_CASE("menus fit a small screen, and themes and views are marked", "[gui][window]") {
  StateFixture test;
  test.window.resize(1366, 768);
  for (const QAction *action : test.window.menuBar()->actions()) {
    INFO(action->text().toStdString());
    CHECK(action->menu()->sizeHint().height() < 768 - test.window.menuBar()->height());
  }
  const QAction *dark = test.window.action(QStringLiteral("themeDark"));
  CHECK(dark->isChecked());
  test.window.action(QStringLiteral("themeToggle"))->trigger();
  CHECK_FALSE(dark->isChecked());
  CHECK(test.window.action(QStringLiteral("themeLight"))->isChecked());
  test.window.action(QStringLiteral("themeDark"))->trigger();
  CHECK(dark->isChecked());
  // In the order of their keys.
  QStringList names;
  for (const QAction *action : menuOf(test.window, "&View")->actions())
    if (action->text() == u"&Go to")
      for (const QAction *view : action->menu()->actions())
        names << view->text();
  CHECK(names.mid(0, 4) == QStringList{QStringLiteral("Go to the editor"),
                                       QStringLiteral("Go to AST"), QStringLiteral("Go to TTIR"),
                                       QStringLiteral("Go to TTGIR")});
}

TEST_CASE("without a file no command is offered that needs one", "[gui][window]") {
  StateFixture test;
  for (const char *id :
       {"undo", "cut", "fix", "save", "run", "cancelRun", "chooseTarget", "find"}) {
    INFO(id);
    CHECK_FALSE(test.window.action(QString::fromLatin1(id))->isEnabled());
  }
  test.open("kernel.py", sampleSource());
  for (const char *id : {"undo", "cut", "fix", "save", "run", "chooseTarget", "find"}) {
    INFO(id);
    CHECK(test.window.action(QString::fromLatin1(id))->isEnabled());
  }
}

TEST_CASE("before a file is open, views say what they say when the last one is closed",
          "[gui][window]") {
  StateFixture test;
  test.checkUncompiled("No file is open.");
  test.open("two.py", kTwoKernels);
  test.press(Qt::Key_W, Qt::ControlModifier);
  REQUIRE(test.window.currentPage() == nullptr);
  test.checkUncompiled("No file is open.");
}

TEST_CASE("the palette says when no command matches", "[gui][window]") {
  StateFixture test;
  test.open("kernel.py", sampleSource());
  test.press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  auto *palette = test.window.palette();
  const auto says = [&] {
    for (const QLabel *label : palette->findChildren<QLabel *>())
      if (label->isVisible() && label->text() == u"No command matches")
        return true;
    return false;
  };
  CHECK_FALSE(says());
  QTest::keyClicks(palette->findChild<QLineEdit *>(), QStringLiteral("xyzzy"));
  CHECK(says());
  QTest::keyClick(palette->findChild<QLineEdit *>(), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(palette->findChild<QLineEdit *>(), QStringLiteral("keyboard"));
  CHECK_FALSE(says());
  QTest::keyClick(palette->findChild<QLineEdit *>(), Qt::Key_Return);
  // The list of keys holds every command that has one.
  const QTreeWidget *list = nullptr;
  for (QDialog *dialog : test.window.findChildren<QDialog *>())
    if (dialog->isVisible())
      list = dialog->findChild<QTreeWidget *>();
  REQUIRE(list);
  int numKeys = 0;
  for (const QAction *action : test.window.QWidget::actions())
    numKeys += action->shortcut().isEmpty() ? 0 : 1;
  CHECK(list->topLevelItemCount() == numKeys);
  CHECK(list->findItems(QStringLiteral("Go to the editor"), Qt::MatchExactly).at(0)->text(1) ==
        u"Ctrl+E");
}

TEST_CASE("a target is chosen from the palette", "[gui][window]") {
  StateFixture test;
  test.open("kernel.py", sampleSource());
  test.press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  QTest::keyClicks(test.window.palette()->findChild<QLineEdit *>(),
                   QStringLiteral("target cuda:80"));
  QTest::keyClick(test.window.palette()->findChild<QLineEdit *>(), Qt::Key_Return);
  CHECK(QTest::qWaitFor([&] { return test.window.session().target == u"cuda:80"; }));
}

TEST_CASE("examples are offered by name, the easiest first", "[gui][window]") {
  StateFixture test;
  QTemporaryDir examples;
  REQUIRE(QDir(examples.path()).mkdir(QStringLiteral("walkthroughs")));
  for (const char *name : {"cumsum.py", "vector_add.py", "another.py", "gelu.py",
                           "walkthroughs/matmul_0_start.py", "walkthroughs/matmul_1_next.py"}) {
    QFile file(examples.filePath(QString::fromLatin1(name)));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(sampleSource().c_str());
  }
  MainWindow window(&test.backend, {.session = nullptr, .examplesFolder = examples.path()});
  const QMenu *menu = nullptr;
  for (const QAction *action : menuOf(window, "&File")->actions())
    if (action->text() == u"Examples")
      menu = action->menu();
  REQUIRE(menu);
  QStringList names;
  for (const QAction *action : menu->actions())
    names << action->text();
  CHECK(names == QStringList{QStringLiteral("Vector add"), QStringLiteral("GELU"),
                             QStringLiteral("Cumulative sum"), QStringLiteral("Another"),
                             QStringLiteral("Walkthrough: Matrix product")});
  CHECK(views::commandName(*menu->actions().first()) == u"Example: Vector add");
  window.openFirstExample();
  CHECK(window.currentPage()->path().endsWith(u"vector_add.py"));
}

TEST_CASE("saving an example or a lesson's text asks where to, and never replaces it silently",
          "[gui][window]") {
  const bool isLesson = GENERATE(false, true);
  StateFixture test;
  QTemporaryDir examples, own;
  const QString path = examples.filePath(QStringLiteral("vector_add.py"));
  QFile file(path);
  REQUIRE(file.open(QIODevice::WriteOnly));
  file.write(sampleSource().c_str());
  file.close();
  const QString started = QDir::currentPath();
  REQUIRE(QDir::setCurrent(own.path()));
  MainWindow window(&test.backend, {.session = nullptr,
                                    .examplesFolder = isLesson ? QString() : examples.path(),
                                    .lessonsFolder = isLesson ? examples.path() : QString()});
  window.show();
  window.activateWindow();
  REQUIRE(QTest::qWaitForWindowActive(&window));
  REQUIRE(window.openFile(path));
  QTest::keyClick(window.editor(), '#');
  QString offered;
  const InDialog<QFileDialog> answer([&](QFileDialog &files) {
    offered = files.directory().canonicalPath();
    QTest::keyClick(files.findChild<QLineEdit *>(), Qt::Key_Return);
  });
  QTest::keyClick(window.editor(), Qt::Key_S, Qt::ControlModifier);
  QDir::setCurrent(started);
  // In the folder where the program was started, under the example's name.
  CHECK(offered == QFileInfo(own.path()).canonicalFilePath());
  CHECK(QFileInfo(window.currentPage()->path()).canonicalFilePath() ==
        QFileInfo(own.filePath(QStringLiteral("vector_add.py"))).canonicalFilePath());
  CHECK_FALSE(window.currentPage()->isModified());
  REQUIRE(file.open(QIODevice::ReadOnly));
  CHECK(file.readAll().toStdString() == sampleSource());
}

/// Names of the page's buttons, and its words.
static QStringList shownOn(const QWidget &page) {
  QStringList texts;
  for (const QPushButton *button : page.findChildren<QPushButton *>())
    if (button->isVisible())
      texts << button->text();
  for (const QLabel *label : page.findChildren<QLabel *>())
    if (label->isVisible())
      texts << label->text();
  return texts;
}

TEST_CASE("the first start offers files, examples, walkthroughs and help", "[gui][window]") {
  StateFixture test;
  QTemporaryDir examples;
  REQUIRE(QDir(examples.path()).mkdir(QStringLiteral("walkthroughs")));
  for (const char *name : {"vector_add.py", "walkthroughs/transpose_0_rows.py"}) {
    QFile file(examples.filePath(QString::fromLatin1(name)));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(("# What it is about.\n" + std::string(40, '\n') + sampleSource()).c_str());
  }
  MainWindow window(&test.backend, {.session = nullptr, .examplesFolder = examples.path()});
  window.resize(1366, 768);
  window.show();
  REQUIRE(QTest::qWaitForWindowActive(&window));
  CHECK_FALSE(window.restoreSession());
  CHECK(window.currentPage() == nullptr);
  auto *page = window.findChild<StartPage *>();
  REQUIRE(page);
  REQUIRE(page->isVisible());
  const QStringList texts = shownOn(*page);
  for (const char *text : {"New file", "Open file…", "Open folder…", "Connect a GPU over ssh…",
                           "User's guide", "Glossary", "Vector add", "Walkthrough: Transpose"})
    CHECK(texts.contains(QString::fromUtf8(text)));
  CHECK_FALSE(texts.join(u'\n').contains(u"not found"));
  // By keys alone.
  REQUIRE(QTest::qWaitFor([&] { return page->isAncestorOf(QApplication::focusWidget()); }));
  const auto pressTabTo = [&](const QString &name) {
    for (int i = 0; i < 20; ++i) {
      const auto *button = qobject_cast<QPushButton *>(QApplication::focusWidget());
      if (button && button->text() == name)
        return true;
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    return false;
  };
  // A machine with a GPU is asked for, and the page stays.
  REQUIRE(pressTabTo(QStringLiteral("Connect a GPU over ssh…")));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
  QInputDialog *host = nullptr;
  for (auto *dialog : window.findChildren<QInputDialog *>())
    if (dialog->isVisible())
      host = dialog;
  REQUIRE(host);
  CHECK(host->isEnabled());
  host->close();
  window.activateWindow();
  REQUIRE(QTest::qWaitFor([&] { return page->isAncestorOf(QApplication::focusWidget()); }));
  REQUIRE(pressTabTo(QStringLiteral("User's guide")));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
  QWidget *guide = nullptr;
  for (QDialog *dialog : window.findChildren<QDialog *>())
    if (dialog->isVisible())
      guide = dialog;
  REQUIRE(guide);
  guide->close();
  window.activateWindow();
  REQUIRE(QTest::qWaitFor([&] { return page->isAncestorOf(QApplication::focusWidget()); }));
  REQUIRE(pressTabTo(QStringLiteral("Walkthrough: Transpose")));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
  REQUIRE(window.currentPage() != nullptr);
  CHECK(window.currentPage()->path().endsWith(u"transpose_0_rows.py"));
  // The line with the kernel's name is in sight.
  const auto &editor = *window.editor();
  const auto text = QString::fromStdString(editor.utf8Text());
  const auto kernel = static_cast<int>(text.left(text.indexOf(u"def ")).count(u'\n'));
  CHECK(QTest::qWaitFor(
      [&] {
        const int row = kernel - editor.firstVisibleLine();
        return editor.firstVisibleLine() > 0 && row >= 0 &&
               row < static_cast<int>(editor.SendScintilla(QsciScintillaBase::SCI_LINESONSCREEN));
      },
      kPatienceMs));
  CHECK(editor.cursor().line > 40);
}

TEST_CASE("a start without examples says that they were not found", "[gui][window]") {
  StateFixture test;
  test.window.restoreSession();
  auto *page = test.window.findChild<StartPage *>();
  REQUIRE(page);
  REQUIRE(page->isVisible());
  CHECK(shownOn(*page).contains(
      QStringLiteral("The folder `examples` was not found beside the program")));
}
