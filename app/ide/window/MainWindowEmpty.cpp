// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The window while no file is open.
#include "app/ide/compile/PictureController.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/history/HistoryController.h"
#include "app/ide/model/ModelController.h"
#include "app/ide/run/RunController.h"
#include "app/ide/step/StepController.h"
#include "app/ide/window/KernelBar.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/StageColumns.h"
#include "app/ide/window/StartPage.h"
#include "app/ide/window/StatusFacts.h"
#include "compiler/syntax/Parser.h"
#include "views/common/MenuText.h"
#include "views/common/Theme.h"
#include "views/layout/LayoutDiagram.h"
#include "views/passes/PassesView.h"
#include "views/problems/ProblemsView.h"
#include "views/run/RunView.h"
#include "views/stages/StageColumn.h"

#include <QDir>
#include <QFileInfo>

namespace tilescope::app {

/// More of them are in the menu.
static constexpr qsizetype kRecentOnPage = 6;
static constexpr size_t kLessonsOnPage = 6;
static constexpr int kFolderPx = 260;

void MainWindow::createStartPage() {
  m_startPage = new StartPage(m_tabs);
  enableForFile(false);
  const QString why = tr("No file is open.");
  m_problems->setDiagnostics({}, {}, why);
  m_run->clear(why);
}

void MainWindow::fillStartPage() {
  StartPage::Section start{tr("Start"), {}}, recent{tr("Recent files"), {}},
      examples{tr("Examples, the easiest first"), {}};
  for (const char *id :
       {"new", "open", "openCache", "openProfile", "connectGpu", "guide", "glossary"})
    start.entries.push_back(StartPage::entryOf(action(QString::fromLatin1(id))));
  for (const QString &path : m_session.recentFiles.first(
           std::min<qsizetype>(kRecentOnPage, m_session.recentFiles.size())))
    recent.entries.push_back(
        {views::menuText(QFileInfo(path).fileName()),
         fontMetrics().elidedText(QDir::toNativeSeparators(QFileInfo(path).path()), Qt::ElideMiddle,
                                  views::scaledPx(kFolderPx)),
         [this, path] { openFile(path); }});
  for (QAction *each : m_actions.all())
    if (each->objectName().startsWith(u"example.") ||
        each->objectName().startsWith(u"profileExample."))
      examples.entries.push_back(StartPage::entryOf(each));
  if (examples.entries.empty())
    examples = {tr("Examples"), {}, tr("The folder `examples` was not found beside the program")};
  StartPage::Section lessons{tr("Lessons"), {}};
  for (QAction *each : m_actions.all())
    if (each->objectName().startsWith(u"lessons.") && lessons.entries.size() < kLessonsOnPage)
      lessons.entries.push_back(StartPage::entryOf(each));
  std::vector<StartPage::Section> sections{std::move(start)};
  if (!recent.entries.empty())
    sections.push_back(std::move(recent));
  if (!lessons.entries.empty())
    sections.push_back(std::move(lessons));
  sections.push_back(std::move(examples));
  m_startPage->setSections(sections);
}

void MainWindow::enableForFile(bool isOpen) {
  if (!isOpen)
    fillStartPage();
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
                         "applyFix",
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
                         "explain",
                         "hover",
                         "nextProblem",
                         "previousProblem",
                         "align",
                         "baseline",
                         "exportLayout",
                         "exportAccess",
                         "exportShared",
                         "exportPipeline",
                         "exportPrograms",
                         "exportStep",
                         "profile",
                         "sweep",
                         "writeWinner",
                         "exportConversion",
                         "exportRegisters",
                         "exportReport",
                         "run",
                         "runThere",
                         "writeLaunch",
                         "stepOver",
                         "stepBack",
                         "stepInto",
                         "stepOut",
                         "stepBackInto",
                         "stepBackOut",
                         "stepContinue",
                         "stepReverse",
                         "stepRestart",
                         "stepToCursor",
                         "breakpoint",
                         "breakpointCondition",
                         "clearBreakpoints",
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
  m_steps->cancel();
  m_steps->clear(tr("No file is open."));
  setWindowTitle(QStringLiteral("Tilescope"));
  showUncompiled(tr("No file is open."));
  enableForFile(false);
  m_startPage->takeFocus();
}

/// What is asked of the worker behind a compile.
void MainWindow::clearPictures(const QString &why) {
  for (PictureController *pictures : m_pictures)
    pictures->clear(why);
}

void MainWindow::showEncodingProblem(const QString &why) {
  const EditorPage *page = currentPage();
  std::vector<compiler::Diagnostic> problems;
  std::vector<compiler::SourceFile> files;
  if (page && !page->isUtf8()) {
    files.push_back({page->path().toStdString(), page->foreignBytes()});
    const auto tree = compiler::ast::parseModule(files.front().text);
    for (const compiler::Diagnostic &each : tree->diagnostics)
      if (each.kind == compiler::DiagnosticKind::SyntaxInvalidEncoding)
        problems.push_back(each);
    for (compiler::Diagnostic &each : problems)
      each.notes = {
          tr("\"Convert to UTF-8\", in the menu File and above the text, reads the file in "
             "its own encoding")
              .toStdString()};
  }
  // A model that cannot be read leaves its text empty.
  std::ranges::move(m_models->diagnostics(page, files), std::back_inserter(problems));
  const size_t count = problems.size();
  m_problems->setDiagnostics(std::move(problems), std::move(files), why);
  dock(QStringLiteral("problems"))
      ->setWindowTitle(count == 0 ? tr("Problems") : tr("Problems (%1)").arg(count));
}

void MainWindow::showUncompiled(const QString &why) {
  m_staleTimer.stop();
  m_versions->setUncompiled(why);
  m_compile.clear();
  m_listedFile = nullptr;
  m_focus.setHovered({}, this);
  m_focus.setSelected({}, this);
  for (auto &[id, column] : m_columns->all())
    column->clear();
  m_layout->setResult(nullptr);
  clearPictures(why);
  m_passes->setResult(nullptr);
  showEncodingProblem(why);
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
