// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/RunController.h"

#include "app/ide/run/RunForm.h"
#include "app/ide/run/RunHistory.h"
#include "app/ide/run/WhyNotRun.h"
#include "app/launch/ResolveLaunch.h"
#include "app/launch/SuggestedBlock.h"
#include "profiler/package/LaunchBlock.h"
#include "views/common/CountedText.h"
#include "views/console/ConsoleView.h"
#include "views/run/RunView.h"

#include <QFileInfo>
#include <QLocale>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilescope::app {

static QString text(const std::string &value) { return QString::fromStdString(value); }

RunController::RunController(RunBackend *backend, CompileController *compile, QWidget *window)
    : QObject(window), m_backend(backend), m_compile(compile), m_view(new views::RunView(window)),
      m_console(new views::ConsoleView(window)),
      m_history(new RunHistory(backend, m_view, m_console, this)) {
  connect(&m_view->form(), &views::RunFormView::fieldEdited, this, &RunController::editField);
  connect(&m_view->form(), &views::RunFormView::createBlockRequested, this,
          &RunController::writeSuggestedBlock);
  connect(&m_view->results(), &views::ResultsView::placeRequested, this,
          &RunController::placeRequested);
  connect(m_console, &views::ConsoleView::placeRequested, this, &RunController::placeRequested);
  connect(&m_view->form(), &views::RunFormView::launchChosen, this, [this](int index) {
    if (m_document && index >= 0)
      m_compile->setChoice(chooseLaunch(*m_document, index));
  });
  connect(m_backend, &RunBackend::reported, this, &RunController::endReport);
  connect(m_backend, &RunBackend::reporting, this, &RunController::tellReport);
  connect(m_history, &RunHistory::runningChanged, this, &RunController::busyChanged);
  connect(m_compile, &CompileController::configurationLost, this, [this] {
    m_view->setStatus(tr("The configuration that was chosen is no longer listed: the kernel is "
                         "compiled as launched."),
                      false);
  });
  connect(m_compile, &CompileController::resultChanged, this, &RunController::writeWantedBlock);
  connectPlaces();
}

void RunController::run() { runAt(m_places[m_place]); }

void RunController::runOnCpu() { runAt(m_places.front()); }

void RunController::cancel() {
  if (m_reportPath.isEmpty())
    m_history->cancel();
  else
    m_backend->cancel();
}

QString RunController::busyText() const {
  return m_reportPath.isEmpty()
             ? tr("A run is in progress: Shift+F5 stops it")
             : tr("The report %1 is being written, and what it shows is run for it: Shift+F5 gives "
                  "it up")
                   .arg(QFileInfo(m_reportPath).fileName());
}

bool RunController::canRun() const { return m_reportPath.isEmpty() && m_history->canStart(); }

bool RunController::isBusy() const { return m_history->isRunning() || !m_reportPath.isEmpty(); }

/// Of what the document says now.
static InputFile inputOf(const KernelSource &source) {
  return {source.name(), source.text, source.entry, source.facts};
}

void RunController::exportReport(const QString &path,
                                 std::optional<profiler::ProfileDocument> profile) {
  m_view->form().commitEdits();
  if (!m_document || isBusy())
    return;
  m_reportPath = path;
  Q_EMIT busyChanged(true);
  const Place &place = m_places[m_place];
  ReportRequest request{inputOf(*m_document->source), m_document->selection(), place.place,
                        path.toStdString(), std::move(profile)};
  m_reportRuns.invalidate();
  if (place.place.kind != RunPlace::Kind::Cpu)
    request.selection.target = place.target;
  m_backend->report(request);
}

/// `about 3 minutes`
static QString roughTime(double seconds) {
  const auto rounded = [](double value) {
    return QString::number(std::max(1L, std::lround(value)));
  };
  constexpr double kMinute = 60, kHour = 3600;
  if (seconds < kMinute)
    return RunController::tr("about %1")
        .arg(views::countedText(rounded(seconds), RunController::tr("second")));
  return seconds < kHour
             ? RunController::tr("about %1")
                   .arg(views::countedText(rounded(seconds / kMinute), RunController::tr("minute")))
             : RunController::tr("about %1")
                   .arg(views::countedText(rounded(seconds / kHour), RunController::tr("hour")));
}

void RunController::tellReport(const QString &part, quint64 done, quint64 total) {
  if (m_reportPath.isEmpty())
    return;
  if (!part.isEmpty())
    return Q_EMIT reportProgressed(part);
  if (!m_reportRuns.isValid())
    m_reportRuns.start();
  const QLocale english(QLocale::English);
  QString state = tr("program %1 of %2").arg(english.toString(done), english.toString(total));
  // The first programs say little about the others.
  constexpr int kSoonMs = 1500;
  if (const double ms = static_cast<double>(m_reportRuns.elapsed());
      ms > kSoonMs && done > 0 && done < total)
    state += tr(", %1 more")
                 .arg(roughTime(ms / 1000 * static_cast<double>(total - done) /
                                static_cast<double>(done)));
  Q_EMIT reportProgressed(state);
}

void RunController::endReport(const Status &status) {
  const QString path = std::exchange(m_reportPath, {});
  Q_EMIT busyChanged(false);
  QString said;
  if (!status) {
    const Error &error = status.error();
    said = error.code == ErrorCode::Cancelled ? tr("it was stopped.") : text(error.message);
    if (!error.hint.empty())
      said += QStringLiteral(" — ") + text(error.hint);
  }
  Q_EMIT reportEnded(path, said);
}

LaunchRequest RunController::requestAt(const Place &place) const {
  LaunchRequest request;
  request.input = inputOf(*m_document->source);
  request.selection = m_document->selection();
  request.place = place.place;
  request.executor = m_executor == views::RunExecutor::Native ? compiler::CpuExecutor::Native
                                                              : compiler::CpuExecutor::Interpreter;
  request.explainsExecutor = true;
  // The run asks for a target that is not known yet.
  if (place.place.kind != RunPlace::Kind::Cpu)
    request.selection.target = place.target;
  return request;
}

std::optional<LaunchRequest> RunController::request() const {
  return m_document ? std::optional(requestAt(m_places[m_place])) : std::nullopt;
}

std::optional<LaunchRequest> RunController::gpuRequest() const {
  const Place *place = profiledPlace();
  return m_document && place ? std::optional(requestAt(*place)) : std::nullopt;
}

void RunController::runAt(const Place &place) {
  // The values in the form are those that run.
  m_view->form().commitEdits();
  if (!m_document || !canRun())
    return;
  Q_EMIT runWanted();
  if (lacksLaunchOnly(*m_document, place.place, *m_compile))
    return runWithGuesses(place);
  if (!guessAgain(place))
    startAt(place);
}

void RunController::startAt(const Place &place) {
  const KernelSource &source = *m_document->source;
  if (const QString why = whyNotRun(*m_document, place.place, *m_compile); !why.isEmpty())
    return m_view->setStatus(why, true);
  if (!source.syntaxErrors.empty())
    return m_history->refuse(place.place, source.syntaxErrors);
  LaunchRequest request = requestAt(place);
  // Kernel files and TTIR run in the interpreter too.
  request.compare = source.entry <= compiler::StageId::Ttir;
  m_history->start(std::move(request));
}

const RunController::Place *RunController::profiledPlace() const {
  const auto isGpu = [](const Place &place) { return place.place.kind != RunPlace::Kind::Cpu; };
  const auto first = std::ranges::find_if(m_places, isGpu);
  return isGpu(m_places[m_place])  ? &m_places[m_place]
         : first != m_places.end() ? &*first
                                   : nullptr;
}

QString RunController::whyNotProfiled(const profiler::ProfileWishes &wishes) const {
  if (!m_document)
    return wishes.trace ? tr("There is no kernel to trace: open a file with one first.")
                        : tr("There is no kernel to profile: open a file with one first.");
  const Place *place = profiledPlace();
  if (!place)
    return (wishes.trace ? tr("There is no GPU to record a trace on.")
                         : tr("There is no GPU to profile on.")) +
           tr(" It takes an NVIDIA GPU with its driver, on this machine or on another one: choose "
              "\"Over ssh…\" in the Run view. ") +
           (wishes.trace
                ? tr("A profile with a trace that was made elsewhere, by `tilescope "
                     "profile --trace --json`, is opened by File, Open profile.")
                : tr("A profile that was made elsewhere, by `tilescope profile --json`, is "
                     "opened by File, Open profile."));
  if (const QString why = whyNotRun(*m_document, place->place, *m_compile); !why.isEmpty())
    return why;
  if (const auto &errors = m_document->source->syntaxErrors; !errors.empty())
    return (wishes.trace ? tr("Not traced: the text has a syntax error in line %1.")
                         : tr("Not profiled: the text has a syntax error in line %1."))
        .arg(errors.front().range.begin.line + 1);
  return {};
}

void RunController::profile(const profiler::ProfileWishes &wishes) {
  m_view->form().commitEdits();
  if (isBusy())
    return;
  if (const QString why = whyNotProfiled(wishes); !why.isEmpty())
    return Q_EMIT profileRefused(why);
  LaunchRequest request = requestAt(*profiledPlace());
  request.isProfile = true;
  request.profile = wishes;
  m_history->start(std::move(request));
}

/// What runs are of, and what decides whether their results still hold.
void RunController::updateHistory() {
  if (!m_document)
    return m_history->setDocument({});
  const std::string kernel = m_document->kernel();
  // However they were chosen: by the cursor, in the tool bar, or as the first of the file.
  compiler::Selection selection = m_document->selection();
  selection.kernel.clear();
  selection.launch.clear();
  // What of them is imported counts, as the compile has read it.
  selection.openTexts.clear();
  std::vector<compiler::SourceFile> imports;
  if (m_result && m_result->files.size() > 1)
    imports.assign(m_result->files.begin() + 1, m_result->files.end());
  std::erase_if(imports, [](const compiler::SourceFile &file) {
    return file.path.starts_with("<tilescope>/");
  });
  // Chosen or not, it is the same target; a document in IR may state another one.
  if (selection.target.empty() && m_document->source->entry == compiler::StageId::Ast)
    selection.target = compiler::kDefaultTarget;
  m_history->setDocument(
      {m_compile->file(), text(m_document->source->path), m_document->source->text,
       kernel.empty() && m_result ? m_result->kernel : kernel, m_document->launch,
       std::move(selection), std::move(imports), text(m_document->source->title)});
}

void RunController::setDocument(DocumentPointer document) {
  // A file that is saved under another name is the same one.
  const bool isSameFile = std::exchange(m_file, m_compile->file()) == m_compile->file();
  const bool isSameKernel = document && m_document && isSameFile &&
                            document->kernel() == m_document->kernel() &&
                            document->launch == m_document->launch;
  // The target or the like is another one: what waits for the compile goes on waiting.
  const bool isSameText = document && m_document && isSameFile && document->launch < 0 &&
                          document->source->text == m_document->source->text;
  // Assumptions about one kernel say nothing about another.
  if (!isSameKernel) {
    m_result.reset();
    m_isBlockWanted = m_isBlockWanted && isSameText;
  }
  // What it has printed goes by its new name, too.
  if (isSameFile && document && m_document && m_document->source->path.empty() &&
      !document->source->path.empty())
    m_console->model().followName(m_document->source->name(), document->source->path);
  if (isSameFile && m_runWanted && document && document->launch >= 0)
    QTimer::singleShot(0, this,
                       [this, place = *std::exchange(m_runWanted, std::nullopt)] { runAt(place); });
  else if (!isSameText)
    giveUpWaiting(document.get(), isSameFile);
  m_document = std::move(document);
  updateForm();
  updateHistory();
}

void RunController::giveUpWaiting(const KernelDocument *next, bool isSameFile) {
  const bool isSameText =
      next && m_guessedFor && isSameFile && next->source->text == m_guessedFor->source->text;
  const bool isWaiting = m_runWanted || (m_guessedFor && !isSameText);
  if (!isSameText)
    m_guessedFor.reset();
  m_runWanted.reset();
  if (!isWaiting || !m_document)
    return;
  const QString why =
      isSameFile
          ? tr("Not run: the text was changed before its launch block was written. Press F5 again.")
          : tr("Not run: %1 was left before its launch block was written. Go back to it and press "
               "F5 again.")
                .arg(QFileInfo(text(m_document->source->name())).fileName());
  // The Run view may show another file by now.
  Q_EMIT remarked(why);
  m_history->noteLost(m_history->document().file, why);
}

void RunController::setResult(ResultPointer result) {
  // What is known of the kernel holds until the text parses again.
  const bool isRead = !m_document || m_document->source->syntaxErrors.empty();
  if (isRead || !m_result)
    m_result = std::move(result);
  updateForm();
  updateHistory();
  writeWantedBlock();
}

void RunController::clear(const QString &why) {
  giveUpWaiting(nullptr, false);
  m_isBlockWanted = false;
  m_document.reset();
  m_result.reset();
  m_view->form().setForm({});
  updateHistory();
  m_view->setStatus(why, false);
}

void RunController::updateForm() {
  if (!m_document)
    return m_view->form().setForm({});
  const KernelSource &source = *m_document->source;
  views::RunForm form = runForm(
      source.launches, {m_document->launch, m_result.get(), m_compile->launchDiagnostics(),
                        m_document->choice, findKernel(source.kernels, m_document->kernel())});
  form.cannotRun = whyNotAt(*m_document, m_places[m_place].place);
  if (!form.cannotRun.isEmpty() && form.problem.isEmpty())
    form.problem = form.cannotRun;
  m_view->form().setForm(form);
}

/// The assumptions become the launch block that says otherwise. The options of a document in IR are
/// not part of a launch: they are chosen for the compile.
void RunController::editAssumption(const QString &table, const QString &name,
                                   const std::string &value) {
  if (!m_document)
    return;
  if (m_document->source->entry == compiler::StageId::Ast) {
    if (m_result && !value.empty())
      writeBlock(editedBlock(*m_result, table.toStdString(), name.toStdString(), value), false);
    else
      updateForm();
    return;
  }
  KernelChoice choice = m_document->choice;
  if (value.empty())
    choice.options.erase(name.toStdString());
  else
    choice.options[name.toStdString()] = value;
  m_compile->setChoice(choice);
}

void RunController::editField(const QStringList &path, const QString &value) {
  if (!m_document)
    return;
  if (path.front() == u"assumed")
    return editAssumption(path[1], path[2], value.trimmed().toStdString());
  const Result<std::string> edited = profiler::editLaunchBlock(
      m_document->source->text, static_cast<size_t>(m_document->launch), editsFor(path, value));
  if (!edited) {
    m_view->setStatus(text(edited.error().message), true);
    return;
  }
  Q_EMIT sourceEdited(text(*edited));
}

} // namespace tilescope::app
