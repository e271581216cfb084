// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Commands, menus, examples and messages are there when they can do something, and are found by name.
#include "tests/gui/StateFixture.h"

#include <QAbstractItemView>

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

TEST_CASE("the first start shows the kernel of an example, and where to begin", "[gui][window]") {
  StateFixture test;
  QTemporaryDir examples;
  QFile file(examples.filePath(QStringLiteral("vector_add.py")));
  REQUIRE(file.open(QIODevice::WriteOnly));
  file.write(("# What it is about.\n" + std::string(40, '\n') + sampleSource()).c_str());
  file.close();
  MainWindow window(&test.backend, {.session = nullptr, .examplesFolder = examples.path()});
  window.resize(1366, 768);
  window.show();
  window.openFirstExample();
  REQUIRE(QTest::qWaitForWindowActive(&window));
  // The line with the kernel's name, in the upper third.
  const auto &editor = *window.editor();
  const auto text = QString::fromStdString(editor.utf8Text());
  const auto kernel = static_cast<int>(text.left(text.indexOf(u"def ")).count(u'\n'));
  const auto rowsOnScreen = [&] {
    return static_cast<int>(editor.SendScintilla(QsciScintillaBase::SCI_LINESONSCREEN));
  };
  CHECK(QTest::qWaitFor(
      [&] {
        const int row = kernel - editor.firstVisibleLine();
        return editor.firstVisibleLine() > 0 && row >= 0 && row < rowsOnScreen();
      },
      60000));
  CHECK(editor.cursor().line > 40);
  const auto notice = [&]() -> NoticeBar * {
    for (NoticeBar *bar : window.findChildren<NoticeBar *>())
      if (!bar->text().isEmpty())
        return bar;
    return nullptr;
  };
  REQUIRE(notice());
  QStringList choices;
  for (const QPushButton *button : notice()->findChildren<QPushButton *>())
    choices << button->text();
  CHECK(choices.mid(0, 2) ==
        QStringList{QStringLiteral("Run (F5)"), QStringLiteral("Glossary (F1)")});
  QTest::keyClick(window.editor(), Qt::Key_A);
  CHECK_FALSE(notice());
}

TEST_CASE("the palette finds commands by other words for them", "[gui][window]") {
  StateFixture test;
  test.open("kernel.py", sampleSource());
  auto *palette = test.window.palette();
  const auto first = [&](const char *words) {
    test.press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClicks(palette->findChild<QLineEdit *>(), QString::fromLatin1(words));
    const QString name = palette->model().index(0, 0).data().toString();
    QTest::keyClick(palette->findChild<QLineEdit *>(), Qt::Key_Escape);
    return name;
  };
  CHECK(first("reset layout") == u"Reset arrangement");
  CHECK(first("zoom in") != QString());
  CHECK(first("execute") == u"Run on the interpreter");
  // Its own name comes first.
  CHECK(first("export").startsWith(u"Export"));
}

TEST_CASE("a message has the left of the status bar for itself, and facts stay on the right",
          "[gui][window]") {
  StateFixture test;
  test.open("two.py", kTwoKernels);
  REQUIRE(test.lists("`wrong` is not defined"));
  QStatusBar &bar = *test.window.statusBar();
  // While a compile is under way, the facts are dots.
  const auto isFact = [](const QLabel &label) {
    return label.text().contains(u"cuda:") || label.text() == u"…" || label.text() == u"no GPU";
  };
  const auto shown = [&] {
    QStringList texts;
    for (QLabel *label : bar.findChildren<QLabel *>())
      if (label->isVisible() && !label->text().isEmpty() && !isFact(*label))
        texts << label->text();
    for (QToolButton *button : bar.findChildren<QToolButton *>())
      if (button->isVisible())
        texts << button->text();
    return texts;
  };
  REQUIRE_FALSE(shown().isEmpty());
  for (const Qt::Key key : {Qt::Key_Plus, Qt::Key_Minus, Qt::Key_0}) {
    test.press(key, Qt::ControlModifier);
    QApplication::processEvents();
    CHECK(bar.currentMessage().startsWith(u"Text size"));
    CHECK(shown() == QStringList());
  }
  // A compile that ends meanwhile brings nothing back.
  QSignalSpy settled(&test.window, &MainWindow::settled);
  test.fixture.type("#");
  REQUIRE(settled.wait(kPatienceMs));
  CHECK(shown() == QStringList());
  const auto showsFacts = [&] {
    return std::ranges::any_of(bar.findChildren<QLabel *>(), [&](const QLabel *label) {
      return label->isVisible() && label->text().contains(u"cuda:");
    });
  };
  CHECK(showsFacts());
  // Such as a path that needs the whole bar.
  bar.showMessage(QString(400, u'x'));
  CHECK_FALSE(showsFacts());
  bar.clearMessage();
  CHECK_FALSE(shown().isEmpty());
  CHECK(showsFacts());
}

TEST_CASE("a letter in an open menu goes to the next item that begins with it", "[gui][window]") {
  StateFixture test;
  test.open("kernel.py", sampleSource());
  auto *kernel = const_cast<QMenu *>(menuOf(test.window, "&Kernel"));
  kernel->popup(test.window.mapToGlobal(QPoint(100, 50)));
  REQUIRE(kernel->isVisible());
  QTest::keyClick(kernel, Qt::Key_W);
  REQUIRE(kernel->activeAction() != nullptr);
  CHECK(kernel->activeAction() == test.window.action(QStringLiteral("writeLaunch")));
  // Around the end, over what begins with another letter.
  QTest::keyClick(kernel, Qt::Key_C);
  QAction *first = kernel->activeAction();
  CHECK(first->text().remove(u'&').startsWith(u'C'));
  QTest::keyClick(kernel, Qt::Key_C);
  CHECK(kernel->activeAction() != first);
  CHECK(kernel->activeAction()->text().remove(u'&').startsWith(u'C'));
  kernel->close();
}

TEST_CASE("a target is found by any part of its name", "[gui][window]") {
  StateFixture test;
  test.open("kernel.py", sampleSource());
  test.press(Qt::Key_T, Qt::ControlModifier | Qt::AltModifier);
  QComboBox *targets = nullptr;
  for (QComboBox *box : test.window.findChildren<QComboBox *>())
    if (box->accessibleName() == u"Target")
      targets = box;
  REQUIRE(targets);
  REQUIRE(QTest::qWaitFor([&] { return targets->view()->isVisible(); }, 5000));
  QTest::keyClicks(targets->view(), QStringLiteral("100"));
  QTest::keyClick(targets->view(), Qt::Key_Return);
  CHECK(targets->currentData().toString() == u"cuda:100");
  CHECK(test.window.compileController()->chosenTarget() == "cuda:100");
}
