// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The window itself: its place, its docks, focus, zoom and menus.
#include "app/ide/docks/FocusOutline.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/docks/WindowPlacement.h"
#include "tests/gui/Settle.h"
#include "tests/gui/WindowFixture.h"
#include "tests/support/FakeBackend.h"
#include "tests/support/FakeResult.h"
#include "views/common/CodeFamily.h"
#include "views/common/CodeView.h"
#include "views/common/Theme.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/LayoutDiagram.h"
#include "views/palette/CommandPalette.h"
#include "views/passes/PassesView.h"
#include "views/problems/ProblemsView.h"
#include "views/stages/StageColumn.h"

#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>

#include <set>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;
using compiler::StageId;

namespace {
/// A window with the sample kernel, compiled.
struct Desk {
  FakeBackend backend;
  WindowFixture fixture;
  MainWindow &window;

  Desk() : fixture(answering(backend)), window(*fixture.window) {
    fixture.openAndWait(fixture.write("kernel.py", sampleSource()));
  }
  ~Desk() { views::setFontZoom(0); }

  static FakeBackend &answering(FakeBackend &backend) {
    backend.answer = [](const compiler::CompileRequest &) { return sampleResult(); };
    return backend;
  }
  ViewDock &dock(const char *id) { return *window.dock(QString::fromLatin1(id)); }
  bool hasFocus(const char *id) { return dock(id).isAncestorOf(QApplication::focusWidget()); }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWidget *focus = QApplication::focusWidget();
    QTest::keyClick(focus ? focus : &window, key, modifiers);
    QApplication::processEvents();
  }
};
} // namespace

/// Closes the window; what is returned opens the next one with its session.
static MainWindowOptions closed(WindowFixture &fixture) {
  fixture.window->close();
  fixture.window.reset();
  MainWindowOptions options;
  auto opened = SessionStore::open(fixture.sessionFolder());
  REQUIRE((opened && *opened));
  options.session = std::move(*opened);
  return options;
}

TEST_CASE("a window is moved and cut to fit", "[gui][window]") {
  const QRect screen(0, 30, 1366, 738);
  CHECK(fittedInto({0, 0, 1600, 960}, screen) == screen);
  CHECK(fittedInto({1200, 600, 400, 300}, screen) == QRect(966, 468, 400, 300));
  CHECK(fittedInto({-900, -900, 400, 300}, screen) == QRect(0, 30, 400, 300));
  CHECK(fittedInto({10, 40, 400, 300}, screen) == QRect(10, 40, 400, 300));
}

TEST_CASE("a window opens within its screen, also where it was larger before", "[gui][window]") {
  FakeBackend backend;
  WindowFixture fixture(Desk::answering(backend));
  const auto fits = [](const MainWindow &window) {
    return window.screen()->availableGeometry().contains(window.frameGeometry());
  };
  MainWindow fresh(&backend, {});
  fresh.show();
  CHECK(fits(fresh));
  fixture.window->dock(QStringLiteral("layout"))->setFloating(true);
  fixture.window->dock(QStringLiteral("layout"))->setGeometry(5000, 5000, 300, 200);
  fixture.window->setGeometry(700, 500, 3000, 2000);
  REQUIRE_FALSE(fits(*fixture.window));
  MainWindow next(&backend, closed(fixture));
  next.show();
  CHECK(fits(next));
  const ViewDock &floating = *next.dock(QStringLiteral("layout"));
  REQUIRE(floating.isFloating());
  CHECK(next.screen()->availableGeometry().contains(floating.frameGeometry()));
}

TEST_CASE("a window that becomes narrow leaves the editor room to work", "[gui][window]") {
  Desk desk;
  desk.window.resize(1900, 1000);
  QWidget &editor = *desk.window.editor();
  // The user's splitter: the editor gets most of the row.
  desk.window.resizeDocks({&desk.dock("stage.ttir"), &desk.dock("stage.ttgir")}, {390, 390},
                          Qt::Horizontal);
  QApplication::processEvents();
  for (const char *id : {"stage.ttir", "stage.ttgir", "layout"})
    UNSCOPED_INFO(id << " " << desk.dock(id).width() << " least "
                     << desk.dock(id).minimumSizeHint().width());
  REQUIRE(editor.width() > 1000);
  // Sizes are remembered a moment after they are set.
  settle();
  desk.window.resize(900, 600);
  settle();
  CHECK(editor.width() >= 900 * 38 / 100);
  for (const char *id : {"stage.ttir", "stage.ttgir"})
    CHECK(desk.dock(id).width() >= 90);
  // What the user chooses stays: only a window that shrinks takes room from the views.
  desk.window.resizeDocks({&desk.dock("stage.ttir"), &desk.dock("stage.ttgir")}, {330, 330},
                          Qt::Horizontal);
  settle();
  const int chosen = editor.width();
  CHECK(chosen < 900 * 38 / 100);
  desk.window.resize(920, 600);
  CHECK(QTest::qWaitFor([&] { return std::abs(editor.width() - chosen * 920 / 900) <= 4; }, 9000));
}

TEST_CASE("a window that was narrow returns the views' room", "[gui][window]") {
  Desk desk;
  desk.window.resize(1900, 1000);
  desk.window.action(QStringLiteral("defaultLayout"))->trigger();
  settle();
  const char *const views[] = {"stage.ttir", "stage.ttgir", "layout"};
  std::map<std::string, int> before;
  for (const char *id : views)
    before[id] = desk.dock(id).width();
  for (const int width : {760, 1300, 1900}) {
    desk.window.resize(width, 1000);
    settle();
  }
  for (const char *id : views) {
    INFO(id);
    CHECK(std::abs(desk.dock(id).width() - before[id]) <= 4);
  }
}

TEST_CASE("views have the sizes of the last time, however late the window has its own",
          "[gui][window]") {
  FakeBackend backend;
  WindowFixture fixture(Desk::answering(backend));
  const QSize size(790, 700);
  fixture.window->resize(size);
  const auto heights = [](const MainWindow &window) {
    std::vector<int> all;
    for (const char *id : {"stage.ttir", "layout", "problems"})
      all.push_back(window.dock(QString::fromLatin1(id))->height());
    return all;
  };
  fixture.window->resizeDocks({fixture.window->dock(QStringLiteral("stage.ttir")),
                               fixture.window->dock(QStringLiteral("layout"))},
                              {380, 240}, Qt::Vertical);
  QApplication::processEvents();
  const std::vector<int> before = heights(*fixture.window);
  MainWindow next(&backend, closed(fixture));
  // As a window manager does: first small, then maximized.
  const bool isLate = GENERATE(true, false);
  if (isLate)
    next.resize(600, 320);
  next.show();
  QApplication::processEvents();
  if (isLate)
    REQUIRE(heights(next) != before);
  next.resize(size);
  QApplication::processEvents();
  CHECK(heights(next) == before);
}

TEST_CASE("fonts are those of the last time, whatever is opened", "[gui][window]") {
  FakeBackend backend;
  WindowFixture fixture(Desk::answering(backend));
  fixture.window->action(QStringLiteral("zoomIn"))->trigger();
  fixture.window->action(QStringLiteral("zoomIn"))->trigger();
  fixture.window->close();
  views::setFontZoom(0);
  // No session is restored: as with a file on the command line.
  fixture.open();
  CHECK(views::fontZoom() == 2);
  views::setFontZoom(0);
}

TEST_CASE("the coloring of layouts is that of the last time", "[gui][window]") {
  FakeBackend backend;
  WindowFixture fixture(Desk::answering(backend));
  QComboBox *coloring = nullptr;
  for (auto *box : fixture.window->layoutDiagram()->findChildren<QComboBox *>())
    if (box->accessibleName() == u"Coloring")
      coloring = box;
  REQUIRE(coloring != nullptr);
  fixture.openAndWait(fixture.write("kernel.py", sampleSource()));
  coloring->setFocus();
  QTest::keyClick(coloring, Qt::Key_Down);
  REQUIRE(fixture.window->layoutDiagram()->coloring() == compiler::Family::Lane);
  fixture.window->close();
  fixture.open();
  CHECK(fixture.window->layoutDiagram()->coloring() == compiler::Family::Lane);
}

TEST_CASE("every text follows the zoom at once", "[gui][window]") {
  Desk desk;
  desk.press(Qt::Key_9, Qt::ControlModifier);
  desk.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  for (int i = 0; i < 4; ++i) {
    desk.press(Qt::Key_Plus, Qt::ControlModifier);
    const double ui = views::uiFont().pointSizeF(), code = views::codeFont().pointSizeF();
    for (QWidget *widget : desk.window.findChildren<QWidget *>()) {
      if (widget->inherits("QsciScintillaBase") || !widget->isVisible())
        continue;
      INFO(widget->metaObject()->className() << " " << widget->objectName().toStdString());
      const double size = widget->font().pointSizeF();
      CHECK((size == Approx(ui) || size == Approx(code)));
    }
    for (QTableView *table : desk.window.findChildren<QTableView *>())
      if (table->isVisible())
        CHECK(table->verticalHeader()->defaultSectionSize() >=
              QFontMetrics(views::uiFont()).height());
  }
  CHECK(views::fontZoom() == 4);
  desk.press(Qt::Key_0, Qt::ControlModifier);
  CHECK(views::fontZoom() == 0);
}

TEST_CASE("rows of passes do not overlap at twice the size", "[gui][window]") {
  Desk desk;
  desk.press(Qt::Key_9, Qt::ControlModifier);
  auto *table = desk.window.passes()->findChild<QTableView *>();
  for (int i = 0; i < 10; ++i)
    desk.press(Qt::Key_Plus, Qt::ControlModifier);
  REQUIRE(table->isVisible());
  REQUIRE(desk.window.passes()->model().rowCount() > 1);
  CHECK(table->rowHeight(0) >= QFontMetrics(table->font()).height());
  // Names are shown whole.
  for (int row = 0; row < desk.window.passes()->model().rowCount(); ++row)
    CHECK(table->columnWidth(0) >=
          QFontMetrics(table->font())
              .horizontalAdvance(desk.window.passes()->model().index(row, 0).data().toString()));
}

TEST_CASE("large text does not make the window outgrow the screen", "[gui][window]") {
  Desk desk;
  desk.window.resize(1366, 768);
  for (int i = 0; i < 10; ++i)
    desk.press(Qt::Key_Plus, Qt::ControlModifier);
  settle();
  CHECK(desk.window.size() == QSize(1366, 768));
  for (const char *id : {"stage.ttir", "stage.ttgir", "stage.ptx", "layout", "problems"}) {
    INFO(id);
    if (desk.dock(id).isInFront())
      CHECK(desk.window.rect().contains(desk.dock(id).geometry()));
  }
}

TEST_CASE("the view that has the keyboard is framed", "[gui][window]") {
  Desk desk;
  desk.window.editor()->setFocus();
  const FocusOutline &outline = *desk.window.focusOutline();
  REQUIRE(outline.isVisible());
  CHECK(outline.view() == desk.window.centralWidget());
  std::set<QWidget *> framed;
  for (int i = 0; i < 8; ++i) {
    desk.press(Qt::Key_F6);
    QWidget *view = outline.view();
    REQUIRE(view != nullptr);
    CHECK(view->isAncestorOf(QApplication::focusWidget()));
    CHECK(outline.isVisible());
    CHECK(outline.geometry() == QRect(view->mapTo(&desk.window, QPoint()), view->size()));
    framed.insert(view);
    if (const auto *dock = qobject_cast<QDockWidget *>(view))
      CHECK(dock->titleBarWidget()->property("active").toBool());
  }
  // The editors, two columns, the diagram, and what lies below.
  CHECK(framed.size() == 5);
  // The frame can be seen, and covers nothing else.
  const QImage image = desk.window.grab().toImage();
  const QRect rect = outline.geometry();
  CHECK(image.pixelColor(rect.topLeft() + QPoint(1, 40)) ==
        views::theme()[views::ColorRole::Accent]);
  CHECK_FALSE(outline.mask().contains(QPoint(20, 20)));
}

TEST_CASE("a view's key goes to the view and never closes it", "[gui][window]") {
  Desk desk;
  desk.window.editor()->setFocus();
  struct Go {
    const char *id;
    Qt::Key key;
    Qt::KeyboardModifiers modifiers;
  };
  const Go keys[] = {{"layout", Qt::Key_7, Qt::ControlModifier},
                     {"run", Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier},
                     {"problems", Qt::Key_8, Qt::ControlModifier},
                     {"passes", Qt::Key_9, Qt::ControlModifier},
                     {"stage.ttir", Qt::Key_2, Qt::ControlModifier},
                     {"stage.ast", Qt::Key_1, Qt::ControlModifier}};
  for (const Go &go : keys) {
    INFO(go.id);
    // In sight, behind another tab, or closed.
    desk.press(go.key, go.modifiers);
    CHECK(desk.dock(go.id).isInFront());
    CHECK(desk.hasFocus(go.id));
    // A user who presses it twice by habit continues there.
    desk.press(go.key, go.modifiers);
    CHECK(desk.dock(go.id).isInFront());
    CHECK(desk.hasFocus(go.id));
    desk.press(Qt::Key_E, Qt::ControlModifier);
    CHECK(desk.window.editor()->hasFocus());
    desk.press(go.key, go.modifiers);
    CHECK(desk.hasFocus(go.id));
  }
}

TEST_CASE("a view is closed by key, by button and by its check mark", "[gui][window]") {
  Desk desk;
  QAction *shown = desk.window.action(QStringLiteral("show.layout"));
  desk.press(Qt::Key_7, Qt::ControlModifier);
  CHECK(shown->isChecked());
  desk.press(Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(desk.dock("layout").isHidden());
  CHECK_FALSE(shown->isChecked());
  CHECK(desk.window.editor()->hasFocus());
  shown->trigger();
  CHECK(desk.dock("layout").isInFront());
  shown->trigger();
  CHECK(desk.dock("layout").isHidden());
}

TEST_CASE("Ctrl+M shows one view alone, the editors too", "[gui][window]") {
  Desk desk;
  const auto isAlone = [&](QWidget *alone) {
    for (QDockWidget *dock : desk.window.findChildren<QDockWidget *>())
      if (dock != alone && dock->isVisible())
        return false;
    return alone->isVisible() &&
           desk.window.centralWidget()->isVisible() == (alone == desk.window.centralWidget());
  };
  desk.window.editor()->setFocus();
  desk.press(Qt::Key_M, Qt::ControlModifier);
  CHECK(isAlone(desk.window.centralWidget()));
  desk.press(Qt::Key_M, Qt::ControlModifier);
  CHECK(desk.dock("stage.ttir").isInFront());
  desk.press(Qt::Key_7, Qt::ControlModifier);
  desk.press(Qt::Key_M, Qt::ControlModifier);
  CHECK(isAlone(&desk.dock("layout")));
  // Going to another view brings everything back.
  desk.press(Qt::Key_2, Qt::ControlModifier);
  CHECK(desk.dock("stage.ttir").isInFront());
  CHECK(desk.dock("layout").isInFront());
  CHECK(desk.window.centralWidget()->isVisible());
  // So does closing the view that is alone.
  desk.press(Qt::Key_M, Qt::ControlModifier);
  desk.dock("stage.ttir").close();
  QApplication::processEvents();
  CHECK(desk.window.centralWidget()->isVisible());
  CHECK(desk.dock("layout").isInFront());
  CHECK(desk.dock("stage.ttir").isHidden());
}

TEST_CASE("a floating view fills the screen and leaves the window as it is", "[gui][window]") {
  Desk desk;
  ViewDock &dock = desk.dock("layout");
  dock.setFloating(true);
  dock.setGeometry(100, 100, 400, 300);
  QApplication::processEvents();
  QTest::mouseDClick(dock.titleBarWidget(), Qt::LeftButton, {}, QPoint(60, 6));
  QApplication::processEvents();
  CHECK(dock.geometry() == dock.screen()->availableGeometry());
  CHECK(desk.window.centralWidget()->isVisible());
  CHECK(desk.dock("stage.ttir").isInFront());
  QTest::mouseDClick(dock.titleBarWidget(), Qt::LeftButton, {}, QPoint(60, 6));
  CHECK(dock.geometry() == QRect(100, 100, 400, 300));
  // It draws its own border, wide enough to be dragged.
  dock.findChild<FocusOutline *>()->hide();
  const QImage image = dock.grab().toImage();
  CHECK(image.pixelColor(0, 100) == views::theme()[views::ColorRole::BorderStrong]);
  CHECK(dock.titleBarWidget()->x() >= 3);
}

static bool contains(const QMenu &menu, const QAction *action) {
  return menu.actions().contains(const_cast<QAction *>(action));
}

TEST_CASE("the Edit menu edits whatever has the keyboard", "[gui][window]") {
  Desk desk;
  const QMenu *edit = nullptr;
  for (const QMenu *menu : desk.window.menuBar()->findChildren<QMenu *>())
    if (menu->title() == QStringLiteral("&Edit"))
      edit = menu;
  REQUIRE(edit);
  for (const char *id : {"undo", "redo", "cut", "copy", "paste", "selectAll"})
    CHECK(contains(*edit, desk.window.action(QString::fromLatin1(id))));
  const auto choose = [&](const char *id) {
    desk.window.action(QString::fromLatin1(id))->trigger();
  };
  const std::string before = desk.fixture.editor().utf8Text();
  desk.window.editor()->setFocus();
  choose("selectAll");
  choose("cut");
  CHECK(desk.fixture.editor().utf8Text().empty());
  choose("paste");
  CHECK(desk.fixture.editor().utf8Text() == before);
  choose("undo");
  CHECK(desk.fixture.editor().utf8Text().empty());
  choose("redo");
  CHECK(desk.fixture.editor().utf8Text() == before);
  // A column of IR; by its keys.
  desk.press(Qt::Key_3, Qt::ControlModifier);
  desk.press(Qt::Key_A, Qt::ControlModifier);
  desk.press(Qt::Key_C, Qt::ControlModifier);
  CHECK(QApplication::clipboard()->text().startsWith(QStringLiteral("#blocked")));
  choose("paste");
  CHECK(desk.fixture.editor().utf8Text() == before);
}

static void collect(const QMenu &menu, QStringList &names) {
  for (const QAction *action : menu.actions()) {
    if (action->menu())
      collect(*action->menu(), names);
    else if (!action->isSeparator() && action->isEnabled())
      names << action->text();
  }
}

TEST_CASE("the palette lists every command of the menus", "[gui][window]") {
  Desk desk;
  QStringList names;
  for (const QAction *action : desk.window.menuBar()->actions()) {
    Q_EMIT action->menu()->aboutToShow();
    collect(*action->menu(), names);
  }
  REQUIRE(names.size() > 40);
  desk.press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  REQUIRE(desk.window.palette()->isVisible());
  QStringList listed;
  const QAbstractItemModel &model = desk.window.palette()->model();
  for (int row = 0; row < model.rowCount(); ++row)
    listed << model.index(row, 0).data().toString();
  for (QString name : names) {
    INFO(name.toStdString());
    CHECK(listed.contains(name.remove(u'&')));
  }
}

TEST_CASE("after the last file nothing of it is left", "[gui][window]") {
  Desk desk;
  auto broken = brokenResult();
  desk.backend.answer = [broken](const compiler::CompileRequest &) { return broken; };
  QSignalSpy settled(&desk.window, &MainWindow::settled);
  desk.fixture.type("#");
  REQUIRE(settled.wait(5000));
  REQUIRE(desk.window.problems()->model().rowCount() == 1);
  desk.press(Qt::Key_Z, Qt::ControlModifier);
  desk.press(Qt::Key_S, Qt::ControlModifier);
  desk.press(Qt::Key_W, Qt::ControlModifier);
  REQUIRE(desk.window.currentPage() == nullptr);
  CHECK(desk.window.windowTitle() == QStringLiteral("Tilescope"));
  for (StageId stage : {StageId::Ttir, StageId::Ttgir, StageId::Ptx})
    CHECK(desk.window.stageColumn(stage)->codeView().document().text().empty());
  CHECK(desk.window.problems()->model().rowCount() == 0);
  CHECK(desk.window.passes()->model().rowCount() == 0);
  CHECK(desk.window.layoutDiagram()->current() == nullptr);
  CHECK_FALSE(desk.window.action(QStringLiteral("run"))->isEnabled());
  // The way on is there, and a key away.
  const QPushButton *way = nullptr;
  for (const QPushButton *button : desk.window.centralWidget()->findChildren<QPushButton *>())
    if (button->text() == desk.window.action(QStringLiteral("new"))->text())
      way = button;
  REQUIRE(way);
  CHECK(way->isVisible());
  QTest::mouseClick(const_cast<QPushButton *>(way), Qt::LeftButton);
  CHECK(desk.window.currentPage() != nullptr);
  CHECK_FALSE(way->isVisible());
  CHECK(desk.window.action(QStringLiteral("run"))->isEnabled());
}

/// All menus of the menu bar, and those in them.
static QList<QMenu *> menusOf(const QMainWindow &window) {
  QList<QMenu *> menus;
  for (const QAction *action : window.menuBar()->actions())
    menus << action->menu();
  for (qsizetype i = 0; i < menus.size(); ++i)
    for (const QAction *action : menus[i]->actions())
      if (action->menu())
        menus << action->menu();
  return menus;
}

TEST_CASE("text is at most twice as large, and menus and tool bar fit a small screen at each size",
          "[gui][window]") {
  Desk desk;
  desk.window.resize(1366, 768);
  auto *bar = desk.window.findChild<QToolBar *>();
  for (const int percent : {100, 132, 163, 200}) {
    while (views::textPercent() < percent)
      desk.press(Qt::Key_Plus, Qt::ControlModifier);
    INFO(percent);
    CHECK(views::textPercent() == percent);
    for (const QMenu *menu : menusOf(desk.window)) {
      INFO(menu->title().toStdString());
      CHECK(menu->sizeHint().height() <= 768);
      CHECK(menu->sizeHint().width() <= 1366);
    }
    QTest::qWait(20);
    // Controls that do not fit in the tool bar are behind its arrow, which is entirely visible.
    auto *more = bar->findChild<QToolButton *>(QStringLiteral("qt_toolbar_ext_button"));
    const int end = more->isVisible() ? more->x() : bar->width();
    for (QAction *action : bar->actions()) {
      const QWidget *part = bar->widgetForAction(action);
      if (!action->isVisible())
        continue;
      INFO(action->text().toStdString());
      CHECK((part->isVisible() || more->isVisible()));
      CHECK((!part->isVisible() || part->geometry().right() < end));
    }
    if (more->isVisible()) {
      CHECK(more->geometry().right() < bar->width());
      CHECK(more->width() >= views::scaledPx(12));
    }
    CHECK(bar->geometry().right() < desk.window.width());
  }
  desk.press(Qt::Key_Plus, Qt::ControlModifier);
  CHECK(views::textPercent() == 200);
}

TEST_CASE("a small window begins with an editor in which code can be read", "[gui][window]") {
  Desk desk;
  desk.window.resize(1366, 768);
  desk.window.action(QStringLiteral("defaultLayout"))->trigger();
  settle();
  CHECK(desk.window.centralWidget()->width() >=
        60 * QFontMetrics(views::codeFont()).horizontalAdvance(u'0'));
  CHECK(desk.dock("stage.ttir").isInFront());
  // By its key as always.
  CHECK_FALSE(desk.dock("stage.ttgir").isInFront());
  desk.press(Qt::Key_5, Qt::ControlModifier);
  CHECK(desk.hasFocus("stage.ptx"));
}
