// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/Exports.h"

#include "app/ide/compile/CompileController.h"
#include "app/ide/files/FileDialogs.h"
#include "app/ide/files/FileNames.h"
#include "app/ide/page/NoticeBar.h"
#include "app/ide/run/RunController.h"
#include "app/ide/window/ActionTable.h"
#include "views/access/AccessView.h"
#include "views/layout/LayoutDiagram.h"
#include "views/layout/conversion/ConversionView.h"
#include "views/programs/ProgramsView.h"
#include "views/shared/SharedView.h"

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

Exports::Exports(const Sources &sources, ActionTable &actions, QMainWindow *window)
    : QObject(window), m_sources(sources), m_window(window), m_notice(new NoticeBar(window)) {
  actions.add(QStringLiteral("exportLayout"), tr("Export layout diagram…"), {},
              [this] { exportLayout(); });
  actions.add(QStringLiteral("exportAccess"), tr("Export access picture…"), {},
              [this] { exportAccess(); });
  actions.add(QStringLiteral("exportShared"), tr("Export shared memory picture…"), {},
              [this] { exportShared(); });
  actions.add(QStringLiteral("exportConversion"), tr("Export conversion picture…"), {},
              [this] { exportConversion(); });
  actions.add(QStringLiteral("exportPrograms"), tr("Export programs picture…"), {},
              [this] { exportPrograms(); });
  actions.add(QStringLiteral("exportReport"), tr("Export report…"), {}, [this] { exportReport(); });
  connect(m_sources.layout, &views::LayoutDiagram::exportRequested, this, &Exports::exportLayout);
  connect(m_sources.access, &views::AccessView::exportRequested, this, &Exports::exportAccess);
  connect(m_sources.shared, &views::SharedView::exportRequested, this, &Exports::exportShared);
  connect(m_sources.conversion, &views::ConversionView::exportRequested, this,
          &Exports::exportConversion);
  connect(m_sources.programs, &views::ProgramsView::exportRequested, this,
          &Exports::exportPrograms);
  connect(m_sources.run, &RunController::reportEnded, this, &Exports::tellReport);
}

QString Exports::offeredPath(const QString &ending) const {
  const DocumentPointer &document = m_sources.compile->document();
  const CorrelationPointer &latest = m_sources.compile->latest();
  const QFileInfo file(document ? QString::fromStdString(document->source->path) : QString());
  const bool isThere = !file.filePath().isEmpty() && QFileInfo(file.path()).isWritable();
  return (isThere ? file.dir() : QDir::home())
      .filePath(fileNameOf(latest ? QString::fromStdString(latest->result()->kernel) : QString()) +
                ending);
}

void Exports::exportLayout() {
  views::LayoutDiagram *layout = m_sources.layout;
  if (!layout->current())
    return m_window->statusBar()->showMessage(tr("There is no layout diagram to export yet"),
                                              kToldMs);
  exportPicture({tr("layout diagram"), QStringLiteral("-layout.svg"),
                 [layout](const QString &path) { return layout->exportSvg(path); },
                 [layout](const QString &path) { return layout->exportPng(path); }});
}

void Exports::exportAccess() {
  views::AccessView *access = m_sources.access;
  if (access->request().lines.empty())
    return m_window->statusBar()->showMessage(
        tr("Open the Access view on an access first: there is nothing to export yet"), kToldMs);
  exportPicture({tr("access picture"), QStringLiteral("-access.svg"),
                 [access](const QString &path) { return access->exportSvg(path); },
                 [access](const QString &path) { return access->exportPng(path); }});
}

void Exports::exportShared() {
  views::SharedView *shared = m_sources.shared;
  if (!shared->hasContent() || shared->buffer() < 0)
    return m_window->statusBar()->showMessage(
        tr("Open the Shared memory view first: there is nothing to export yet"), kToldMs);
  exportPicture({tr("picture of shared memory"), QStringLiteral("-shared.svg"),
                 [shared](const QString &path) { return shared->exportSvg(path); },
                 [shared](const QString &path) { return shared->exportPng(path); }});
}

void Exports::exportConversion() {
  views::ConversionView *conversion = m_sources.conversion;
  if (!conversion->current())
    return m_window->statusBar()->showMessage(
        tr("Open the Conversion view first: there is nothing to export yet"), kToldMs);
  exportPicture({tr("conversion picture"), QStringLiteral("-conversion.svg"),
                 [conversion](const QString &path) { return conversion->exportSvg(path); },
                 [conversion](const QString &path) { return conversion->exportPng(path); }});
}

void Exports::exportPrograms() {
  views::ProgramsView *programs = m_sources.programs;
  if (!programs->content().arrays)
    return m_window->statusBar()->showMessage(
        tr("Open the Programs view first: there is nothing to export yet"), kToldMs);
  exportPicture({tr("programs picture"), QStringLiteral("-programs.svg"),
                 [programs](const QString &path) { return programs->exportSvg(path); },
                 [programs](const QString &path) { return programs->exportPng(path); }});
}

void Exports::exportPicture(const Picture &picture) {
  const QString path =
      askFileToSave({m_window, tr("Export %1").arg(picture.name), offeredPath(picture.ending),
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
  if (m_sources.run->isBusy())
    return m_window->statusBar()->showMessage(tr("A run is in progress: Shift+F5 stops it"),
                                              kToldMs);
  const QString path =
      askFileToSave({m_window, tr("Export report"), offeredPath(QStringLiteral("-report.html")),
                     tr("HTML report (*.html);;Markdown (*.md);;JSON (*.json);;CSV (*.csv)"),
                     QStringLiteral("html")});
  if (path.isEmpty())
    return;
  m_notice->hide();
  m_window->statusBar()->showMessage(tr("Writing the report: Shift+F5 stops it"));
  m_sources.run->exportReport(path);
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
                        ? tr("The report was written to %1.").arg(QFileInfo(path).fileName())
                        : tr("The report was not written: %1").arg(error),
                    std::move(choices),
                    error.isEmpty() ? NoticeBar::Stay::ForAWhile : NoticeBar::Stay::UntilAnswered);
}

} // namespace tilescope::app
