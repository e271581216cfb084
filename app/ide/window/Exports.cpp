// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/Exports.h"

#include "app/ide/compile/CompileController.h"
#include "app/ide/files/FileDialogs.h"
#include "app/ide/files/FileNames.h"
#include "app/ide/page/NoticeBar.h"
#include "app/ide/profile/ProfileController.h"
#include "app/ide/run/RunController.h"
#include "app/ide/window/ActionTable.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QMainWindow>
#include <QMessageBox>
#include <QStatusBar>
#include <QUrl>

namespace tilescope::app {

/// How long the status bar says where a file is.
static constexpr int kToldMs = 8000;

Exports::Exports(CompileController *compile, RunController *run, ProfileController *profiles,
                 ActionTable &actions, QMainWindow *window)
    : QObject(window), m_compile(compile), m_run(run), m_profiles(profiles), m_actions(actions),
      m_window(window), m_notice(new NoticeBar(window)) {
  actions.add(QStringLiteral("exportReport"), tr("Export report…"), {}, [this] { exportReport(); });
  connect(m_run, &RunController::reportEnded, this, &Exports::tellReport);
  connect(m_run, &RunController::reportProgressed, this, [this](const QString &state) {
    m_window->statusBar()->showMessage(tr("Writing the report: %1. Shift+F5 stops it").arg(state));
  });
}

QString Exports::offeredPath(const QString &ending, bool isOfFile) const {
  const DocumentPointer &document = m_compile->document();
  const CorrelationPointer &latest = m_compile->latest();
  const QFileInfo file(document ? QString::fromStdString(document->source->path) : QString());
  // Kernels of one name are in several files, and several kernels in one file.
  const QString kernel = latest ? QString::fromStdString(latest->result()->kernel) : QString();
  QString name = file.completeBaseName();
  if (name.isEmpty())
    name = kernel;
  else if (!isOfFile && document->source->kernels.size() > 1 && name != kernel)
    name += u'-' + kernel;
  const bool isThere = !file.filePath().isEmpty() && QFileInfo(file.path()).isWritable();
  return (isThere ? file.dir() : QDir::home()).filePath(fileNameOf(name) + ending);
}

/// What tells the report of one launch from those of the file's others: `-small`, `-line24`.
QString Exports::launchEnding() const {
  const DocumentPointer &document = m_compile->document();
  const profiler::LaunchBlock *block = document ? document->launchBlock() : nullptr;
  if (!block || document->source->launches.blocks.size() < 2)
    return {};
  return u'-' + (block->name.empty() ? QStringLiteral("line%1").arg(block->range.begin.line + 1)
                                     : fileNameOf(QString::fromStdString(block->name)));
}

void Exports::addCommand(const QString &id, const QString &name, std::function<void()> run) {
  m_actions.add(QStringLiteral("export") + id, tr("Export %1…").arg(name), {}, std::move(run));
}

void Exports::exportPicture(const Picture &picture) {
  if (!picture.canExport())
    return m_window->statusBar()->showMessage(picture.nothing, kToldMs);
  const QString ending = picture.ofFile ? picture.ofFile() : picture.ending;
  const QString offered =
      offeredPath(u'-' + ending + QStringLiteral(".svg"), picture.ofFile != nullptr);
  const QString path =
      askFileToSave({m_window, tr("Export %1").arg(picture.name), offered,
                     tr("SVG image (*.svg);;PNG image (*.png)"), QStringLiteral("svg")});
  if (path.isEmpty())
    return;
  const bool isPng = path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive);
  const QString shown = QDir::toNativeSeparators(path);
  if (isPng ? picture.writePng(path) : picture.writeSvg(path))
    m_window->statusBar()->showMessage(tr("The %1 was written to %2").arg(picture.name, shown),
                                       kToldMs);
  else
    QMessageBox::warning(m_window, tr("Export failed"),
                         tr("`%1` could not be written.").arg(shown));
}

void Exports::exportReport() {
  if (m_run->isBusy())
    return m_window->statusBar()->showMessage(m_run->busyText(), kToldMs);
  const QString path = askFileToSave(
      {m_window, tr("Export report"), offeredPath(launchEnding() + QStringLiteral("-report.html")),
       tr("HTML report (*.html);;PDF (*.pdf);;Markdown (*.md);;JSON (*.json);;CSV (*.csv);;"
          "Counters as Nsight Compute names them (*.ncu.csv);;"
          "Trace for Perfetto (*.trace.json);;Proton's tree (*.hatchet);;"
          "tritonparse (*.ndjson)"),
       QStringLiteral("html")});
  if (path.isEmpty())
    return;
  m_notice->hide();
  m_window->statusBar()->showMessage(tr("Writing the report: Shift+F5 stops it"));
  // What is on show needs no new run.
  const views::ProfileContentPointer shown = m_profiles->shown();
  m_profileWords = !shown ? QString()
                   : m_profiles->isOutdated()
                       ? tr(" The profile on show is outdated and was left out.")
                       : tr(" It holds the profile on show; nothing was run for it.");
  m_run->exportReport(path, shown && !m_profiles->isOutdated() ? std::optional(shown->profile)
                                                               : std::nullopt);
}

void Exports::tellReport(const QString &path, const QString &error) {
  const QString shown = QDir::toNativeSeparators(path);
  std::vector<NoticeBar::Choice> choices;
  if (error.isEmpty()) {
    m_window->statusBar()->showMessage(tr("The report was written to %1").arg(shown), kToldMs);
    choices.push_back(
        {tr("&Open it"), [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }});
  } else {
    m_window->statusBar()->showMessage(tr("The report was not written"), kToldMs);
  }
  choices.push_back({NoticeBar::hideText(), {}});
  // An error stays until it is read. The whole path is in the status bar, and here where the
  // pointer rests.
  m_notice->setToolTip(shown);
  m_notice->present(error.isEmpty()
                        ? tr("The report was written to %1.").arg(QFileInfo(path).fileName()) +
                              m_profileWords
                        : tr("The report was not written: %1").arg(error),
                    std::move(choices),
                    error.isEmpty() ? NoticeBar::Stay::ForAWhile : NoticeBar::Stay::UntilAnswered);
}

} // namespace tilescope::app
