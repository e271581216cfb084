// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Sweeps of the kernel in the window: their dock, their commands, and opened ones.
#include "app/ide/docks/ViewDock.h"
#include "app/ide/files/FileDialogs.h"
#include "app/ide/sweep/SweepController.h"
#include "app/ide/sweep/SweepWorker.h"
#include "app/ide/window/MainWindow.h"
#include "profiler/analysis/SweepLog.h"
#include "profiler/data/FileIo.h"
#include "views/sweep/SweepView.h"

#include <QDir>
#include <QFileInfo>
#include <QStatusBar>

namespace tilescope::app {

using namespace tilescope::views;

/// What a sweep's folder holds: the results, and what is made of them.
static const QString kLogName = QStringLiteral("points.jsonl");

void MainWindow::createSweepDock() {
  if (!m_options.sweeps)
    m_options.sweeps = new SweepWorker(this);
  m_sweeps = new SweepController(m_options.sweeps, &m_compile, m_run, this);
  SweepView *view = m_sweeps->view();
  addDock(QStringLiteral("sweep"), tr("Sweep"), view, QKeySequence(QStringLiteral("Ctrl+Shift+N")),
          view->header());
}

void MainWindow::createSweepActions() {
  SweepView *view = m_sweeps->view();
  m_actions.add(QStringLiteral("sweep"), tr("Sweep over the values of the launch block"), {},
                [this] {
                  if (!m_compile.document() && currentPage())
                    recompile();
                  goToView(dock(QStringLiteral("sweep")));
                  m_sweeps->start();
                });
  QAction *stop = m_actions.add(QStringLiteral("stopSweep"), tr("Stop the sweep"), {},
                                [this] { m_sweeps->stop(); });
  stop->setEnabled(false);
  connect(m_sweeps, &SweepController::busyChanged, stop, &QAction::setEnabled);
  QAction *open = m_actions.add(QStringLiteral("openSweep"), tr("Open sweep…"), {}, [this] {
    for (const QString &path :
         askFilesToOpen({this, tr("Open sweep"), folderForDialog(currentPage()),
                         tr("Results of sweeps (*.jsonl *.csv *.html);;All files (*)")}))
      if (!openSweep(path))
        refuseFile(tr("%1 is not in a folder of `tilescope sweep`, which has a file `%2`")
                       .arg(QFileInfo(path).fileName(), kLogName));
  });
  connect(view, &SweepView::openRequested, open, &QAction::trigger);
  QAction *write = m_actions.add(
      QStringLiteral("writeWinner"), tr("Write the sweep's winner into the file"), {}, [this] {
        const std::optional<std::string> text = m_sweeps->textWithWinner();
        if (!text || !editor() || refusesEdits())
          return;
        editor()->replaceText(QString::fromStdString(*text));
        m_editFollowUp.finish();
        statusBar()->showMessage(
            tr("The winner's values are in the launch block: Ctrl+Z takes them out again"), 8000);
      });
  connect(view, &SweepView::writeRequested, write, &QAction::trigger);
  connect(view, &SweepView::tableRequested, this, [this] {
    const std::optional<std::string> text = m_sweeps->textWithTable();
    if (!text || !editor() || refusesEdits())
      return;
    editor()->replaceText(QString::fromStdString(*text));
    m_editFollowUp.finish();
    m_sweeps->noteTable();
    statusBar()->showMessage(
        tr("The launch block has a table [sweep] now: change its values, or press Sweep"), 8000);
  });
}

/// A page that `tilescope sweep` wrote, which is for a browser.
static bool isSweepPage(const QFileInfo &file) {
  const Result<std::string> text = profiler::readTextFile(file.filePath().toStdString());
  return file.suffix() == u"html" && text &&
         text->substr(0, 2000).find("<title>Sweep of ") != std::string::npos;
}

bool MainWindow::openSweep(const QString &path) {
  const QFileInfo file(path);
  const QDir folder(QFileInfo(file.isDir() ? path : file.path()).canonicalFilePath());
  const QString log = folder.filePath(kLogName);
  if (!QFileInfo::exists(log) && isSweepPage(file)) {
    refuseFile(tr("%1 is the page of a sweep, for a browser: here a sweep is opened from its `%2`")
                   .arg(file.fileName(), kLogName));
    return true;
  }
  if (!QFileInfo::exists(log))
    return false;
  const Result<std::string> text = profiler::readTextFile(log.toStdString());
  const Result<profiler::SweepLog> read =
      text ? profiler::readSweepLog(*text) : Result<profiler::SweepLog>(text.error());
  if (!read) {
    refuseFile(
        tr("`%1` was not opened: %2")
            .arg(QDir::toNativeSeparators(log), QString::fromStdString(read.error().message)));
    return true;
  }
  // Its kernel's file, as it is now, where that can be found.
  const QString source = QString::fromStdString(read->sweep.file);
  for (const QString &candidate :
       {folder.filePath(source),
        folder.filePath(QStringLiteral("../") + QFileInfo(source).fileName())})
    if (QFileInfo(candidate).isFile() && openFile(QDir::cleanPath(candidate)))
      break;
  m_sweeps->keepOpened(currentPage(), read->sweep, tr("opened from %1").arg(folder.dirName()));
  goToView(dock(QStringLiteral("sweep")));
  return true;
}

} // namespace tilescope::app
