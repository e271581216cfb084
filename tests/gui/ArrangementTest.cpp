// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// How the room of the window is shared: columns of stages, and what the editor keeps.
#include "tests/gui/Arranged.h"
#include "tests/gui/Settle.h"
#include "views/common/Theme.h"

#include <QMenu>
#include <QStatusBar>
#include <QToolButton>

#include <array>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

TEST_CASE("the default arrangement fits each screen", "[gui][window]") {
  Arranged test;
  for (const QSize size :
       {QSize(1280, 720), QSize(1366, 768), QSize(1920, 1080), QSize(2560, 1440)}) {
    INFO(size.width());
    test.resize(size);
    REQUIRE(test.window->size() == size);
    const QWidget &editor = *test.window->centralWidget();
    CHECK(editor.height() >= size.height() * 45 / 100);
    const int column = QFontMetrics(views::codeFont()).horizontalAdvance(u'0');
    CHECK(test.codeWidth() >= 60 * column);
    // No more than that in a small window: the views need the rest.
    CHECK((size.width() > 1500 || test.codeWidth() < 62 * column));
    CHECK(test.columns() == (size.width() < 1500 ? "AST,TTIR,TTGIR,LLVM IR,PTX,SASS>TTIR"
                                                 : "AST,TTIR>TTIR | TTGIR,LLVM IR,PTX,SASS>TTGIR"));
    // What lies below has the whole width.
    const ViewDock &below = test.dock("problems");
    CHECK(below.isInFront());
    CHECK(below.width() == size.width());
    CHECK(below.y() > editor.y() + editor.height() - 1);
    CHECK(below.height() >= size.height() * 17 / 100);
    // Pictures are below the stages, as wide as all columns.
    const ViewDock &picture = test.dock("layout");
    CHECK(picture.isInFront());
    CHECK(picture.x() == test.dock("stage.ttir").x());
    CHECK(picture.geometry().right() + 1 == size.width());
    CHECK(picture.height() >= size.height() * 25 / 100);
  }
}

TEST_CASE("in each workspace the editor keeps its columns and its height", "[gui][window]") {
  Arranged test;
  const int column = QFontMetrics(views::codeFont()).horizontalAdvance(u'0');
  for (const QSize size :
       {QSize(1280, 720), QSize(1366, 768), QSize(1920, 1080), QSize(2560, 1440)})
    for (const char *workspace : {"write", "see", "measure", "learn", "model"}) {
      INFO(size.width() << ' ' << workspace);
      test.window->action(QStringLiteral("workspace.") + QString::fromLatin1(workspace))->trigger();
      test.resize(size);
      CHECK(test.window->centralWidget()->height() >= size.height() * 45 / 100);
      CHECK(test.codeWidth() >= 60 * column);
    }
}

TEST_CASE("tabs that have no room are in a list, and those that are seen are whole",
          "[gui][window]") {
  Arranged test;
  test.window->action(QStringLiteral("workspace.learn"))->trigger();
  test.resize({1280, 720});
  const auto seen = [](const DockTabs &tabs) {
    QStringList names;
    for (int i = 0; i < tabs.count(); ++i)
      if (tabs.isTabVisible(i)) {
        names << tabs.tabText(i);
        CHECK(tabs.rect().contains(tabs.tabRect(i)));
        CHECK_FALSE((tabs.all().isVisible() && tabs.all().geometry().intersects(tabs.tabRect(i))));
      }
    return names;
  };
  REQUIRE(test.dock("programs").isInFront());
  const DockTabs &tabs = test.dock("programs").title().tabs();
  REQUIRE(tabs.count() == 7);
  CHECK(seen(tabs).size() < 7);
  CHECK(seen(tabs).first() == u"Layout");
  CHECK(seen(tabs).contains(u"Programs"));
  CHECK(tabs.all().isVisible());
  CHECK(tabs.rect().contains(tabs.all().geometry()));
  // The list has all of them, and brings the chosen one to the front.
  QMenu &list = *tabs.all().menu();
  Q_EMIT list.aboutToShow();
  REQUIRE(list.actions().size() == 7);
  CHECK(list.actions()[5]->isChecked());
  CHECK(list.actions()[6]->text() == u"Registers");
  list.actions()[6]->trigger();
  settle();
  CHECK(test.dock("registers").isInFront());
  CHECK(seen(test.dock("registers").title().tabs()).contains(u"Registers"));
  // With room for all there is no list.
  test.window->action(QStringLiteral("workspace.see"))->trigger();
  test.resize({1920, 1080});
  const DockTabs &wide = test.dock("layout").title().tabs();
  CHECK(seen(wide).size() == 7);
  CHECK_FALSE(wide.all().isVisible());
}

/// Clicks through the tabs of a place, by the pointer alone; nothing moves but what is in front.
static void checkTabsStay(Arranged &test, const char *place) {
  const auto front = [&] {
    QList<QDockWidget *> all = test.window->tabifiedDockWidgets(&test.dock(place));
    for (QDockWidget *dock : all << &test.dock(place))
      if (auto *view = static_cast<ViewDock *>(dock); view->isInFront())
        return view;
    return static_cast<ViewDock *>(nullptr);
  };
  const auto topOfTabs = [&] {
    return front()->title().tabs().mapTo(test.window.get(), QPoint()).y();
  };
  REQUIRE(front());
  const QRect geometry = front()->geometry();
  const int top = topOfTabs(), count = front()->title().tabs().count();
  REQUIRE(count > 4);
  for (int i = 0; i < count; ++i) {
    DockTabs &tabs = front()->title().tabs();
    const QString name = tabs.tabText(i);
    INFO(name.toStdString());
    if (tabs.isTabVisible(i)) {
      QTest::mouseClick(&tabs, Qt::LeftButton, {}, tabs.tabRect(i).center());
    } else {
      // What the view in front says of itself leaves no room for it.
      Q_EMIT tabs.all().menu()->aboutToShow();
      tabs.all().menu()->actions()[i]->trigger();
    }
    QTest::qWait(60);
    REQUIRE(front());
    CHECK(front()->windowTitle() == name);
    CHECK(front()->geometry() == geometry);
    CHECK(topOfTabs() == top);
  }
}

TEST_CASE("tabs stay under the pointer, whatever view is chosen", "[gui][window]") {
  Arranged test;
  for (const QSize size : {QSize(1366, 768), QSize(1920, 1080)})
    for (const char *workspace : {"write", "see", "measure", "learn"}) {
      INFO(size.width() << ' ' << workspace);
      test.window->action(QStringLiteral("workspace.") + QString::fromLatin1(workspace))->trigger();
      test.resize(size);
      checkTabsStay(test, "problems");
      // The height that the user gives one of them is that of all.
      test.window->resizeDocks({&test.dock("console")}, {300}, Qt::Vertical);
      QTest::qWait(60);
      checkTabsStay(test, "problems");
    }
}

TEST_CASE("a low window has room for pictures and for what is below", "[gui][window]") {
  Arranged test;
  test.resize({1366, 768});
  CHECK(test.dock("problems").height() >= 768 * 25 / 100);
  CHECK(test.dock("layout").height() >= 768 * 25 / 100);
}

TEST_CASE("a window that becomes low leaves the editor its height", "[gui][window]") {
  Arranged test;
  test.resize({1600, 1000});
  test.window->resizeDocks({&test.dock("problems")}, {420}, Qt::Vertical);
  // Sizes are remembered a moment after they are set.
  settle();
  REQUIRE(test.dock("problems").height() == 420);
  test.window->resize(1600, 600);
  CHECK(QTest::qWaitFor([&] { return test.window->centralWidget()->height() >= 600 * 44 / 100; }));
  test.window->resize(1600, 1000);
  CHECK(QTest::qWaitFor([&] { return std::abs(test.dock("problems").height() - 420) <= 4; }));
}

TEST_CASE("what is beside the editor keeps its share of a window that becomes wider",
          "[gui][window]") {
  Arranged test;
  test.resize({1366, 768});
  const auto share = [&] {
    return static_cast<double>(test.window->centralWidget()->width()) / test.window->width();
  };
  const double small = share();
  test.window->resize(1916, 1040);
  CHECK(QTest::qWaitFor([&] { return share() < small + 0.02; }));
  CHECK(share() > small - 0.05);
  // A third column, then a smaller window, and back.
  test.resize({1916, 1040});
  const auto widthOf = [&](const char *id) { return test.dock(id).width(); };
  const double large = share();
  const int first = widthOf("stage.ttir"), second = widthOf("stage.ttgir");
  test.window->resize(1366, 768);
  QTest::qWait(100);
  // Another tab is looked at meanwhile.
  test.dock("stage.llir").raise();
  QTest::qWait(100);
  test.window->resize(1916, 1040);
  CHECK(QTest::qWaitFor([&] { return std::abs(share() - large) < 0.08; }));
  test.dock("stage.ttgir").raise();
  QTest::qWait(100);
  CHECK(widthOf("stage.ttir") * 10 > first * 8);
  CHECK(widthOf("stage.ttgir") * 10 > second * 8);
}

TEST_CASE("a window that is resized from screen to screen is as it was", "[gui][window]") {
  Arranged test;
  test.resize({2150, 1210});
  const auto resized = [&](QSize size) {
    test.window->resize(size);
    QTest::qWait(60);
  };
  const auto sizes = [&] {
    return std::array{test.window->centralWidget()->width(), test.dock("layout").width(),
                      test.dock("layout").height(), test.dock("problems").height()};
  };
  const auto large = sizes();
  // What lies below keeps its share of the height, and leaves the pictures theirs.
  resized({1366, 768});
  const auto small = sizes();
  CHECK(small[3] <= large[3] * 768 / 1210 + 4);
  CHECK(small[2] >= 768 * 20 / 100);
  CHECK(test.window->editor()->viewport()->width() >=
        60 * QFontMetrics(views::codeFont()).horizontalAdvance(u'0'));
  for (const QSize size : {QSize(1280, 720), QSize(1366, 768), QSize(1920, 1080), QSize(1280, 720),
                           QSize(1366, 768)}) {
    INFO(size.width());
    resized(size);
    CHECK(test.window->centralWidget()->width() + test.dock("layout").width() + 8 > size.width());
    CHECK(test.dock("layout").width() > size.width() * 45 / 100);
  }
  const auto alike = [](const auto &one, const auto &other) {
    for (size_t i = 0; i < one.size(); ++i)
      if (std::abs(one[i] - other[i]) > 6)
        return false;
    return true;
  };
  CHECK(alike(sizes(), small));
  resized({2150, 1210});
  CHECK(alike(sizes(), large));
}

TEST_CASE("stages split to the right as often as wanted, and join again", "[gui][window]") {
  Arranged test;
  test.resize({1366, 768});
  test.key(Qt::Key_2, Qt::ControlModifier);
  test.key(Qt::Key_Backslash, Qt::ControlModifier);
  CHECK(test.columns() == "AST,TTIR>TTIR | TTGIR,LLVM IR,PTX,SASS>TTGIR");
  CHECK(test.isIn("stage.ttir"));
  const int width = test.dock("stage.ttir").width() + test.dock("stage.ttgir").width();
  CHECK(test.dock("layout").width() >= width);
  test.key(Qt::Key_5, Qt::ControlModifier);
  test.key(Qt::Key_Backslash, Qt::ControlModifier);
  CHECK(test.columns() == "AST,TTIR>TTIR | TTGIR,LLVM IR,PTX>PTX | SASS");
  CHECK(test.isIn("stage.ptx"));
  // The last of its tabs goes itself.
  test.key(Qt::Key_Backslash, Qt::ControlModifier);
  CHECK(test.columns() == "AST,TTIR>TTIR | TTGIR,LLVM IR>LLVM IR | PTX | SASS");
  CHECK(test.isIn("stage.ptx"));
  test.key(Qt::Key_Backslash, Qt::ControlModifier);
  CHECK(test.window->statusBar()->currentMessage().contains(u"column of its own"));
  // What was closed stays closed.
  test.key(Qt::Key_1, Qt::ControlModifier);
  test.key(Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
  test.key(Qt::Key_5, Qt::ControlModifier);
  test.key(Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(test.columns() == "TTIR,TTGIR,LLVM IR,PTX,SASS>PTX");
  CHECK(test.isIn("stage.ptx"));
  CHECK(test.dock("stage.ast").isHidden());
}

TEST_CASE("from the editor, and by the button of its title, the column in sight is split",
          "[gui][window]") {
  Arranged test;
  test.resize({1366, 768});
  test.key(Qt::Key_E, Qt::ControlModifier);
  test.key(Qt::Key_Backslash, Qt::ControlModifier);
  CHECK(test.columns() == "AST,TTIR>TTIR | TTGIR,LLVM IR,PTX,SASS>TTGIR");
  CHECK(test.window->editor()->hasFocus());
  QToolButton *split = nullptr;
  for (QToolButton *each : test.dock("stage.ttgir").title().findChildren<QToolButton *>())
    if (each->toolTip().startsWith(u"Split right"))
      split = each;
  REQUIRE(split);
  REQUIRE(split->isVisible());
  QTest::mouseClick(split, Qt::LeftButton);
  QTest::qWait(20);
  CHECK(test.columns() == "AST,TTIR>TTIR | TTGIR | LLVM IR,PTX,SASS>LLVM IR");
  CHECK_FALSE(split->isVisible());
}

TEST_CASE("a tab brings its view to the front, and the keyboard along", "[gui][window]") {
  Arranged test;
  test.resize({1600, 1000});
  const auto click = [&](const char *in, int tab) {
    DockTabs &tabs = test.dock(in).title().tabs();
    REQUIRE(tabs.isVisible());
    QTest::mouseClick(&tabs, Qt::LeftButton, {}, tabs.tabRect(tab).center());
    QTest::qWait(20);
  };
  test.key(Qt::Key_E, Qt::ControlModifier);
  click("stage.ttgir", 2);
  CHECK(test.dock("stage.ptx").isInFront());
  CHECK(test.window->editor()->hasFocus());
  test.key(Qt::Key_5, Qt::ControlModifier);
  REQUIRE(test.isIn("stage.ptx"));
  click("stage.ptx", 0);
  CHECK(test.dock("stage.ttgir").isInFront());
  CHECK(test.isIn("stage.ttgir"));
  // Its own name is the tab that is marked.
  const DockTabs &tabs = test.dock("stage.ttgir").title().tabs();
  CHECK(tabs.tabText(tabs.currentIndex()) == u"TTGIR");
}

TEST_CASE("Escape and an opened file give the room of a maximized view back", "[gui][window]") {
  Arranged test;
  const auto maximizeRun = [&] {
    test.dock("run").show();
    test.dock("run").raise();
    test.dock("run").focusView();
    test.window->action(QStringLiteral("maximize"))->trigger();
    QTest::qWait(20);
    return !test.window->centralWidget()->isVisible();
  };
  REQUIRE(maximizeRun());
  test.key(Qt::Key_Escape);
  CHECK(test.window->centralWidget()->isVisible());
  REQUIRE(maximizeRun());
  REQUIRE(test.window->openFile(test.write("other.py", sampleSource())));
  CHECK(test.window->centralWidget()->isVisible());
  CHECK(test.window->editor()->isVisible());
}

TEST_CASE("a tab that is pulled out becomes a window", "[gui][window]") {
  Arranged test;
  test.resize({1600, 1000});
  ViewDock &ptx = test.dock("stage.ptx");
  DockTabs &tabs = test.dock("stage.ttgir").title().tabs();
  const QPoint at = tabs.tabRect(2).center();
  QTest::mousePress(&tabs, Qt::LeftButton, {}, at);
  QTest::mouseMove(&tabs, at + QPoint(4, 2));
  CHECK_FALSE(ptx.isFloating());
  // The way that a mouse is moved with its button held down.
  for (int step = 1; step <= 6 && !ptx.isFloating(); ++step) {
    QWidget *under = step == 1 ? static_cast<QWidget *>(&tabs) : &ptx;
    const QPoint global = tabs.mapToGlobal(at) + QPoint(60, 60) * step;
    QMouseEvent move(QEvent::MouseMove, under->mapFromGlobal(QPointF(global)), QPointF(global),
                     Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(under, &move);
    QTest::qWait(20);
  }
  CHECK(ptx.isFloating());
  QTest::mouseRelease(&ptx, Qt::LeftButton);
  QTest::qWait(20);
  CHECK(ptx.isFloating());
  CHECK(ptx.title().name() == u"PTX");
  CHECK(test.columns() == "AST,TTIR>TTIR | TTGIR,LLVM IR,SASS>SASS");
}
