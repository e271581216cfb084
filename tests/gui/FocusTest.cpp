// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where the keyboard is after views, files and notices come and go.
#include "app/ide/docks/DockTabs.h"
#include "app/ide/docks/DockTitle.h"
#include "app/ide/docks/FocusOutline.h"
#include "app/ide/docks/ViewDock.h"
#include "tests/gui/FakeWindow.h"
#include "tests/gui/Patience.h"
#include "views/common/Theme.h"
#include "views/stages/StageColumn.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStatusBar>
#include <QTabBar>
#include <QToolButton>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

namespace {
struct FocusFixture : FakeWindow {
  FocusFixture() { openAndWait(write("kernel.py", sampleSource())); }

  ViewDock &dock(const char *id) { return *window->dock(QString::fromLatin1(id)); }
  /// Presses where the keyboard is.
  void key(Qt::Key pressed, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(QApplication::focusWidget(), pressed, modifiers);
    QTest::qWait(20);
  }
  bool isIn(QWidget &view) { return view.isAncestorOf(QApplication::focusWidget()); }
  /// The frame is around the view that has the keyboard, and is seen.
  bool isFramed() {
    const FocusOutline *outline = window->focusOutline();
    QWidget *view = outline->view();
    if (!view || !outline->isVisible() || !isIn(*view))
      return false;
    const QImage image = outline->window()->grab().toImage();
    return image.pixelColor(outline->geometry().topLeft() + QPoint(1, 40)) ==
           views::theme()[views::ColorRole::Accent];
  }
  QLineEdit *field() {
    for (QLineEdit *edit : dock("run").findChildren<QLineEdit *>())
      if (edit->accessibleName() == u"n")
        return edit;
    return nullptr;
  }
};
} // namespace

TEST_CASE("a view that was alone keeps the keyboard when everything is back", "[gui][window]") {
  FocusFixture test;
  const std::pair<const char *, Qt::Key> views[] = {
      {"stage.ttir", Qt::Key_2}, {"layout", Qt::Key_7}, {"passes", Qt::Key_9}};
  for (const auto &[id, key] : views) {
    INFO(id);
    test.key(key, Qt::ControlModifier);
    test.key(Qt::Key_M, Qt::ControlModifier);
    CHECK(test.isIn(test.dock(id)));
    test.key(Qt::Key_M, Qt::ControlModifier);
    CHECK(test.isIn(test.dock(id)));
    CHECK(test.isFramed());
  }
  // By the title, whatever had the keyboard before.
  test.key(Qt::Key_E, Qt::ControlModifier);
  for (int i = 0; i < 2; ++i) {
    QTest::mouseDClick(&test.dock("stage.ttgir").title(), Qt::LeftButton, {}, QPoint(40, 8));
    QTest::qWait(20);
    CHECK(test.isIn(test.dock("stage.ttgir")));
  }
  test.key(Qt::Key_E, Qt::ControlModifier);
  test.key(Qt::Key_M, Qt::ControlModifier);
  test.key(Qt::Key_M, Qt::ControlModifier);
  CHECK(test.window->editor()->hasFocus());
  CHECK(test.isFramed());
}

TEST_CASE("the view in use is the one that was clicked, wherever the keyboard is",
          "[gui][window]") {
  FocusFixture test;
  test.key(Qt::Key_E, Qt::ControlModifier);
  auto *tabs = test.dock("problems").title().findChild<DockTabs *>();
  REQUIRE(tabs);
  const auto clickPasses = [&] {
    for (int i = 0; i < tabs->count(); ++i)
      if (tabs->tabText(i) == u"Passes")
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(i).center());
    QTest::qWait(20);
  };
  clickPasses();
  REQUIRE(test.dock("passes").isInFront());
  CHECK(test.window->editor()->hasFocus());
  test.key(Qt::Key_M, Qt::ControlModifier);
  CHECK(test.dock("passes").isInFront());
  CHECK_FALSE(test.window->editor()->isVisible());
  test.key(Qt::Key_M, Qt::ControlModifier);
  REQUIRE(test.window->editor()->isVisible());

  // Typing means the editor again.
  test.key(Qt::Key_E, Qt::ControlModifier);
  QTest::mouseClick(&test.dock("passes").title(), Qt::LeftButton, {}, QPoint(2, 8));
  test.type(" ");
  test.key(Qt::Key_M, Qt::ControlModifier);
  CHECK(test.window->editor()->isVisible());
  CHECK_FALSE(test.dock("passes").isVisible());
  test.key(Qt::Key_M, Qt::ControlModifier);
}

TEST_CASE("views that come back behind one that was alone are not compiled again",
          "[gui][window]") {
  FocusFixture test;
  test.openAndWait(test.write("alone.py", sampleSource()));
  QSignalSpy compiles(test.window->compileController(), &app::CompileController::started);
  for (const Qt::Key view : {Qt::Key_E, Qt::Key_2, Qt::Key_7}) {
    test.key(view, Qt::ControlModifier);
    test.key(Qt::Key_M, Qt::ControlModifier);
    test.key(Qt::Key_M, Qt::ControlModifier);
  }
  CHECK(compiles.isEmpty());
  // What was not compiled is, as soon as it is there.
  QSignalSpy settled(test.window.get(), &app::MainWindow::settled);
  test.key(Qt::Key_E, Qt::ControlModifier);
  test.key(Qt::Key_M, Qt::ControlModifier);
  test.type("# edited while the editor is alone");
  REQUIRE(QTest::qWaitFor([&] { return !settled.isEmpty(); }, kPatienceMs));
  REQUIRE(
      QTest::qWaitFor([&] { return test.window->compileController()->isCurrent(); }, kPatienceMs));
  compiles.clear();
  test.key(Qt::Key_M, Qt::ControlModifier);
  CHECK(QTest::qWaitFor([&] { return !compiles.isEmpty(); }, kPatienceMs));
}

TEST_CASE("the default arrangement, new and closed files leave the keyboard in the editor",
          "[gui][window]") {
  FocusFixture test;
  test.key(Qt::Key_7, Qt::ControlModifier);
  test.window->action(QStringLiteral("defaultLayout"))->trigger();
  CHECK(test.window->editor()->hasFocus());
  test.key(Qt::Key_N, Qt::ControlModifier);
  CHECK(test.window->editor()->hasFocus());
  CHECK(test.isFramed());
  test.key(Qt::Key_W, Qt::ControlModifier);
  REQUIRE(test.window->currentPage()->path().endsWith(u"kernel.py"));
  CHECK(test.window->editor()->hasFocus());
  CHECK(test.isFramed());
  test.key(Qt::Key_F5);
  CHECK(test.dock("run").isInFront());
  CHECK(test.window->editor()->hasFocus());
  CHECK(test.isFramed());
}

TEST_CASE("Ctrl+E leaves a field for the editor", "[gui][window]") {
  FocusFixture test;
  test.key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  QLineEdit *field = test.field();
  REQUIRE(field);
  field->setFocus();
  test.key(Qt::Key_Home);
  test.key(Qt::Key_E, Qt::ControlModifier);
  CHECK(test.window->editor()->hasFocus());
  CHECK(field->cursorPosition() == 0);
}

TEST_CASE("an answered notice hands the keyboard to the text", "[gui][disk]") {
  FocusFixture test;
  for (const int choice : {0, 1}) {
    test.key(Qt::Key_E, Qt::ControlModifier);
    test.type("#");
    test.write("kernel.py", "# " + std::to_string(choice) + "\n" + sampleSource());
    REQUIRE(QTest::qWaitFor(
        [&] { return test.page().notice().text().contains(u"Another program"); }, 5000));
    auto *button = test.page().notice().findChildren<QPushButton *>().at(choice);
    QTest::mouseClick(button, Qt::LeftButton);
    CHECK(test.window->editor()->hasFocus());
  }
}

TEST_CASE("a view among tabs has its name once, also after one was alone", "[gui][window]") {
  FocusFixture test;
  const auto name = [&](const char *id) { return test.dock(id).title().name(); };
  const auto tabsOf = [&](const char *id) {
    const DockTabs &tabs = test.dock(id).title().tabs();
    QStringList names;
    for (int i = 0; tabs.isVisible() && i < tabs.count(); ++i) {
      names << (i == tabs.currentIndex() ? QStringLiteral("[%1]") : QStringLiteral("%1"))
                   .arg(tabs.tabText(i));
      // What the view shows, for new users.
      CHECK(tabs.tabToolTip(i).size() > 30);
    }
    return names.join(u' ');
  };
  const auto checkNames = [&] {
    QTest::qWait(20);
    CHECK(name("stage.ptx").isEmpty());
    CHECK(tabsOf("stage.ptx") == u"TTGIR LLVM IR [PTX] SASS");
    CHECK(name("problems").isEmpty());
    CHECK(tabsOf("problems") == u"[Problems] Passes Run Profile Sweep Trace Step History Console");
    // The tabs of the window itself take no room.
    for (QTabBar *bar : test.window->findChildren<QTabBar *>(Qt::FindDirectChildrenOnly))
      CHECK(bar->sizeHint().height() == 0);
  };
  test.key(Qt::Key_5, Qt::ControlModifier);
  checkNames();
  test.key(Qt::Key_M, Qt::ControlModifier);
  QTest::qWait(20);
  CHECK(name("stage.ptx") == u"PTX");
  test.key(Qt::Key_M, Qt::ControlModifier);
  checkNames();
  test.dock("layout").setFloating(true);
  QTest::qWait(20);
  CHECK(name("layout") == u"Layout");
  CHECK(tabsOf("layout").isEmpty());
}

TEST_CASE("a view that becomes a window steps aside and has a frame and a name", "[gui][window]") {
  FocusFixture test;
  ViewDock &dock = test.dock("layout");
  const QPoint before = dock.mapToGlobal(QPoint());
  const int width = dock.width();
  QToolButton *button = nullptr;
  for (QToolButton *each : dock.title().findChildren<QToolButton *>())
    if (each->toolTip().contains(u"Float"))
      button = each;
  REQUIRE(button);
  // As if the pointer had come there.
  button->setAttribute(Qt::WA_UnderMouse);
  QTest::mouseClick(button, Qt::LeftButton);
  QTest::qWait(20);
  REQUIRE(dock.isFloating());
  // The view has moved away from under it.
  CHECK_FALSE(button->testAttribute(Qt::WA_UnderMouse));
  CHECK((dock.pos() - before).manhattanLength() >= 40);
  CHECK(dock.screen()->availableGeometry().contains(dock.geometry()));
  CHECK(dock.title().name() == u"Layout");
  CHECK(test.isIn(dock));
  const QImage image = dock.grab().toImage();
  if (const auto *outline = dock.findChild<FocusOutline *>(); !outline || !outline->isVisible())
    for (int x = 0; x < 3; ++x)
      CHECK(image.pixelColor(x, 100) == views::theme()[views::ColorRole::BorderStrong]);
  QTest::mouseClick(button, Qt::LeftButton);
  QTest::qWait(20);
  CHECK_FALSE(dock.isFloating());
  CHECK(dock.mapToGlobal(QPoint()) == before);
  CHECK(dock.width() == width);
}

TEST_CASE("a view that comes back from a separate window is as wide as it was", "[gui][window]") {
  FocusFixture test;
  ViewDock &dock = test.dock("stage.ttir");
  const int width = dock.width(), editor = test.window->centralWidget()->width();
  dock.setFloating(true);
  QTest::qWait(50);
  REQUIRE(dock.width() > 0);
  dock.setFloating(false);
  CHECK(QTest::qWaitFor([&] { return std::abs(dock.width() - width) <= 2; }, 2000));
  CHECK(std::abs(test.window->centralWidget()->width() - editor) <= 4);
}

TEST_CASE("Escape in a menu, and in the palette, goes back to where the keyboard was",
          "[gui][window]") {
  FocusFixture test;
  const auto openMenu = [&] {
    test.key(Qt::Key_V, Qt::AltModifier);
    REQUIRE(QApplication::activePopupWidget());
    QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
    QTest::qWait(20);
    REQUIRE_FALSE(QApplication::activePopupWidget());
  };
  openMenu();
  CHECK(test.window->editor()->hasFocus());
  CHECK(test.isFramed());
  test.key(Qt::Key_7, Qt::ControlModifier);
  openMenu();
  CHECK(test.isIn(test.dock("layout")));
  CHECK(test.isFramed());
  test.key(Qt::Key_E, Qt::ControlModifier);
  openMenu();
  test.window->action(QStringLiteral("palette"))->trigger();
  test.key(Qt::Key_Escape);
  const std::string before = test.window->editor()->utf8Text();
  QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("abc"));
  CHECK(test.window->editor()->utf8Text().size() == before.size() + 3);
}

TEST_CASE("Escape in a list of the tool bar goes back to the editor", "[gui][window]") {
  FocusFixture test;
  const std::string target = test.window->compileController()->chosenTarget();
  test.key(Qt::Key_T, Qt::ControlModifier | Qt::AltModifier);
  REQUIRE(QApplication::activePopupWidget());
  test.key(Qt::Key_Escape);
  CHECK_FALSE(QApplication::activePopupWidget());
  CHECK(test.window->editor()->hasFocus());
  test.key(Qt::Key_Down);
  CHECK(test.window->compileController()->chosenTarget() == target);
  // A closed list that has the keyboard is left in the same way.
  for (QComboBox *list : test.window->findChildren<QComboBox *>())
    if (list->accessibleName() == u"Target")
      list->setFocus();
  REQUIRE_FALSE(test.window->editor()->hasFocus());
  test.key(Qt::Key_Escape);
  CHECK(test.window->editor()->hasFocus());
}

TEST_CASE("Escape in a view that has no use for it goes to the editor", "[gui][window]") {
  FocusFixture test;
  for (const char *workspace : {"write", "see", "measure", "learn"}) {
    test.window->action(QStringLiteral("workspace.") + QString::fromLatin1(workspace))->trigger();
    QTest::qWait(50);
    for (const ViewDock *dock : test.window->findChildren<ViewDock *>()) {
      if (dock->isHidden())
        continue;
      INFO(workspace << ' ' << dock->objectName().toStdString());
      test.window->action(QStringLiteral("view.") + dock->objectName())->trigger();
      QCoreApplication::processEvents();
      REQUIRE(QApplication::focusWidget());
      REQUIRE(dock->isAncestorOf(QApplication::focusWidget()));
      test.key(Qt::Key_Escape);
      // The first one may take back what is marked in a picture.
      if (!test.window->editor()->hasFocus())
        test.key(Qt::Key_Escape);
      CHECK(test.window->editor()->hasFocus());
    }
  }
}

TEST_CASE("a list with nothing to choose from says why", "[gui][window]") {
  FocusFixture test;
  test.key(Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
  CHECK(test.window->editor()->hasFocus());
  CHECK(test.window->statusBar()->currentMessage().contains(u"no configurations to choose from"));
}

TEST_CASE("Ctrl+Y does again what was undone", "[gui][window]") {
  FocusFixture test;
  const std::string before = test.window->editor()->utf8Text();
  test.type("# typed");
  const std::string typed = test.window->editor()->utf8Text();
  test.key(Qt::Key_Z, Qt::ControlModifier);
  REQUIRE(test.window->editor()->utf8Text() != typed);
  while (test.window->editor()->utf8Text() != before)
    test.key(Qt::Key_Z, Qt::ControlModifier);
  for (int i = 0; i < 8 && test.window->editor()->utf8Text() != typed; ++i)
    test.key(Qt::Key_Y, Qt::ControlModifier);
  CHECK(test.window->editor()->utf8Text() == typed);
}
