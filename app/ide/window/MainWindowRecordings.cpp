// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Reports, profiles and files of other tools, opened in the window.
#include "app/exchange/RecordedFile.h"
#include "app/exchange/RecordedSource.h"
#include "app/ide/files/FileNames.h"
#include "app/ide/profile/ProfileController.h"
#include "app/ide/run/RunController.h"
#include "app/ide/run/RunHistory.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/UnusedPath.h"
#include "views/common/MovedPlaces.h"

#include <QFileInfo>
#include <QInputDialog>

namespace tilescope::app {

using profiler::Recording;
using profiler::ReportKernel;
using views::MovedPlaces;

static QString text(const std::string &value) { return QString::fromStdString(value); }

/// `softmax, cuda:90`, and what distinguishes it from other kernels of that name.
static QString kernelTitle(const Recording &recording, size_t index) {
  const ReportKernel &kernel = recording.data.kernels[index];
  QStringList parts{QStringLiteral("%1. %2").arg(index + 1).arg(text(kernel.kernel))};
  if (kernel.plan && !kernel.plan->name.empty())
    parts << text(kernel.plan->name);
  if (!kernel.target.empty())
    parts << text(kernel.target);
  return parts.join(QStringLiteral(", "));
}

/// The kernel that the user means; null: none.
static const ReportKernel *chooseKernel(const Recording &recording, QWidget *window) {
  const std::vector<ReportKernel> &kernels = recording.data.kernels;
  if (kernels.size() < 2)
    return kernels.empty() ? nullptr : &kernels.front();
  QStringList titles;
  for (size_t i = 0; i < kernels.size(); ++i)
    titles << kernelTitle(recording, i);
  bool ok = false;
  const QString chosen = QInputDialog::getItem(
      window, MainWindow::tr("Open a recorded kernel"),
      MainWindow::tr("The file has %1 kernels:").arg(titles.size()), titles, 0, false, &ok);
  return ok ? &kernels[static_cast<size_t>(titles.indexOf(chosen))] : nullptr;
}

/// Where and when, and in which file it was found.
static QString placeOf(const Recording &recording, const ReportKernel &kernel,
                       const profiler::Measurement &run, const QString &path) {
  QStringList parts{MainWindow::tr("recorded in %1").arg(QFileInfo(path).fileName())};
  if (run.timeSource == profiler::TimeSource::Interpreter)
    parts << MainWindow::tr("interpreter");
  else if (!run.device.name.empty())
    parts << text(run.device.name);
  if (const std::string &when =
          kernel.measuredAt.empty() ? recording.data.created : kernel.measuredAt;
      !when.empty())
    parts << text(when);
  return parts.join(QStringLiteral(" · "));
}

/// Lines of the text that was profiled, where they are in another one; those that are gone are left
/// out.
static void moveLines(profiler::SampleData &samples, const std::string &before,
                      const std::string &after) {
  const MovedPlaces places(before, after);
  std::erase_if(samples.lines, [&](profiler::LineSamples &line) {
    const std::optional<uint32_t> now = places.unchangedLine(line.line);
    line.line = now.value_or(0);
    return !now;
  });
}

std::optional<EditorPage *> MainWindow::openRecording(const QString &path) {
  const Result<std::optional<Recording>> read = readRecordedFile(path.toStdString());
  // What cannot be read at all is a text's affair, which says why.
  if (!read && !QFileInfo(path).isFile())
    return std::nullopt;
  if (!read) {
    const Error &error = read.error();
    refuseFile(text(error.message) +
               (error.hint.empty() ? QString() : QStringLiteral("; ") + text(error.hint)));
    return nullptr;
  }
  if (!*read)
    return std::nullopt;
  const Recording &recording = **read;
  if (recording.kind == profiler::RecordingKind::Measurement) {
    openProfile(path);
    return currentPage();
  }
  const ReportKernel *kernel = chooseKernel(recording, this);
  if (!kernel)
    return nullptr;
  const std::optional<RecordedSource> source = recordedSource(*kernel);
  EditorPage *page = source ? openRecordedSource(*source, path) : pageOfRecorded(*kernel);
  if (page)
    m_session.addRecent(path);
  const std::optional<profiler::Measurement> run = recordedRun(*kernel);
  if (!run || !page)
    return page;
  m_run->history().keepRecorded(
      page, {*run, placeOf(recording, *kernel, *run, path), source.has_value()});
  const bool isProfile = run->timeSource != profiler::TimeSource::Interpreter;
  if (isProfile) {
    profiler::ProfileDocument profile =
        recordedProfile(*kernel, *run, source, recording.data.created);
    // A launch block may have been written into the text.
    if (profile.measurement.samples && source && source->text != kernel->source)
      moveLines(*profile.measurement.samples, kernel->source, source->text);
    m_profiles->show(std::move(profile), QFileInfo(path).fileName());
  }
  ViewDock *shown = dock(isProfile ? QStringLiteral("profile") : QStringLiteral("run"));
  shown->show();
  shown->raise();
  return page;
}

EditorPage *MainWindow::openRecordedSource(const RecordedSource &source, const QString &path) {
  const QFileInfo name(text(source.name));
  EditorPage *page = addPage();
  page->begin(unusedPath(QFileInfo(path).dir(), fileNameOf(name.completeBaseName()), name.suffix(),
                         m_tabs->pages()),
              source.text);
  KernelChoice choice;
  choice.kernel = source.kernel;
  choice.launch = source.launch;
  m_compile.prepareChoice(page, choice, Position{});
  return showPage(page);
}

EditorPage *MainWindow::pageOfRecorded(const ReportKernel &kernel) {
  const DocumentPointer document = m_compile.document();
  if (currentPage() && document && document->kernel() == kernel.kernel)
    return currentPage();
  refuseFile(tr("The file has measurements of `%1` and not its source: open the file with this "
                "kernel first, and then this one.")
                 .arg(text(kernel.kernel)));
  return nullptr;
}

} // namespace tilescope::app
