// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Texts of a separate window that has ended: the next ordinary start offers them.
#include "tests/gui/FakeWindow.h"
#include "tests/gui/KeptTexts.h"

#include <QPushButton>
#include <QTabWidget>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

namespace {
/// A main window, and what a separate window left when it was killed.
struct AbandonedFixture : FakeWindow {
  QString separate() const { return folder.filePath(QStringLiteral("session-2")); }

  /// Types into a separate window, saves one of two files, and ends without closing.
  void leaveTexts() {
    window.reset();
    MainWindowOptions options;
    auto opened = SessionStore::open(separate());
    REQUIRE((opened && *opened));
    options.session = std::move(*opened);
    window = std::make_unique<MainWindow>(&backend, options);
    window->show();
    REQUIRE(QTest::qWaitForWindowActive(window.get()));
    openAndWait(write("saved.py", "a = 1\n"));
    type("# saved ");
    save();
    openAndWait(write("changed.py", "b = 2\n"));
    type("# mine ");
    REQUIRE(QTest::qWaitFor([&] { return keptTexts(separate()).size() == 2; }, 5000));
    REQUIRE(QTest::qWaitFor(
        [&] { return keptTexts(separate())[QStringLiteral("changed.py")] == "# mine b = 2\n"; },
        5000));
    // Unlike a window that is closed, one that is killed leaves no last word; what it has written
    // is the same.
    window.reset();
  }

  void start() {
    window.reset();
    MainWindowOptions options;
    auto opened = SessionStore::open(sessionFolder());
    REQUIRE((opened && *opened));
    options.session = std::move(*opened);
    options.abandoned = findAbandonedTexts(folder.path());
    window = std::make_unique<MainWindow>(&backend, options);
    options = {};
    window->show();
    REQUIRE(QTest::qWaitForWindowActive(window.get()));
    window->restoreSession();
  }
  NoticeBar *offer() {
    for (NoticeBar *bar : window->findChildren<NoticeBar *>())
      if (bar->text().contains(u"Another window ended"))
        return bar;
    return nullptr;
  }
  int numTabs() { return window->findChild<QTabWidget *>()->count(); }
};
} // namespace

TEST_CASE("changes of a window of its own that ended are offered at the next start",
          "[gui][session]") {
  AbandonedFixture test;
  test.leaveTexts();
  test.start();
  REQUIRE(test.offer());
  CHECK(test.offer()->text().contains(u"changed.py"));
  CHECK_FALSE(test.offer()->text().contains(u"saved.py"));
  CHECK(test.numTabs() == 0);
  // While they are offered here, no other window takes them.
  const auto other = SessionStore::open(test.separate());
  REQUIRE(other);
  CHECK(*other == nullptr);

  QTest::keyClick(test.offer()->findChildren<QPushButton *>()[0], Qt::Key_Space);
  CHECK(test.numTabs() == 1);
  CHECK(test.editor().utf8Text() == "# mine b = 2\n");
  CHECK(test.page().isModified());
  CHECK_FALSE(test.offer());
  // They are in this session now, and nowhere else.
  CHECK(keptTexts(test.sessionFolder())[QStringLiteral("changed.py")] == "# mine b = 2\n");
  CHECK_FALSE(keptTexts(test.separate()).contains(QStringLiteral("changed.py")));
  CHECK(keptTexts(test.separate()).contains(QStringLiteral("saved.py")));
  test.start();
  CHECK_FALSE(test.offer());
  CHECK(test.editor().utf8Text() == "# mine b = 2\n");
  const auto freed = SessionStore::open(test.separate());
  CHECK((freed && *freed));
}

TEST_CASE("changes that are not taken are offered again", "[gui][session]") {
  AbandonedFixture test;
  test.leaveTexts();
  test.start();
  REQUIRE(test.offer());
  QTest::keyClick(test.offer()->findChildren<QPushButton *>()[1], Qt::Key_Space);
  CHECK(test.numTabs() == 0);
  CHECK(keptTexts(test.separate())[QStringLiteral("changed.py")] == "# mine b = 2\n");
  test.start();
  CHECK(test.offer());
}

TEST_CASE("a window that still has its session is left alone", "[gui][session]") {
  AbandonedFixture test;
  test.leaveTexts();
  const auto holder = SessionStore::open(test.separate());
  REQUIRE((holder && *holder));
  test.start();
  CHECK_FALSE(test.offer());
}
