// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Reports, profiles and files of other tools, opened in the window.
#include "app/exchange/RecordedFile.h"
#include "app/exchange/RecordedSource.h"
#include "app/ide/docks/ViewDock.h"
#include "app/ide/files/FileNames.h"
#include "app/ide/profile/ProfileController.h"
#include "app/ide/run/RunController.h"
#include "app/ide/run/RunHistory.h"
#include "app/ide/window/MainWindow.h"
#include "app/ide/window/UnusedPath.h"
#include "profiler/data/FileIo.h"
#include "views/common/MovedPlaces.h"

#include <QDir>
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
  else if (!kernel.launchTitle.empty())
    parts << text(kernel.launchTitle);
  if (!kernel.target.empty())
    parts << text(kernel.target);
  return parts.join(QStringLiteral(", "));
}

/// The kernel that the user means; nothing: none.
static std::optional<int> chooseKernel(const Recording &recording, QWidget *window) {
  const std::vector<ReportKernel> &kernels = recording.data.kernels;
  if (kernels.size() < 2)
    return kernels.empty() ? std::nullopt : std::optional(0);
  QStringList titles;
  for (size_t i = 0; i < kernels.size(); ++i)
    titles << kernelTitle(recording, i);
  bool ok = false;
  const QString chosen = QInputDialog::getItem(
      window, MainWindow::tr("Open a recorded kernel"),
      MainWindow::tr("The file has %1 kernels:").arg(titles.size()), titles, 0, false, &ok);
  return ok ? std::optional(static_cast<int>(titles.indexOf(chosen))) : std::nullopt;
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
static void moveLines(profiler::Measurement &measurement, const std::string &before,
                      const std::string &after) {
  const MovedPlaces places(before, after);
  const auto move = [&](auto &lines) {
    std::erase_if(lines, [&](auto &line) {
      const std::optional<uint32_t> now = places.unchangedLine(line.line);
      line.line = now.value_or(0);
      return !now;
    });
  };
  if (measurement.samples)
    move(measurement.samples->lines);
  if (measurement.executions)
    move(measurement.executions->lines);
  if (measurement.prediction)
    move(measurement.prediction->lines);
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
  const std::optional<int> index = chooseKernel(recording, this);
  if (!index)
    return nullptr;
  const ReportKernel &kernel = recording.data.kernels[static_cast<size_t>(*index)];
  const std::optional<RecordedSource> source = recordedSource(kernel);
  EditorPage *page = source ? openRecordedSource(*source, path) : pageOfRecorded(kernel, path);
  if (!page)
    return nullptr;
  m_session.addRecent(path);
  if (ViewDock *shown = keepRecorded(page, recording, {path, *index})) {
    shown->show();
    shown->raise();
    scheduleSave();
  }
  return page;
}

ViewDock *MainWindow::keepRecorded(EditorPage *page, const Recording &recording,
                                   const ProfileOrigin &origin) {
  const ReportKernel &kernel = recording.data.kernels[static_cast<size_t>(origin.kernel)];
  const std::optional<profiler::Measurement> run = recordedRun(kernel);
  if (!run)
    return nullptr;
  const std::optional<RecordedSource> source = recordedSource(kernel);
  m_run->history().keepRecorded(
      page, {*run, placeOf(recording, kernel, *run, origin.path), source.has_value()});
  if (run->timeSource == profiler::TimeSource::Interpreter)
    return dock(QStringLiteral("run"));
  profiler::ProfileDocument profile = recordedProfile(kernel, *run, source, recording.data.created);
  // A launch block may have been written into the text.
  if (source && source->text != kernel.source)
    moveLines(profile.measurement, kernel.source, source->text);
  m_profiles->keepOpened(page, std::move(profile), origin);
  return dock(QStringLiteral("profile"));
}

void MainWindow::restoreProfile(EditorPage *page, const ProfileOrigin &origin) {
  const Result<std::optional<Recording>> read = readRecordedFile(origin.path.toStdString());
  const bool isThere = read && *read && origin.kernel >= 0 &&
                       static_cast<size_t>(origin.kernel) < (*read)->data.kernels.size();
  if (!isThere || !keepRecorded(page, **read, origin))
    m_sessionNotes << tr("The profile of %1 was not opened again: `%2` %3")
                          .arg(page->title(), QDir::toNativeSeparators(origin.path),
                               QFileInfo::exists(origin.path) ? tr("no longer holds it")
                                                              : tr("no longer exists on disk"));
}

EditorPage *MainWindow::openRecordedSource(const RecordedSource &source, const QString &path) {
  m_tabs->awaited().finish();
  const QDir folder = QFileInfo(path).dir();
  EditorPage *page = nullptr;
  for (EditorPage *open : m_tabs->pages())
    if (!page && open->editor().utf8Text() == source.text)
      page = open;
  const QString name = QFileInfo(text(source.name)).fileName();
  for (const QString &candidate : {text(source.path), folder.filePath(name)}) {
    const Result<std::string> onDisk = profiler::readTextFile(candidate.toStdString());
    if (!page && QFileInfo(candidate).isAbsolute() && onDisk && *onDisk == source.text)
      page = openFile(candidate);
  }
  const bool isNew = !page;
  if (isNew) {
    // A text beside the recording, in no file yet; nothing is undone beyond it.
    page = addPage();
    page->begin(unusedPath(folder, fileNameOf(QFileInfo(name).completeBaseName()),
                           QFileInfo(name).suffix(), m_tabs->pages()),
                source.text);
  }
  KernelChoice choice = m_compile.choice(page);
  choice.kernel = source.kernel;
  if (source.launch)
    choice.launch = source.launch;
  m_compile.prepareChoice(page, choice, page->editor().cursor());
  if (isNew)
    return showPage(page);
  m_tabs->setCurrentWidget(page);
  return page;
}

EditorPage *MainWindow::pageOfRecorded(const ReportKernel &kernel, const QString &path) {
  const DocumentPointer document = m_compile.document();
  if (currentPage() && document && document->kernel() == kernel.kernel)
    return currentPage();
  refuseFile(tr("%1 has measurements of `%2` and not its source: open the file with this "
                "kernel first, and then this one.")
                 .arg(QFileInfo(path).fileName(), text(kernel.kernel)));
  return nullptr;
}

void MainWindow::openProfile(const QString &path) {
  const std::optional<EditorPage *> opened = openRecording(path);
  if (opened) {
    if (*opened && m_profiles->shown())
      goToView(dock(QStringLiteral("profile")));
    return;
  }
  const QString name = QFileInfo(path).fileName();
  const Result<std::string> read = profiler::readTextFile(path.toStdString());
  if (!read)
    return refuseFile(tr("%1 was not opened: %2").arg(name, text(read.error().message)));
  const auto profiles = profiler::profilesFromText(*read);
  refuseFile(
      tr("%1 is %2").arg(name, profiles ? tr("not a recording") : text(profiles.error().message)));
}

} // namespace tilescope::app
