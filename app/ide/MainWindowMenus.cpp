// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Where the window's commands are found besides the palette: menus and tool bar.
#include "app/ide/KernelBar.h"
#include "app/ide/MainWindow.h"
#include "app/ide/ViewDock.h"
#include "views/common/Theme.h"

#include <QMenuBar>
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
  addTo(file, *this, {"-", "save", "saveAs", "close", "-", "importFolders", "-", "quit"});
  connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
  fillExamplesMenu();
}

void MainWindow::createViewMenu() {
  QMenu *view = addMenu(
      *this, tr("&View"),
      {"nextProblem", "previousProblem", "-", "align", "baseline", "exportLayout", "hints", "-"});
  for (const auto &[id, widget] : m_docks)
    view->QWidget::addAction(action(QStringLiteral("view.") + id));
  QMenu *shown = view->addMenu(tr("Shown views"));
  for (const auto &[id, widget] : m_docks)
    shown->QWidget::addAction(action(QStringLiteral("show.") + id));
  addTo(view, *this,
        {"-", "nextView", "previousView", "focusEditor", "nextTab", "previousTab", "maximize",
         "closeView", "defaultLayout"});
  addTo(view, *this,
        {"-", "zoomIn", "zoomOut", "zoomReset", "font", "themeDark", "themeLight", "themeSystem"});
}

void MainWindow::createMenus() {
  createFileMenu();
  addMenu(*this, tr("&Edit"), {"undo",
                               "redo",
                               "-",
                               "cut",
                               "copy",
                               "paste",
                               "selectAll",
                               "-",
                               "find",
                               "replace",
                               "goToLine",
                               "definition",
                               "back",
                               "forward",
                               "-",
                               "comment",
                               "duplicate",
                               "moveUp",
                               "moveDown",
                               "-",
                               "cursorAbove",
                               "cursorBelow",
                               "nextOccurrence",
                               "-",
                               "fold",
                               "complete",
                               "signature",
                               "hover",
                               "fix"});
  createViewMenu();
  addMenu(*this, tr("&Kernel"),
          {"recompile", "-", "chooseKernel", "pinKernel", "chooseTarget", "chooseConfiguration",
           "-", "run", "runThere", "cancelRun", "-", "forkTtir", "forkTtgir", "forkLlir",
           "forkPtx"});
  addMenu(*this, tr("&Help"), {"palette", "-", "about"});
}

void MainWindow::createToolBar() {
  m_compile.setChosenTarget(m_session.target.toStdString());
  m_kernelBar = new KernelBar(
      &m_compile, m_run,
      [this](const QString &id, const QString &text, const QKeySequence &shortcut,
             std::function<void()> handler) {
        return addAction(id, text, shortcut, std::move(handler));
      },
      this);
  connect(m_kernelBar, &KernelBar::targetChosen, this, [this](const QString &target) {
    m_session.target = target;
    scheduleSave();
  });
  addToolBar(m_kernelBar);
  auto *spacer = new QWidget(m_kernelBar);
  spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  m_kernelBar->addWidget(spacer);
  auto *runButton = new QToolButton(m_kernelBar);
  runButton->setDefaultAction(action(QStringLiteral("run")));
  runButton->setText(tr("Run"));
  runButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_kernelBar->addWidget(runButton);
  m_kernelBar->QWidget::addAction(action(QStringLiteral("themeToggle")));
  action(QStringLiteral("palette"))->setIcon(themedIcon(QStringLiteral("command")));
  m_kernelBar->QWidget::addAction(action(QStringLiteral("palette")));
}

} // namespace tilescope::app
