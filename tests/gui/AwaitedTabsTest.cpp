// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A start with many tabs: the one in front is there at once, the others follow, and nothing of them is lost meanwhile.
#include "tests/gui/FakeWindow.h"
#include "tests/gui/KeptTexts.h"

#include <QTabBar>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

namespace {
/// A session of five files, the third in front; the second and the fourth are edited and not saved.
struct ManyTabs : FakeWindow {
  static constexpr int kNumTabs = 5;

  ManyTabs() {
    for (int i = 0; i < kNumTabs; ++i) {
      openAndWait(write(qPrintable(nameOf(i)), "a = " + std::to_string(i) + "\n"));
      if (i % 2 == 1) {
        editor().goTo({0, 0});
        type("# ");
      }
    }
    press(Qt::Key_PageUp);
    press(Qt::Key_PageUp);
    REQUIRE(page().path() == pathOf(2));
    start();
  }
  static QString nameOf(int i) { return QStringLiteral("f%1.py").arg(i); }
  QString pathOf(int i) const { return folder.filePath(nameOf(i)); }
  /// As the program does.
  void start() {
    window->close();
    open();
    REQUIRE(window->beginSession());
  }
  QTabWidget &tabs() { return *window->findChild<QTabWidget *>(); }
  QStringList titles() {
    QStringList all;
    for (int i = 0; i < tabs().count(); ++i)
      all << tabs().tabText(i);
    return all;
  }
  QStringList inSession() {
    QStringList all;
    for (const SessionFile &file : window->session().files)
      all << QFileInfo(file.path).fileName();
    return all;
  }
  bool waitForAll() {
    return QTest::qWaitFor([&] { return tabs().count() == kNumTabs; }, 20000);
  }
};

const QStringList kNames{QStringLiteral("f0.py"), QStringLiteral("f1.py"), QStringLiteral("f2.py"),
                         QStringLiteral("f3.py"), QStringLiteral("f4.py")};
const QStringList kTitles{QStringLiteral("f0.py"), QStringLiteral("f1.py ●"),
                          QStringLiteral("f2.py"), QStringLiteral("f3.py ●"),
                          QStringLiteral("f4.py")};
} // namespace

TEST_CASE("a start shows the tab in front first, and the others follow at their places",
          "[gui][session]") {
  ManyTabs test;
  CHECK(test.tabs().count() == 1);
  CHECK(test.page().path() == test.pathOf(2));
  CHECK(test.inSession() == kNames);
  CHECK(test.window->editor()->hasFocus());
  // What is typed meanwhile stays.
  test.type("b");
  REQUIRE(test.waitForAll());
  CHECK(test.page().path() == test.pathOf(2));
  CHECK(test.editor().utf8Text() == "ba = 2\n");
  test.press(Qt::Key_Z);
  CHECK(test.titles() == kTitles);
  CHECK(test.inSession() == kNames);
  // Each with its history.
  test.press(Qt::Key_PageUp);
  REQUIRE(test.page().path() == test.pathOf(1));
  CHECK(test.editor().utf8Text() == "# a = 1\n");
  test.press(Qt::Key_Z);
  CHECK(test.editor().utf8Text() == "a = 1\n");
}

TEST_CASE("who goes to another tab or file before they have come finds it", "[gui][session]") {
  ManyTabs test;
  SECTION("the next one") {
    test.press(Qt::Key_PageDown);
    CHECK(test.page().path() == test.pathOf(3));
    CHECK(test.editor().utf8Text() == "# a = 3\n");
  }
  SECTION("one by its name") {
    test.window->openOrBegin(test.pathOf(1));
    CHECK(test.page().path() == test.pathOf(1));
    CHECK(test.editor().utf8Text() == "# a = 1\n");
  }
  SECTION("a new one") {
    test.press(Qt::Key_N);
    CHECK(test.tabs().count() == ManyTabs::kNumTabs + 1);
    return;
  }
  CHECK(test.titles() == kTitles);
}

TEST_CASE("closing or a kill before the tabs have come loses none of them", "[gui][session]") {
  ManyTabs test;
  SECTION("closed") { test.start(); }
  SECTION("closed twice, and typed into") {
    test.type("b");
    test.start();
    test.press(Qt::Key_Z);
  }
  REQUIRE(test.waitForAll());
  CHECK(test.titles() == kTitles);
  CHECK(test.page().path() == test.pathOf(2));
  CHECK(keptTexts(test.sessionFolder())[QStringLiteral("f1.py")] == "# a = 1\n");
  CHECK(keptTexts(test.sessionFolder())[QStringLiteral("f3.py")] == "# a = 3\n");
}

TEST_CASE("texts without a file keep their names, whichever is in front at the end",
          "[gui][session]") {
  struct Untitled : FakeWindow {
    /// The title of the tab in front.
    QString front() {
      const QTabWidget &tabs = *window->findChild<QTabWidget *>();
      return tabs.tabText(tabs.currentIndex());
    }
    void restart() {
      QTest::keyClick(window->editor(), Qt::Key_Q, Qt::ControlModifier);
      REQUIRE(QTest::qWaitFor([&] { return !window->isVisible(); }, 20000));
      open();
      REQUIRE(window->beginSession());
      QTabWidget &tabs = *window->findChild<QTabWidget *>();
      REQUIRE(QTest::qWaitFor([&] { return tabs.count() == 2; }, 20000));
    }
  } test;
  test.press(Qt::Key_N);
  test.type("one");
  test.press(Qt::Key_N);
  test.type("two");
  REQUIRE(test.front() == QStringLiteral("untitled-2.py ●"));
  for (int round = 0; round < 2; ++round) {
    test.restart();
    CHECK(test.editor().utf8Text().ends_with("two\n"));
    CHECK(test.front() == QStringLiteral("untitled-2.py ●"));
    test.press(Qt::Key_PageUp);
    CHECK(test.editor().utf8Text().ends_with("one\n"));
    CHECK(test.front() == QStringLiteral("untitled.py ●"));
    test.restart();
    CHECK(test.editor().utf8Text().ends_with("one\n"));
    CHECK(test.front() == QStringLiteral("untitled.py ●"));
    test.press(Qt::Key_PageDown);
    CHECK(test.editor().utf8Text().ends_with("two\n"));
    CHECK(test.front() == QStringLiteral("untitled-2.py ●"));
  }
}
