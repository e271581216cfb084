// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The window's commands outside the palette: menus and tool bar.
#include "app/ide/docks/ViewDock.h"
#include "app/ide/window/KernelBar.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/MenuEscape.h"
#include "app/ide/window/MenuTypeAhead.h"
#include "views/common/Theme.h"

#include <QActionGroup>
#include <QMenuBar>
#include <QSet>
#include <QStatusBar>

namespace tilescope::app {

using views::themedIcon;

using ActionIds = std::initializer_list<const char *>;

/// `-` is a line between actions.
static void addTo(QMenu *menu, const MainWindow &window, ActionIds ids) {
  for (const char *id : ids) {
    if (*id == '-')
      menu->addSeparator();
    else
      menu->QWidget::addAction(window.action(QString::fromLatin1(id)));
  }
}

static QMenu *addMenu(MainWindow &window, const QString &title, ActionIds ids) {
  QMenu *menu = window.menuBar()->addMenu(title);
  addTo(menu, window, ids);
  return menu;
}

void MainWindow::createFileMenu() {
  QMenu *file =
      addMenu(*this, tr("&File"),
              {"new", "open", "openCache", "openProfile", "lesson.openFile", "present.open"});
  fillExamplesMenu(file->addMenu(tr("Examples")));
  file->addMenu(m_lessonsMenu);
  m_recentMenu = file->addMenu(tr("Recent files"));
  addTo(file, *this, {"-", "save", "saveAs", "close", "-", "exportReport"});
  addTo(file->addMenu(tr("Export &picture")), *this,
        {"exportLayout", "exportAccess", "exportShared", "exportPipeline", "exportConversion",
         "exportPrograms", "exportRegisters", "exportProfile", "exportTrace", "exportSweep",
         "exportStep"});
  addTo(file, *this, {"-", "importFolders", "convertToUtf8", "-", "quit"});
  connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
}

static void addThemeMenu(MainWindow &window, QMenu *view) {
  auto *group = new QActionGroup(&window);
  for (const char *id : {"themeDark", "themeLight", "themeSystem"}) {
    window.action(QString::fromLatin1(id))->setCheckable(true);
    group->addAction(window.action(QString::fromLatin1(id)));
  }
  addTo(view->addMenu(MainWindow::tr("T&heme")), window,
        {"themeDark", "themeLight", "themeSystem", "-", "themeToggle"});
}

static QList<QAction *> workspaceActions(const MainWindow &window) {
  QList<QAction *> actions;
  for (const WorkspaceKind &kind : kWorkspaces)
    actions << window.action(QStringLiteral("workspace.") + QString::fromLatin1(kind.name));
  return actions;
}

static void addViewMenu(MainWindow &window, const QStringList &views) {
  QMenu *view = addMenu(window, MainWindow::tr("&View"), {});
  QMenu *arrangement = view->addMenu(MainWindow::tr("&Arrangement"));
  arrangement->QWidget::addActions(workspaceActions(window));
  addTo(arrangement, window, {"-", "splitRight", "joinColumns", "-", "defaultLayout"});
  QMenu *go = view->addMenu(MainWindow::tr("&Go to"));
  QMenu *shown = view->addMenu(MainWindow::tr("&Show or hide"));
  addTo(go, window, {"focusEditor"});
  // In menus of their own: with them, a menu would be too long for a small screen.
  static const QSet<QString> kPictures{
      QStringLiteral("layout"),    QStringLiteral("access"),     QStringLiteral("shared"),
      QStringLiteral("pipeline"),  QStringLiteral("conversion"), QStringLiteral("programs"),
      QStringLiteral("registers"), QStringLiteral("profile"),    QStringLiteral("trace"),
      QStringLiteral("sweep"),     QStringLiteral("model")};
  const auto menuFor = [](QMenu *menu, QMenu *&pictures, const QString &id) {
    if (!kPictures.contains(id))
      return menu;
    return pictures ? pictures : pictures = menu->addMenu(MainWindow::tr("&Pictures"));
  };
  QMenu *goToPicture = nullptr, *shownPictures = nullptr;
  for (const QString &id : views) {
    menuFor(go, goToPicture, id)->QWidget::addAction(window.action(QStringLiteral("view.") + id));
    menuFor(shown, shownPictures, id)
        ->QWidget::addAction(window.action(QStringLiteral("show.") + id));
  }
  addTo(go->addMenu(MainWindow::tr("&Next or previous")), window,
        {"nextView", "previousView", "-", "nextTab", "previousTab"});
  addTo(view->addMenu(MainWindow::tr("&Columns")), window,
        {"newColumn", "splitRight", "joinColumns", "-", "columnPass", "nextColumnPass",
         "previousColumnPass", "followPass", "onlyChangedPasses", "passesAsDiff", "-",
         "columnComparison", "baseline", "-", "align"});
  addTo(view, window,
        {"maximize", "closeView", "-", "nextProblem", "previousProblem", "-", "hints", "heat",
         "meter"});
  addTo(view->addMenu(MainWindow::tr("&Text")), window,
        {"zoomIn", "zoomOut", "zoomReset", "-", "font"});
  addThemeMenu(window, view);
}

void MainWindow::markTheme() {
  const char *id = m_session.theme == u"dark"    ? "themeDark"
                   : m_session.theme == u"light" ? "themeLight"
                                                 : "themeSystem";
  action(QString::fromLatin1(id))->setChecked(true);
}

static void addEditMenu(MainWindow &window) {
  QMenu *edit = addMenu(
      window, MainWindow::tr("&Edit"),
      {"undo", "redo", "-", "cut", "copy", "paste", "selectAll", "-", "find", "replace", "-"});
  addTo(edit->addMenu(MainWindow::tr("&Go")), window,
        {"goToLine", "definition", "usages", "back", "forward"});
  addTo(edit->addMenu(MainWindow::tr("&Lines")), window,
        {"comment", "duplicate", "moveUp", "moveDown", "-", "fold"});
  addTo(edit->addMenu(MainWindow::tr("Cu&rsors")), window,
        {"cursorAbove", "cursorBelow", "nextOccurrence", "rename"});
  addTo(edit, window, {"-", "complete", "signature", "hover", "fix", "applyFix", "explain"});
}

void MainWindow::createMenus() {
  createFileMenu();
  addEditMenu(*this);
  addViewMenu(*this, m_docks->ids());
  markTheme();
  QMenu *kernel =
      addMenu(*this, tr("&Kernel"),
              {"recompile", "-", "chooseKernel", "pinKernel", "chooseTarget", "chooseConfiguration",
               "-", "run", "runThere", "cancelRun", "writeLaunch", "connectGpu", "-"});
  addTo(kernel->addMenu(tr("&Profile")), *this,
        {"profile", "-", "profileQuick", "profileFull", "profileTimes", "-", "profileSamples", "-",
         "openProfile", "saveProfile"});
  addTo(kernel->addMenu(tr("S&weep")), *this,
        {"sweep", "stopSweep", "-", "writeWinner", "-", "openSweep"});
  kernel->addSeparator();
  for (const compiler::StageId stage : compiler::stagesWith(compiler::stage_trait::Document))
    kernel->QWidget::addAction(action(forkAction(stage)));
  QMenu *step =
      addMenu(*this, tr("&Step"),
              {"stepOver", "stepInto", "stepOut", "stepToCursor", "-", "stepBack", "stepBackInto",
               "stepBackOut", "-", "stepContinue", "stepReverse", "stepStop", "stepRestart", "-",
               "breakpoint", "breakpointCondition", "clearBreakpoints", "-"});
  addTo(step->addMenu(tr("&Unit and stage")), *this,
        {"stepByLine", "stepByOperation", "-", "stepTtir", "stepTtgir"});
  addMenu(*this, tr("&Help"),
          {"palette", "guide", "guideSearch", "glossary", "functions", "shortcuts", "-", "about"});
  new MenuEscape(menuBar());
  new MenuTypeAhead(menuBar());
}

void MainWindow::createToolBar() {
  m_compile.setChosenTarget(m_session.target.toStdString());
  m_kernelBar = new KernelBar(&m_compile, m_run, m_actions, this);
  connect(m_kernelBar, &KernelBar::targetChosen, this, [this](const QString &target) {
    m_session.target = target;
    scheduleSave();
  });
  // What is compiled and run is in sight, and the next edit does not choose another kernel.
  connect(m_kernelBar, &KernelBar::kernelChosen, this, [this](const Position &place) {
    if (!editor() || !showsResultOfPage())
      return;
    m_history.leave(currentPlace());
    editor()->goTo(place);
  });
  connect(m_kernelBar, &KernelBar::explained, this,
          [this](const QString &why) { statusBar()->showMessage(why, 6000); });
  connect(m_kernelBar, &KernelBar::left, this, &MainWindow::goToEditor);
  addToolBar(m_kernelBar);
  auto *spacer = new QWidget(m_kernelBar);
  spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  m_kernelBar->addWidget(spacer);
  m_kernelBar->QWidget::addActions(workspaceActions(*this));
  m_kernelBar->addSeparator();
  m_kernelBar->QWidget::addAction(action(QStringLiteral("themeToggle")));
  action(QStringLiteral("palette"))->setIcon(themedIcon(QStringLiteral("command")));
  m_kernelBar->QWidget::addAction(action(QStringLiteral("palette")));
}

} // namespace tilescope::app
