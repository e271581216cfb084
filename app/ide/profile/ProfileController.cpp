// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/profile/ProfileController.h"

#include "app/commands/RunPlace.h"
#include "app/ide/run/Outdated.h"
#include "views/profile/ProfileView.h"

#include <QFileInfo>

#include <utility>

namespace tilescope::app {

using views::ProfileContent;

static QString text(const std::string &value) { return QString::fromStdString(value); }

/// Why a profile says nothing of the document; empty: it does.
static QString outdatedProfile(RunDocument then, RunDocument now,
                               const std::vector<compiler::SourceFile> &files) {
  for (RunDocument *document : {&then, &now})
    if (document->selection.target.empty())
      document->selection.target = compiler::kDefaultTarget;
  const std::string measured = std::exchange(then.selection.target, now.selection.target);
  const QString reason = outdatedReason(then, now, files);
  return reason.isEmpty() && measured != now.selection.target
             ? ProfileController::tr("it was measured on a GPU of %1, and %2 is chosen")
                   .arg(text(measured), text(now.selection.target))
             : reason;
}

ProfileController::ProfileController(RunController *run, QWidget *window)
    : QObject(window), m_run(run), m_view(new views::ProfileView(window)) {
  RunHistory &history = run->history();
  connect(&history, &RunHistory::documentChanged, this, &ProfileController::update);
  connect(&history, &RunHistory::profileProgressed, m_view, &views::ProfileView::setProgress);
  connect(&history, &RunHistory::profileEnded, this, &ProfileController::take);
  connect(run, &RunController::profileRefused, m_view, &views::ProfileView::setFailure);
  update();
}

void ProfileController::profile() {
  m_view->setFailure({});
  m_run->profile(m_wishes);
}

void ProfileController::take(const RunDocument &document, const views::RunStamp &stamp,
                             const LaunchRunPointer &run) {
  m_view->setProgress({});
  if (!run->measurement) {
    const Error &error = run->measurement.error();
    if (error.code == ErrorCode::Cancelled)
      return m_view->setFailure(tr("The profile was stopped."));
    QString why = error.message.empty() ? tr("the launch has errors, which Problems lists")
                                        : text(error.message);
    if (!error.hint.empty())
      why += QStringLiteral(" — ") + text(error.hint);
    return m_view->setFailure(tr("The profile failed: %1").arg(why));
  }
  // Its file may be closed by now.
  if (!document.file)
    return;
  auto content = std::make_shared<ProfileContent>();
  content->profile.measurement = *run->measurement;
  content->profile.sourcePath = document.path.toStdString();
  content->profile.sourceText = document.text;
  content->profile.machineCode = run->machineCode;
  content->profile.measuredAt = profiler::utcNow();
  content->place = stamp.place;
  content->time = stamp.time;
  m_entries[document.file] = {document, run->files, std::move(content)};
  update();
}

void ProfileController::keepOpened(const QObject *file, profiler::ProfileDocument profile,
                                   const ProfileOrigin &origin) {
  auto content = std::make_shared<ProfileContent>();
  content->place = tr("opened from %1").arg(QFileInfo(origin.path).fileName());
  content->time = QDateTime::fromString(text(profile.measuredAt), Qt::ISODate);
  content->profile = std::move(profile);
  Entry entry;
  entry.isComplete = false;
  entry.isOfOtherText = content->profile.sourceText.empty();
  entry.origin = origin;
  entry.content = std::move(content);
  if (file == m_run->history().document().file)
    m_view->setFailure({});
  m_entries[file] = std::move(entry);
  update();
}

std::optional<ProfileOrigin> ProfileController::origin(const QObject *file) const {
  const auto entry = m_entries.find(file);
  return entry == m_entries.end() ? std::nullopt : entry->second.origin;
}

QString ProfileController::whyOutdated(Entry &entry, const RunDocument &now) const {
  const profiler::ProfileDocument &profile = entry.content->profile;
  if (!entry.isComplete) {
    entry.document = now;
    entry.document.text = profile.sourceText;
    entry.document.kernel = profile.measurement.kernel;
    // Machine code of another GPU, and what is above it, has other costs. A document in IR says
    // itself what it is for.
    const QString &path = entry.document.path;
    if (profile.measurement.device.computeMajor > 0 && (path.isEmpty() || path.endsWith(u".py")))
      entry.document.selection.target = targetOf(profile.measurement.device);
    entry.isComplete = now.kernel == profile.measurement.kernel;
  }
  return entry.isOfOtherText && entry.isComplete && now.kernel == entry.document.kernel
             ? RunHistory::unknownTextReason()
             : outdatedProfile(entry.document, now, entry.files);
}

void ProfileController::forget(const QObject *file) {
  if (m_entries.erase(file) > 0)
    update();
}

views::ProfileContentPointer ProfileController::shown() const {
  const auto entry = m_entries.find(m_run->history().document().file);
  return entry == m_entries.end() ? nullptr : entry->second.content;
}

void ProfileController::setPrediction(const QString &words, const std::string &text,
                                      const std::string &kernel) {
  m_prediction = words;
  m_predictedText = text;
  m_predictedKernel = kernel;
  update();
}

QString ProfileController::whyEmpty() const {
  const RunDocument &now = m_run->history().document();
  const std::string &kernel = now.kernel;
  // A prediction of an earlier text says nothing of this one.
  if (!kernel.empty() && !m_prediction.isEmpty() && kernel == m_predictedKernel &&
      now.text == m_predictedText)
    return tr("`%1` has not been profiled yet. Static estimate: %2.")
        .arg(text(kernel), m_prediction);
  return kernel.empty()
             ? tr("Nothing has been profiled yet. A profile says how long a kernel takes on "
                  "a GPU, and why.")
             : tr("`%1` has not been profiled yet. A profile says how long it takes on a "
                  "GPU, and why.")
                   .arg(text(kernel));
}

void ProfileController::update() {
  const RunDocument &now = m_run->history().document();
  // What went wrong is said of the file and the kernel that it went wrong for.
  if (std::exchange(m_subject, {now.file, now.kernel}) != std::pair(now.file, now.kernel))
    m_view->setFailure({});
  const auto entry = m_entries.find(now.file);
  const views::ProfileContentPointer before = m_view->content();
  const QString outdatedBefore = m_outdated;
  if (entry == m_entries.end()) {
    m_outdated.clear();
    m_view->clear(whyEmpty());
  } else {
    m_outdated = whyOutdated(entry->second, now);
    m_view->setContent(entry->second.content);
    m_view->setOutdated(m_outdated);
  }
  if (m_view->content() != before || m_outdated != outdatedBefore)
    Q_EMIT shownChanged();
}

} // namespace tilescope::app
