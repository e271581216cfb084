// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/RunHistory.h"

#include "app/ide/run/MovedFindings.h"
#include "app/ide/run/Outdated.h"
#include "app/ide/run/RunOutcome.h"
#include "compiler/artifacts/RunDiagnostics.h"
#include "views/common/CountedText.h"
#include "views/console/ConsoleView.h"
#include "views/run/ResultsView.h"
#include "views/run/RunView.h"

#include <QLocale>

#include <algorithm>
#include <functional>

namespace tilescope::app {

using compiler::Diagnostic;
using compiler::Severity;
using views::ConsoleLine;
using views::RunResults;

static QString text(const std::string &value) { return QString::fromStdString(value); }

static QString placeName(const RunPlace &place) {
  switch (place.kind) {
  case RunPlace::Kind::Cpu:
    return RunHistory::tr("CPU");
  case RunPlace::Kind::Cuda:
    return RunHistory::tr("GPU %1").arg(place.device);
  case RunPlace::Kind::Ssh:
    return RunHistory::tr("%1 over ssh").arg(text(place.host));
  }
  return {};
}

RunHistory::RunHistory(RunBackend *backend, views::RunView *view, views::ConsoleView *console,
                       QObject *parent)
    : QObject(parent), m_backend(backend), m_view(view), m_console(console) {
  connect(m_backend, &RunBackend::progressed, this, &RunHistory::showProgress);
  connect(m_backend, &RunBackend::checking, this, &RunHistory::showChecking);
  connect(m_backend, &RunBackend::stepped, this, &RunHistory::showStep);
  connect(m_backend, &RunBackend::finished, this, [this](const LaunchRunPointer &run) {
    take(run);
    beginNext();
  });
  connect(&m_view->results(), &views::ResultsView::otherRequested, this, &RunHistory::showOther);
  connect(&m_references, &ReferenceWatch::changed, this, [this] {
    show();
    Q_EMIT findingsChanged();
  });
  connect(m_backend, &RunBackend::printed, this,
          [this](const QString &line) { m_console->append({{ConsoleLine::Kind::Print, line}}); });
}

RunHistory::Origin RunHistory::originOf(const RunPlace &place) const {
  return {m_document,
          {m_document.path, text(m_document.kernel), placeName(place), QDateTime::currentDateTime(),
           m_document.untitledName},
          nullptr,
          false,
          false,
          false,
          place};
}

void RunHistory::refuse(const RunPlace &place, std::vector<Diagnostic> syntaxErrors) {
  if (!canStart() || syntaxErrors.empty())
    return;
  Origin origin = originOf(place);
  auto results = std::make_shared<RunResults>();
  results->stamp = origin.stamp;
  results->hasRun = false;
  results->status = tr("Not run: the text has a syntax error in line %1.")
                        .arg(syntaxErrors.front().range.begin.line + 1);
  results->findings = std::move(syntaxErrors);
  results->files = {{origin.stamp.fileName().toStdString(), m_document.text}};
  if (!origin.stamp.path.isEmpty())
    results->files.front().path = origin.stamp.path.toStdString();
  enter(std::move(origin), std::move(results));
}

/// For a text in which other parts have their values already.
static QString subjectMark() { return QStringLiteral("%1"); }

void RunHistory::tell(const QString &state) {
  m_state = state;
  showState();
  if (m_running && m_running->isProfile)
    Q_EMIT profileProgressed(QString(state).replace(subjectMark(), m_running->stamp.kernel));
}

bool RunHistory::runsElsewhere() const {
  return m_running && m_running->document.file != m_document.file;
}

void RunHistory::showState() {
  QString state = m_state;
  if (!runsElsewhere())
    return m_view->setStatus(state.replace(subjectMark(), m_running->stamp.kernel) + waitingText(),
                             false);
  const views::RunStamp &stamp = m_running->stamp;
  state.replace(subjectMark(), tr("%1 of %2").arg(stamp.kernel, stamp.fileName()));
  m_view->results().setElsewhere(state);
}

void RunHistory::showStep(const QString &part, int done, int total) {
  if (!m_running || m_isCancelled)
    return;
  if (part == u"copy")
    return tell(tr("Copying the runner to %1: %2 %").arg(m_running->stamp.place).arg(done));
  const QString what = part == u"counters"  ? tr("counters, pass %1 of %2")
                       : part == u"samples" ? tr("samples, launch %1 of %2")
                                            : tr("times, run %1 of at most %2");
  tell(tr("Profiling %1: %2").arg(subjectMark(), what.arg(done).arg(total)));
  m_view->results().setProgress(static_cast<quint64>(done), static_cast<quint64>(total));
}

void RunHistory::showProgress(quint64 done, quint64 total) {
  m_view->results().setProgress(done, total);
  if (!m_running || m_isCancelled || total == 0)
    return;
  const QLocale english(QLocale::English);
  tell(tr("Running %1: %2 of %3")
           .arg(subjectMark(), english.toString(done),
                views::countedText(english.toString(total), tr("program"))));
}

void RunHistory::showChecking() {
  if (m_running && !m_isCancelled)
    tell(tr("Checking %1 against `expected`…"));
}

void RunHistory::cancel() {
  if (!m_running || std::exchange(m_isCancelled, true))
    return;
  tell(runsElsewhere() ? tr("Stopping %1…") : tr("Stopping…"));
  m_backend->cancel();
}

void RunHistory::take(const LaunchRunPointer &run) {
  if (!m_running)
    return;
  const Origin origin = *std::exchange(m_running, std::nullopt);
  m_view->setRunning(false);
  Q_EMIT runningChanged(false);
  if (origin.isProfile)
    Q_EMIT profileEnded(origin.document, origin.stamp, run);
  const bool wasStopped =
      !run->measurement && run->measurement.error().code == ErrorCode::Cancelled;
  if (wasStopped) {
    if (origin.document.file)
      m_stopped.insert(origin.document.file);
    show();
    // Over the results of an earlier run, too, but not over those of another file or kernel.
    if (origin.document.file != m_document.file)
      Q_EMIT endedElsewhere(tr("The run of %1 was stopped").arg(origin.stamp.fileName()));
    else if (origin.document.kernel == m_document.kernel)
      m_view->setStatus(stoppedText(), false);
    m_console->append({{ConsoleLine::Kind::Note, tr("Stopped.")}});
    Q_EMIT finished();
    return;
  }
  const views::RunResultsPointer results = resultsOf(*run, origin.stamp, origin.folder);
  m_console->append(consoleLines(*run, *results));
  // Its file may be closed by now.
  if (!origin.document.file) {
    show();
    Q_EMIT endedElsewhere(
        tr("The run of %1 has ended. Its file was closed: the console has what it said")
            .arg(origin.stamp.fileName()));
    return Q_EMIT finished();
  }
  if (origin.document.file != m_document.file)
    Q_EMIT endedElsewhere(tr("The run of %1 has ended: its results are shown with that file")
                              .arg(origin.stamp.fileName()));
  enter(origin, results, run->references);
  Q_EMIT measured(origin.document, run, origin.place);
  Q_EMIT finished();
}

/// Of a run in the text that it was of.
static std::vector<Diagnostic> findingsOf(const RunResults &results) {
  std::vector<Diagnostic> findings = results.findings;
  findings.insert(findings.end(), results.outputFaults.begin(), results.outputFaults.end());
  return findings;
}

void RunHistory::enter(Origin origin, views::RunResultsPointer results,
                       std::vector<ReferenceFile> references) {
  const std::string then = origin.document.text;
  const QObject *file = origin.document.file;
  m_lost.erase(file);
  if (results->hasRun && !origin.isRecorded)
    noteRun(file, results->stamp);
  // Recorded results are compared with no files.
  if (!origin.isRecorded) {
    m_others.erase(file);
    m_references.setFiles(file, std::move(references));
  }
  m_entries[file] = {std::move(origin), results, findingsOf(*results), then};
  moveFindings();
  // What was recorded elsewhere has no outputs on the disk.
  const QDateTime now = QDateTime::currentDateTime();
  if (m_entries.size() > kKeptEntries) {
    const auto oldest = std::ranges::min_element(m_entries, {}, [&](const auto &entry) {
      return entry.second.origin.isRecorded ? now : entry.second.results->stamp.time;
    });
    noteDropped(oldest->first);
    m_entries.erase(oldest);
  }
  show();
  if (file == m_document.file)
    m_view->revealResults();
  Q_EMIT findingsChanged();
}

QString RunHistory::unknownTextReason() {
  return tr("the recording does not hold the text and the sizes that were measured, which may be "
            "others");
}

QString RunHistory::otherInput(const Entry &entry) const {
  const QString text = otherText(entry.origin.document, m_document, entry.results->files);
  return text.isEmpty() ? m_references.whatChanged(m_document.file) : text;
}

QString RunHistory::whyOutdated(const Entry &entry) const {
  const RunDocument &then = entry.origin.document;
  if (entry.origin.isOfOtherText)
    return unknownTextReason();
  if (entry.origin.isRecorded && then.kernel == m_document.kernel)
    return otherText(then, m_document, entry.results->files);
  const QString reason = outdatedReason(then, m_document, entry.results->files);
  return reason.isEmpty() ? m_references.whatChanged(m_document.file) : reason;
}

QString RunHistory::stoppedText() const {
  const auto before = m_entries.find(m_document.file);
  return before != m_entries.end() && before->second.origin.document.kernel == m_document.kernel
             ? tr("Stopped. Below is the run before.")
             : tr("Stopped.");
}

void RunHistory::show() {
  const auto entry = m_entries.find(m_document.file);
  if (entry != m_entries.end() && entry->second.results->stamp.path != m_document.path) {
    // Saved under another name, it is still the same text.
    auto renamed = std::make_shared<RunResults>(*entry->second.results);
    renamed->stamp.path = m_document.path;
    entry->second.results = std::move(renamed);
  }
  // What another kernel computed would read like what the run under way has found.
  const bool runsHere = m_running && !runsElsewhere();
  const bool isHidden =
      entry == m_entries.end() ||
      (runsHere && m_running->document.kernel != entry->second.origin.document.kernel);
  m_view->results().setResults(isHidden ? nullptr : entry->second.results);
  if (!isHidden)
    m_view->results().setOutdated(whyOutdated(entry->second));
  m_view->results().setIsEarlier(runsHere);
  m_view->results().setElsewhere({});
  if (m_running)
    showState();
  if (runsHere)
    return;
  if (const auto lost = m_lost.find(m_document.file); lost != m_lost.end() && isHidden)
    m_view->setStatus(lost->second, false);
  if (m_stopped.contains(m_document.file))
    m_view->setStatus(stoppedText(), false);
  if (m_running && isNext())
    m_view->setStatus(waitingText(), false);
}

void RunHistory::setDocument(const RunDocument &document) {
  if (document == m_document)
    return;
  m_document = document;
  moveFindings();
  takeRecorded();
  show();
  Q_EMIT documentChanged(m_document);
  if (!m_entries.empty())
    Q_EMIT findingsChanged();
}

void RunHistory::moveFindings() {
  const auto found = m_entries.find(m_document.file);
  if (found == m_entries.end())
    return;
  Entry &entry = found->second;
  entry.findings = m_document.text == entry.origin.document.text
                       ? findingsOf(*entry.results)
                       : movedFindings(std::move(entry.findings), entry.text, m_document.text);
  entry.text = m_document.text;
}

void RunHistory::forget(const QObject *file) {
  if (m_running && m_running->document.file == file)
    m_running->document.file = nullptr;
  if (m_next && m_next->origin.document.file == file)
    m_next.reset();
  m_stopped.erase(file);
  m_lost.erase(file);
  m_lastRuns.erase(file);
  m_recorded.erase(file);
  m_others.erase(file);
  m_references.setFiles(file, {});
  if (m_entries.erase(file) > 0)
    show();
}

/// The range's file by its path among others, to which it is added when it is missing.
static uint32_t indexIn(std::vector<compiler::SourceFile> &files,
                        const compiler::SourceFile &wanted) {
  auto found = std::ranges::find(files, wanted.path, &compiler::SourceFile::path);
  if (found == files.end())
    found = files.insert(files.end(), wanted);
  return static_cast<uint32_t>(found - files.begin());
}

std::vector<Diagnostic> RunHistory::findings(std::vector<compiler::SourceFile> &files) const {
  const auto entry = m_entries.find(m_document.file);
  if (entry == m_entries.end())
    return {};
  const RunDocument &then = entry->second.origin.document;
  if (!otherChoice(then, m_document).isEmpty())
    return {};
  const RunResults &results = *entry->second.results;
  const bool isEdited = !otherInput(entry->second).isEmpty();
  std::vector<Diagnostic> findings = entry->second.findings;
  if (isEdited) {
    std::erase_if(findings, std::not_fn(compiler::isOfRun));
    for (Diagnostic &finding : findings) {
      finding.message = tr("outdated: %1").arg(text(finding.message)).toStdString();
      if (finding.severity == Severity::Error)
        finding.severity = Severity::Warning;
    }
  }
  const auto move = [&](SourceRange &range) {
    // The document itself is the first file of both.
    if (range.file > 0 && range.file < results.files.size())
      range.file = indexIn(files, results.files[range.file]);
  };
  for (Diagnostic &finding : findings) {
    move(finding.range);
    for (compiler::DiagnosticLabel &label : finding.labels)
      move(label.range);
  }
  return findings;
}

} // namespace tilescope::app
