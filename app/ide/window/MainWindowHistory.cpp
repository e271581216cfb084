// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The versions of the kernel in the window: where they are kept, and what their commands do.
#include "app/ide/history/HistoryController.h"
#include "app/ide/history/TogetherWorker.h"
#include "app/ide/run/RunController.h"
#include "app/ide/run/RunHistory.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/StageColumns.h"
#include "views/history/HistoryView.h"
#include "views/run/RunView.h"

#include <QStatusBar>

namespace tilescope::app {

using namespace tilescope::views;

/// How long a sentence stays in the status bar.
static constexpr int kSaidMs = 6000;

/// The file's path, or the page's name in the session; texts that are not the user's have none.
static QString nameInHistory(const QObject *file) {
  const auto *page = qobject_cast<const EditorPage *>(file);
  if (!page || page->isReference())
    return {};
  return page->path().isEmpty() ? QStringLiteral("page:") + page->id() : page->path();
}

void MainWindow::createHistoryDock() {
  const QString folder =
      m_options.session ? m_options.session->folder() + QStringLiteral("/history") : QString();
  m_versions = new HistoryController(&m_compile, folder, nameInHistory, this);
  addDock(QStringLiteral("history"), tr("History"), m_versions->view(),
          QKeySequence(QStringLiteral("Ctrl+Shift+H")), m_versions->view()->header());
  if (!m_options.together)
    m_options.together = new TogetherWorker(this);
  m_versions->setMeasuring(m_options.together, [this] {
    // The values in the form are those that are measured.
    m_run->view()->form().commitEdits();
    return m_run->gpuRequest();
  });
  connect(&m_run->history(), &RunHistory::measured, m_versions,
          [this](const RunDocument &document, const LaunchRunPointer &run) {
            m_versions->recordRun(document, *run);
          });
  connect(m_versions, &HistoryController::restoreRequested, this, [this](const QString &text) {
    if (!editor() || editor()->isReadOnly())
      return;
    editor()->replaceText(text);
    m_editFollowUp.finish();
    goToEditor();
    statusBar()->showMessage(tr("The earlier version is in the editor; undo brings yours back."),
                             kSaidMs);
    // After the undo, or any other edit, it says nothing.
    connect(editor(), &views::KernelEditor::edited, statusBar(), &QStatusBar::clearMessage,
            Qt::SingleShotConnection);
  });
  connect(m_versions, &HistoryController::comparisonClosed, this, &MainWindow::goToEditor);
  connect(m_versions, &HistoryController::branchRequested, this, [this](const QString &text) {
    const Position place = editor()->cursor();
    if (!newFile())
      return;
    editor()->replaceText(text);
    // The kernel is the same, and so is the line that the user was at.
    editor()->goTo(place);
    m_editFollowUp.finish();
    goToEditor();
  });
  connect(m_versions, &HistoryController::baselineChosen, this,
          [this](const ResultPointer &result, int64_t number) {
            if (result)
              m_columns->setBaseline(result);
            statusBar()->showMessage(
                result ? tr("Version %1 is the baseline of times and of columns.").arg(number)
                       : tr("Version %1 is the baseline of times. Its stages are not kept: restore "
                            "it and set the baseline again to compare columns, too.")
                             .arg(number),
                kSaidMs);
          });
}

} // namespace tilescope::app
