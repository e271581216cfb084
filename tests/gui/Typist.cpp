// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// typist SESSION FILE LOG SEED: restores the session into a real window and types at random,
// without end, until it is killed. After every key it writes time and digest of the text into the
// log, a file of `TypedState`s in mapped memory.
#include "app/ide/window/MainWindow.h"
#include "tests/gui/QuietPlatform.h"
#include "tests/gui/TypedState.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"

#include <QApplication>
#include <QPushButton>
#include <QTabWidget>
#include <QtTest/QtTest>

#include <random>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

static void pressKey(EditorPage &page, std::mt19937 &random) {
  views::KernelEditor &editor = page.editor();
  const auto below = [&](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
  const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&editor, key, modifiers);
  };
  switch (below(40)) {
  case 0:
    // Without a file it would ask for a name.
    if (!page.path().isEmpty())
      press(Qt::Key_S, Qt::ControlModifier);
    return;
  case 1:
  case 2:
    return press(Qt::Key_Z, Qt::ControlModifier);
  case 3:
    return press(Qt::Key_Y, Qt::ControlModifier);
  case 4:
    return press(Qt::Key_PageDown, Qt::ControlModifier);
  case 5:
  case 6:
    return press(Qt::Key_Return);
  case 7:
  case 8:
  case 9:
    return press(Qt::Key_Backspace);
  case 10:
    return press(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
  case 11:
    return editor.goTo({below(20), below(20)});
  default:
    QTest::keyClicks(&editor, QString(QLatin1Char("abcdefgh (=.#"[below(13)])));
  }
}

int main(int argc, char **argv) {
  hidePlatformLacks();
  QApplication application(argc, argv);
  const QStringList arguments = QCoreApplication::arguments();
  TypedLog log(arguments.at(3));
  std::mt19937 random(arguments.at(4).toUInt());
  FakeBackend backend;
  backend.answer = [](const compiler::CompileRequest &) { return sampleResult(); };
  auto store = SessionStore::open(arguments.at(1));
  if (!store || !*store)
    return 1;
  MainWindowOptions options;
  options.session = std::move(*store);
  MainWindow window(&backend, options);
  window.show();
  window.restoreSession();
  // What was in work at the last kill is offered: it is taken, so that every text goes on.
  for (const NoticeBar *bar : window.findChildren<NoticeBar *>())
    if (bar->text().contains(QStringLiteral("ended while")))
      bar->findChildren<QPushButton *>().first()->click();
  auto *tabs = window.findChild<QTabWidget *>();
  if (tabs->count() == 0) {
    window.openFile(arguments.at(2));
    window.newFile();
  }
  // The first picture of the window takes longer than keys.
  if (!QTest::qWaitForWindowExposed(&window))
    return 1;
  QTest::qWait(1);
  const auto note = [&log](EditorPage *page) {
    log.add(page->path().isEmpty(), page->editor().utf8Text());
  };
  for (int i = 0; i < tabs->count(); ++i)
    note(static_cast<EditorPage *>(tabs->widget(i)));
  for (;;) {
    pressKey(*window.currentPage(), random);
    note(window.currentPage());
    QTest::qWait(static_cast<int>(random() % 6));
  }
}
