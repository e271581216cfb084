// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Step mode in the window: its view, and where it goes in the text.
#include "app/ide/docks/MaximizedView.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/run/RunController.h"
#include "app/ide/step/StepController.h"
#include "app/ide/step/StepWorker.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/StageColumns.h"
#include "app/ide/window/StepCommands.h"
#include "app/launch/Programs.h"
#include "views/run/RunView.h"
#include "views/stages/StageColumn.h"
#include "views/step/StepView.h"

#include <QApplication>
#include <QStatusBar>

#include <utility>

namespace tilescope::app {

using namespace tilescope::views;
using compiler::StageId;

/// How long a sentence stays in the status bar.
static constexpr int kSaidMs = 8000;

void MainWindow::createStepDock() {
  if (!m_options.steps)
    m_options.steps = new StepWorker(workerProgram(), this);
  m_steps = new StepController(m_options.steps, &m_compile, this);
  addDock(QStringLiteral("step"), tr("Step"), m_steps->view(),
          QKeySequence(QStringLiteral("Ctrl+Shift+E")));
  for (const auto &[stage, column] : m_columns->all())
    if (stage == StageId::Ttir || stage == StageId::Ttgir)
      m_steps->addColumn(stage, column);
  connect(m_columns, &StageColumns::opened, m_steps, [this](ViewDock *, StageColumn *column) {
    if (column->stage() == StageId::Ttir || column->stage() == StageId::Ttgir)
      m_steps->addColumn(column->stage(), column);
  });
  connect(m_steps, &StepController::watchesChanged, this, [this] {
    m_session.stepWatches[m_steppedKernel] = m_steps->view()->watches();
    scheduleSave();
  });
  connect(m_steps, &StepController::choiceChanged, this, [this] {
    m_session.stepsTtgir = m_steps->view()->stage() == StageId::Ttgir;
    scheduleSave();
  });
  if (m_session.stepsTtgir)
    m_steps->view()->setStage(StageId::Ttgir);
  connect(m_steps, &StepController::viewRequested, this, &MainWindow::showStepView);
  connect(m_steps, &StepController::said, this,
          [this](const QString &what) { statusBar()->showMessage(what, kSaidMs); });
  connect(m_steps, &StepController::placeRequested, this, &MainWindow::goToPlace);
  connect(m_steps, &StepController::fileRequested, this, &MainWindow::showStepFile);
  connect(m_steps, &StepController::begun, this, &MainWindow::showStepWatches);
  // Columns and pictures follow; the cursor stays where the user has put it.
  connect(m_steps, &StepController::stopped, this, [this](const SourceRange &range) {
    if (showsResultOfPage())
      m_focus.setSelected(focusAt(range.begin), this);
  });
  connect(m_steps, &StepController::layoutRequested, this, [this](StageId stage, int line) {
    Focus focus;
    focus.stage = stage;
    focus.position = {static_cast<uint32_t>(line), 0};
    if (m_compile.latest())
      focus.sources = m_compile.latest()->sourcesOf(stage, static_cast<uint32_t>(line));
    m_focus.setSelected(focus, this);
    dock(QStringLiteral("layout"))->show();
    dock(QStringLiteral("layout"))->raise();
  });
  connect(m_steps->view(), &StepView::launchBlockRequested, this, [this] {
    m_run->writeSuggestedBlock();
    goToEditor();
  });
  connect(&m_run->view()->results(), &ResultsView::writeRequested, m_steps,
          &StepController::goToWrite);
  connect(&m_run->view()->results(), &ResultsView::faultRequested, m_steps,
          &StepController::goToFault);
}

/// What is stepped is in the editor and in the view: both are in sight. The keyboard stays.
/// `hasBegun`: something has begun, so that a view that is closed is opened.
void MainWindow::showStepView(bool hasBegun) {
  ViewDock *step = dock(QStringLiteral("step"));
  m_docks->maximized().makeRoomFor(step);
  if (!hasBegun && step->isHidden())
    return;
  step->show();
  step->raise();
}

/// Watches are of names, which each kernel has its own of.
void MainWindow::showStepWatches(const QString &path, const QString &kernel) {
  const EditorPage *page = currentPage();
  const QString file = path.isEmpty() && page ? page->untitledName() : path;
  const QString before = std::exchange(m_steppedKernel, file + u'\n' + kernel);
  if (before != m_steppedKernel)
    m_steps->view()->forgetChoice();
  const QSignalBlocker blocker(m_steps->view());
  m_steps->view()->setWatches(m_session.stepWatches.value(m_steppedKernel));
}

/// The cursor and the keyboard stay where they are, as far as they can.
void MainWindow::showStepFile(const QObject *stepped, const compiler::SourceFile &file) {
  QWidget *focus = QApplication::focusWidget();
  const bool isInEditor = !focus || m_tabs->isAncestorOf(focus);
  EditorPage *shown = nullptr;
  for (EditorPage *page : m_tabs->pages())
    if (page == stepped)
      m_tabs->setCurrentWidget(shown = page);
  if (!shown && !stepped)
    shown = m_tabs->showPath(QString::fromStdString(file.path));
  if (!shown && !stepped)
    shown = showFile(file);
  if (shown && isInEditor)
    shown->editor().setFocus();
  else if (focus)
    focus->setFocus();
}

void MainWindow::createStepActions() {
  new StepCommands({m_steps, &m_actions, m_docks, [this] { return editor(); },
                    [this] {
                      if (!m_compile.document())
                        recompile();
                    }},
                   this);
}

void MainWindow::followStepEditor() {
  EditorPage *page = currentPage();
  m_steps->setEditor(page ? &page->editor() : nullptr, page, page ? page->path() : QString());
}

} // namespace tilescope::app
