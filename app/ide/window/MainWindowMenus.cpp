// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The window's commands outside the palette: menus and tool bar.
#include "app/ide/docks/ViewDock.h"
#include "app/ide/window/KernelBar.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/MenuEscape.h"
#include "views/common/Theme.h"

#include <QActionGroup>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolButton>

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
  QMenu *file = addMenu(*this, tr("&File"), {"new", "open", "openCache"});
  m_examplesMenu = file->addMenu(tr("Examples"));
  m_recentMenu = file->addMenu(tr("Recent files"));
  addTo(file, *this,
        {"-", "save", "saveAs", "close", "-", "exportReport", "exportLayout", "-", "importFolders",
         "-", "quit"});
  connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
  fillExamplesMenu();
}

void MainWindow::createViewMenu() {
  QMenu *view = addMenu(*this, tr("&View"), {});
  QMenu *go = view->addMenu(tr("&Go to"));
  QMenu *shown = view->addMenu(tr("&Show or hide"));
  addTo(go, *this, {"focusEditor"});
  for (const QString &id : m_docks->ids()) {
    go->QWidget::addAction(action(QStringLiteral("view.") + id));
    shown->QWidget::addAction(action(QStringLiteral("show.") + id));
  }
  addTo(go, *this, {"-", "nextView", "previousView", "nextTab", "previousTab"});
  addTo(view, *this,
        {"maximize", "closeView", "defaultLayout", "-", "nextProblem", "previousProblem", "-",
         "align", "baseline", "-", "hints"});
  addTo(view->addMenu(tr("&Text")), *this, {"zoomIn", "zoomOut", "zoomReset", "-", "font"});
  createThemeMenu(view);
}

void MainWindow::createThemeMenu(QMenu *view) {
  auto *group = new QActionGroup(this);
  for (const char *id : {"themeDark", "themeLight", "themeSystem"}) {
    action(QString::fromLatin1(id))->setCheckable(true);
    group->addAction(action(QString::fromLatin1(id)));
  }
  addTo(view->addMenu(tr("T&heme")), *this,
        {"themeDark", "themeLight", "themeSystem", "-", "themeToggle"});
  markTheme();
}

void MainWindow::markTheme() {
  const char *id = m_session.theme == u"dark"    ? "themeDark"
                   : m_session.theme == u"light" ? "themeLight"
                                                 : "themeSystem";
  action(QString::fromLatin1(id))->setChecked(true);
}

void MainWindow::createEditMenu() {
  QMenu *edit = addMenu(
      *this, tr("&Edit"),
      {"undo", "redo", "-", "cut", "copy", "paste", "selectAll", "-", "find", "replace", "-"});
  addTo(edit->addMenu(tr("&Go")), *this, {"goToLine", "definition", "back", "forward"});
  addTo(edit->addMenu(tr("&Lines")), *this,
        {"comment", "duplicate", "moveUp", "moveDown", "-", "fold"});
  addTo(edit->addMenu(tr("Cu&rsors")), *this, {"cursorAbove", "cursorBelow", "nextOccurrence"});
  addTo(edit, *this, {"-", "complete", "signature", "hover", "fix"});
}

void MainWindow::createMenus() {
  createFileMenu();
  createEditMenu();
  createViewMenu();
  QMenu *kernel =
      addMenu(*this, tr("&Kernel"),
              {"recompile", "-", "chooseKernel", "pinKernel", "chooseTarget", "chooseConfiguration",
               "-", "run", "runThere", "cancelRun", "writeLaunch", "-"});
  for (const compiler::StageId stage : compiler::stagesWith(compiler::stage_trait::Document))
    kernel->QWidget::addAction(action(forkAction(stage)));
  addMenu(*this, tr("&Help"), {"palette", "glossary", "shortcuts", "-", "about"});
  new MenuEscape(menuBar());
}

void MainWindow::createToolBar() {
  m_compile.setChosenTarget(m_session.target.toStdString());
  m_kernelBar = new KernelBar(&m_compile, m_run, m_actions, this);
  connect(m_kernelBar, &KernelBar::targetChosen, this, [this](const QString &target) {
    m_session.target = target;
    scheduleSave();
  });
  connect(m_kernelBar, &KernelBar::explained, this,
          [this](const QString &why) { statusBar()->showMessage(why, 6000); });
  connect(m_kernelBar, &KernelBar::left, this, &MainWindow::goToEditor);
  addToolBar(m_kernelBar);
  // First, so that it is there however little fits.
  m_runButton = new QToolButton(m_kernelBar);
  m_runButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_kernelBar->insertWidget(m_kernelBar->actions().first(), m_runButton);
  showRunning(false);
  auto *spacer = new QWidget(m_kernelBar);
  spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  m_kernelBar->addWidget(spacer);
  m_kernelBar->QWidget::addAction(action(QStringLiteral("themeToggle")));
  action(QStringLiteral("palette"))->setIcon(themedIcon(QStringLiteral("command")));
  m_kernelBar->QWidget::addAction(action(QStringLiteral("palette")));
}

void MainWindow::showRunning(bool running) {
  action(QStringLiteral("cancelRun"))->setEnabled(running);
  QAction *shown = action(running ? QStringLiteral("cancelRun") : QStringLiteral("run"));
  if (QAction *before = m_runButton->defaultAction(); before && before != shown)
    m_runButton->removeAction(before);
  m_runButton->setDefaultAction(shown);
}

} // namespace tilescope::app
