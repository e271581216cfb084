// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/history/HistoryController.h"

#include "app/commands/InterpreterRun.h"
#include "app/commands/RunLaunch.h"
#include "app/ide/history/VersionDialog.h"
#include "app/ide/run/RunHistory.h"
#include "views/history/HistoryView.h"

#include <QDialog>
#include <QFileInfo>

#include <algorithm>

namespace tilescope::app {

using views::HistoryEntry;
using views::HistoryView;

/// Versions whose stages stay in memory, of all files together.
static constexpr size_t kKeptResults = 16;
/// Larger texts are not recorded: they compile only when asked.
static constexpr size_t kMostTextBytes = size_t{256} << 10;
static constexpr int kWriteDelayMs = 2000;

HistoryController::HistoryController(CompileController *compile, QString folder, NameOf nameOf,
                                     QObject *parent)
    : QObject(parent), m_compile(compile), m_view(new HistoryView),
      m_store(folder.isEmpty() ? nullptr : std::make_shared<const HistoryStore>(std::move(folder))),
      m_nameOf(std::move(nameOf)) {
  m_thread.setMaxThreadCount(1);
  m_writeTimer.setObjectName(QStringLiteral("writing the history"));
  m_writeTimer.setSingleShot(true);
  m_writeTimer.setInterval(kWriteDelayMs);
  connect(&m_writeTimer, &QTimer::timeout, this, &HistoryController::writeInBackground);
  connect(m_compile, &CompileController::resultChanged, this, &HistoryController::recordResult);
  connect(m_compile, &CompileController::documentChanged, this, &HistoryController::follow);
  connect(m_view, &HistoryView::compareRequested, this, &HistoryController::compare);
  connect(m_view, &HistoryView::restoreRequested, this, [this](int64_t number) {
    if (const HistoryEntry *chosen = entry(number))
      Q_EMIT restoreRequested(QString::fromUtf8(chosen->text));
  });
  connect(m_view, &HistoryView::branchRequested, this, [this](int64_t number) {
    if (const HistoryEntry *chosen = entry(number))
      Q_EMIT branchRequested(QString::fromUtf8(chosen->text));
  });
  connect(m_view, &HistoryView::baselineRequested, this, &HistoryController::chooseBaseline);
  connect(m_view, &HistoryView::clearRequested, this, [this] {
    File *file = current();
    if (!file)
      return;
    file->log.clear(m_compile->document()->kernel());
    noteChanges(*file);
  });
  show();
}

HistoryController::~HistoryController() { (void)writeNow(); }

HistoryController::File &HistoryController::fileOf(const QObject *object) {
  const auto [found, isNew] = m_files.try_emplace(object);
  File &file = found->second;
  if (!isNew)
    return file;
  file.name = m_nameOf(object);
  file.isLoaded = !m_store || file.name.isEmpty();
  if (!file.isLoaded)
    m_thread.start([this, object, name = file.name, store = m_store] {
      std::vector<HistoryEntry> older = store->load(name);
      QMetaObject::invokeMethod(this, [this, object, older = std::move(older)]() mutable {
        take(object, std::move(older));
      });
    });
  return file;
}

void HistoryController::take(const QObject *object, std::vector<HistoryEntry> older) {
  const auto found = m_files.find(object);
  if (found == m_files.end() || found->second.isLoaded)
    return;
  File &file = found->second;
  file.log = HistoryLog(std::move(older));
  file.isLoaded = true;
  for (const auto &change : std::exchange(file.waiting, {}))
    change(file);
  noteChanges(file);
  if (file.numWritten == kNothingWritten)
    writeInBackground();
  show();
}

void HistoryController::record(const QObject *object, std::function<void(File &)> change) {
  File &file = fileOf(object);
  if (!file.isLoaded)
    return file.waiting.push_back(std::move(change));
  followName(object);
  change(file);
  noteChanges(file);
}

void HistoryController::followName(const QObject *object) {
  const auto found = m_files.find(object);
  if (found == m_files.end())
    return;
  File &file = found->second;
  const QString before = std::exchange(file.name, m_nameOf(object));
  if (!m_store || file.name.isEmpty() || file.name == before)
    return;
  // A file that is saved under a second name keeps its versions under the first.
  if (!before.isEmpty() && !QFileInfo(before).isAbsolute())
    m_thread.start([store = m_store, before] { (void)store->save(before, {}); });
  file.numWritten = kNothingWritten;
  if (file.isLoaded)
    writeInBackground();
}

HistoryController::File *HistoryController::current() {
  const QObject *file = m_compile->file();
  return file && m_compile->document() ? &fileOf(file) : nullptr;
}

const HistoryEntry *HistoryController::entry(int64_t number) {
  File *file = current();
  return file ? file->log.find(number) : nullptr;
}

ResultPointer HistoryController::resultOf(int64_t number) const {
  for (auto kept = m_results.rbegin(); kept != m_results.rend(); ++kept)
    if (kept->file == m_compile->file() && kept->number == number)
      return kept->result;
  return nullptr;
}

static constexpr std::string_view kVersion = "version:";

bool HistoryController::isVersion(const std::string &key) { return key.starts_with(kVersion); }

ResultPointer HistoryController::resultOf(const std::string &key) const {
  return isVersion(key) ? resultOf(std::stoll(key.substr(kVersion.size()))) : nullptr;
}

/// `version 6, 14:02:10`.
static QString titleOf(int64_t number, const HistoryEntry *entry) {
  const QString name = HistoryController::tr("version %1").arg(number);
  if (!entry)
    return name;
  const bool isToday = entry->when.date() == QDate::currentDate();
  return HistoryController::tr("%1, %2").arg(
      name, entry->when.toString(isToday ? QStringLiteral("HH:mm:ss")
                                         : QStringLiteral("yyyy-MM-dd HH:mm")));
}

static QString meaningOf(const HistoryEntry *entry) {
  const QString meaning =
      HistoryController::tr("As it was when the History view noted that version");
  return entry && entry->facts && entry->facts->registers >= 0
             ? HistoryController::tr("%1, with %2 registers")
                   .arg(meaning)
                   .arg(entry->facts->registers)
             : meaning;
}

std::vector<views::ComparisonOffer> HistoryController::offers() const {
  std::vector<views::ComparisonOffer> offers;
  const CorrelationPointer &latest = m_compile->latest();
  const auto file = m_files.find(m_compile->file());
  if (!latest || !m_compile->document() || file == m_files.end())
    return offers;
  const std::string kernel = m_compile->document()->kernel();
  for (auto kept = m_results.rbegin(); kept != m_results.rend(); ++kept) {
    if (kept->file != m_compile->file() || kept->result->kernel != kernel ||
        kept->result == latest->result())
      continue;
    const HistoryEntry *entry = file->second.log.find(kept->number);
    offers.push_back({std::string(kVersion) + std::to_string(kept->number),
                      titleOf(kept->number, entry), meaningOf(entry)});
  }
  return offers;
}

/// What decides besides the text what it compiles to.
static std::string choiceKey(int launch, const compiler::Selection &selection) {
  std::string key = std::to_string(launch) + '\n' +
                    (selection.target.empty() ? compiler::kDefaultTarget : selection.target);
  for (const auto *values : {&selection.constexprs, &selection.options}) {
    key += '\n';
    for (const auto &[name, value] : *values)
      key += name + '=' + value + ' ';
  }
  return key;
}

void HistoryController::recordResult(const CorrelationPointer &correlation, bool done) {
  const ResultPointer result = correlation ? correlation->result() : nullptr;
  if (!done || !m_compile->file() || !result || m_compile->isRestored() || result->files.empty() ||
      result->files.front().text.size() > kMostTextBytes)
    return;
  const KernelDocument &document = *m_compile->latestDocument();
  record(m_compile->file(),
         [this, object = m_compile->file(), result, when = QDateTime::currentDateTime(),
          choice = choiceKey(document.launch, document.selection())](File &changed) {
           const int64_t number = changed.log.recordCompile(*result, when, choice);
           if (number == 0)
             return;
           std::erase_if(m_results, [&](const Kept &kept) {
             return kept.file == object && kept.number == number;
           });
           m_results.push_back({object, number, result});
           if (m_results.size() > kKeptResults)
             m_results.pop_front();
           Q_EMIT versionsChanged();
         });
}

static views::VersionTime timeOf(const profiler::Measurement &measurement) {
  const profiler::TimeStats &stats = *measurement.timeUs;
  const bool isInterpreter = measurement.timeSource == profiler::TimeSource::Interpreter;
  return {stats.median, stats.spread, stats.n,
          isInterpreter ? QString() : QString::fromStdString(measurement.device.name),
          isNativeRun(measurement)};
}

void HistoryController::recordRun(const RunDocument &document, const LaunchRun &run) {
  const bool hasTime = run.measurement && run.measurement->timeUs;
  // A run that failed has no time, and is a reason not to go back to its version.
  if (!document.file || !(hasTime || !run.faults.empty()) || document.text.size() > kMostTextBytes)
    return;
  HistoryEntry entry;
  entry.when = QDateTime::currentDateTime();
  entry.kernel = run.measurement && !run.measurement->kernel.empty() ? run.measurement->kernel
                                                                     : document.kernel;
  entry.target = document.selection.target;
  entry.text = QByteArray::fromStdString(document.text);
  if (hasTime)
    entry.time = timeOf(*run.measurement);
  entry.isWrong = !run.ok();
  record(document.file,
         [entry = std::move(entry), choice = choiceKey(document.launch, document.selection)](
             File &changed) { changed.log.recordRun(entry, choice); });
}

void HistoryController::noteChanges(File &file) {
  if (std::exchange(file.numNoted, file.log.numChanges()) == file.log.numChanges())
    return;
  if (m_store && !m_writeTimer.isActive())
    m_writeTimer.start();
  show();
}

void HistoryController::writeInBackground() {
  for (auto &[object, file] : m_files) {
    if (file.name.isEmpty() ||
        std::exchange(file.numWritten, file.log.numChanges()) == file.log.numChanges())
      continue;
    m_thread.start([store = m_store, name = file.name, entries = file.log.entries()] {
      (void)store->save(name, entries);
    });
  }
}

QString HistoryController::writeNow() {
  m_writeTimer.stop();
  m_thread.waitForDone();
  QString error;
  for (auto &[object, file] : m_files) {
    if (!m_store || file.name.isEmpty() ||
        std::exchange(file.numWritten, file.log.numChanges()) == file.log.numChanges())
      continue;
    if (const QString said = m_store->save(file.name, file.log.entries()); !said.isEmpty())
      error = said;
  }
  return error;
}

void HistoryController::forget(const QObject *file) {
  (void)writeNow();
  m_files.erase(file);
  std::erase_if(m_results, [file](const Kept &kept) { return kept.file == file; });
}

/// Only texts: another choice is no typing.
void HistoryController::noteEdit() {
  const DocumentPointer &document = m_compile->document();
  const auto before =
      std::exchange(m_text, {m_compile->file(), document ? document->source : nullptr});
  if (before.first != m_text.first || !before.second || !m_text.second ||
      before.second == m_text.second || before.second->text == m_text.second->text)
    return;
  record(m_compile->file(),
         [when = QDateTime::currentDateTime(), isStep = m_isStepping](File &changed) {
           isStep ? changed.log.noteStep() : changed.log.noteEdit(when);
         });
}

void HistoryController::follow() {
  noteEdit();
  if (!m_compile->document() ||
      m_shown != std::pair(m_compile->file(), m_compile->document()->kernel()))
    show();
}

void HistoryController::show() {
  File *file = current();
  if (!file) {
    m_shown = {};
    return m_view->setEntries({}, m_whyNone);
  }
  m_shown = {m_compile->file(), m_compile->document()->kernel()};
  m_view->setEntries(
      file->log.entriesOf(m_compile->document()->kernel()),
      tr("Every version of this kernel that compiles to something else, and every run, is listed "
         "here, to compare and to go back to."));
}

ComparedVersion HistoryController::compared(const HistoryEntry &version) const {
  return {tr("version %1").arg(version.number), version, resultOf(version.number)};
}

/// As far as it is compiled.
ComparedVersion HistoryController::textOfNow(const HistoryEntry &version) const {
  ComparedVersion now{tr("the text of now"), {}, nullptr};
  now.entry.kernel = version.kernel;
  now.entry.target = version.target;
  now.entry.text = QByteArray::fromStdString(m_compile->document()->source->text);
  const ResultPointer result =
      m_compile->latest() && m_compile->isCurrent() ? m_compile->latest()->result() : nullptr;
  if (m_compile->isRunning()) {
    now.onlyText = tr("still compiling; resources and counts follow");
  } else if (result && result->ok) {
    now.result = result;
    now.entry.target = result->target;
    now.entry.facts = views::versionFacts(*result);
  } else {
    now.onlyText = tr("it does not compile, so that there are no resources and counts to compare");
  }
  return now;
}

TogetherOffer HistoryController::offerToMeasure(const ComparedVersion &before,
                                                const ComparedVersion &after) const {
  const std::optional<LaunchRequest> launch = m_launch();
  if (!launch)
    return {std::nullopt,
            tr("There is no GPU to measure on. It takes an NVIDIA GPU with its driver, on this "
               "machine or on another one: choose \"Over ssh…\" in the Run view.")};
  TogetherRequest request{{before.title, after.title},
                          {launch->input, launch->input},
                          launch->selection,
                          launch->place};
  request.inputs[0].text = before.entry.text.toStdString();
  request.inputs[1].text = after.entry.text.toStdString();
  return {std::move(request)};
}

void HistoryController::compare(int64_t older, int64_t newer) {
  const HistoryEntry *after = entry(newer);
  if (!after)
    return;
  const auto open = [&](const ComparedVersion &first, const ComparedVersion &second) {
    const VersionWindow window =
        showVersions(m_view->window(), first, second,
                     {m_together, [this, first, second] { return offerToMeasure(first, second); }});
    connect(window.dialog, &QDialog::finished, this, &HistoryController::comparisonClosed);
    return window;
  };
  const HistoryEntry *before = entry(older);
  // The text of now is no other one: the version before it is.
  if (!before && textOfNow(*after).entry.text == after->text)
    before = current()->log.before(*after);
  if (before) {
    open(compared(*before), compared(*after));
    return;
  }
  const VersionWindow window = open(compared(*after), textOfNow(*after));
  if (!m_compile->isRunning())
    return;
  connect(m_compile, &CompileController::resultChanged, window.dialog,
          [this, window, version = compared(*after),
           file = m_compile->file()](const CorrelationPointer &, bool done) {
            if (!done || m_compile->file() != file || m_compile->isRunning())
              return;
            window.show(version, textOfNow(version.entry));
            // Later compiles are of other texts.
            disconnect(m_compile, nullptr, window.dialog, nullptr);
          });
}

void HistoryController::chooseBaseline(int64_t number) {
  File *file = current();
  if (!file || !file->log.find(number))
    return;
  file->log.setBaseline(number);
  noteChanges(*file);
  Q_EMIT baselineChosen(resultOf(number), number);
}

} // namespace tilescope::app
