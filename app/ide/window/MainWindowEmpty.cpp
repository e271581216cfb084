// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The window while no file is open.
#include "app/ide/compile/AccessController.h"
#include "app/ide/compile/ConversionController.h"
#include "app/ide/compile/ProgramsController.h"
#include "app/ide/compile/SharedController.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/run/RunController.h"
#include "app/ide/window/KernelBar.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/StartPage.h"
#include "app/ide/window/StatusFacts.h"
#include "views/layout/LayoutDiagram.h"
#include "views/passes/PassesView.h"
#include "views/problems/ProblemsView.h"
#include "views/run/RunView.h"
#include "views/stages/StageColumn.h"

namespace tilescope::app {

void MainWindow::createStartPage() {
  QList<QAction *> actions{action(QStringLiteral("new")), action(QStringLiteral("open")),
                           action(QStringLiteral("openCache"))};
  for (const char *name : {"vector_add.py", "fused_softmax.py"})
    if (QAction *example = action(QStringLiteral("example.") + QString::fromLatin1(name)))
      actions << example;
  m_startPage = new StartPage(actions, m_tabs);
  enableForFile(false);
}

void MainWindow::enableForFile(bool isOpen) {
  m_startPage->setVisible(!isOpen);
  m_startPage->raise();
  m_run->view()->setEnabled(isOpen);
  for (const char *id : {"save",
                         "saveAs",
                         "close",
                         "find",
                         "replace",
                         "goToLine",
                         "undo",
                         "redo",
                         "cut",
                         "copy",
                         "paste",
                         "selectAll",
                         "fix",
                         "signature",
                         "nextTab",
                         "previousTab",
                         "definition",
                         "usages",
                         "rename",
                         "comment",
                         "duplicate",
                         "moveUp",
                         "moveDown",
                         "cursorAbove",
                         "cursorBelow",
                         "nextOccurrence",
                         "fold",
                         "complete",
                         "hover",
                         "nextProblem",
                         "previousProblem",
                         "align",
                         "baseline",
                         "exportLayout",
                         "exportAccess",
                         "exportShared",
                         "exportPrograms",
                         "exportConversion",
                         "exportReport",
                         "run",
                         "runThere",
                         "writeLaunch",
                         "recompile",
                         "chooseKernel",
                         "chooseTarget",
                         "pinKernel",
                         "chooseConfiguration"})
    action(QString::fromLatin1(id))->setEnabled(isOpen);
  for (const compiler::StageId stage : compiler::stagesWith(compiler::stage_trait::Document))
    action(forkAction(stage))->setEnabled(isOpen);
}

void MainWindow::showNothing() {
  setWindowTitle(QStringLiteral("Tilescope"));
  showUncompiled(tr("No file is open."));
  enableForFile(false);
}

/// What is asked of the worker behind a compile.
void MainWindow::clearPictures(const QString &why) {
  m_accesses->clear(why);
  m_sharedMemory->clear(why);
  m_programTraces->clear(why);
  m_conversions->clear(why);
}

void MainWindow::showUncompiled(const QString &why) {
  m_staleTimer.stop();
  m_compile.clear();
  m_listedFile = nullptr;
  m_focus.setHovered({}, this);
  m_focus.setSelected({}, this);
  for (auto &[id, column] : m_columns)
    column->clear();
  m_layout->setResult(nullptr);
  clearPictures(why);
  m_passes->setResult(nullptr);
  m_problems->setDiagnostics({}, {}, why);
  dock(QStringLiteral("problems"))->setWindowTitle(tr("Problems"));
  m_run->clear(why);
  m_kernelBar->clear();
  m_status->clear();
  if (!editor())
    return;
  m_status->showMessage(why);
  editor()->setDiagnostics({});
  editor()->setPerformanceHints({});
  editor()->setValues({});
  editor()->setTintedLines({});
}

} // namespace tilescope::app
