// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/step/StepController.h"

#include "app/ide/step/ProposedCondition.h"
#include "compiler/support/Text.h"
#include "views/editor/KernelEditor.h"
#include "views/stages/StageColumn.h"
#include "views/step/StepView.h"

#include <QLocale>

#include <set>
#include <utility>

namespace tilescope::app {

using compiler::StageId;
using compiler::StepAction;
using compiler::StepBreakpoint;
using compiler::StepCommand;
using views::StepView;

/// What takes no longer is done before the user could have seen that it is under way.
static constexpr int kBusyDelayMs = 120;

StepController::StepController(StepBackend *backend, CompileController *compile, QWidget *window)
    : QObject(window), m_backend(backend), m_compile(compile), m_view(new StepView(window)) {
  m_busyTimer.setSingleShot(true);
  m_busyTimer.setInterval(kBusyDelayMs);
  connect(&m_busyTimer, &QTimer::timeout, this, [this] { m_view->setBusy(true); });
  connect(m_backend, &StepBackend::stepped, this, &StepController::take);
  connect(m_backend, &StepBackend::progressed, this, [this](quint64 done, quint64 total) {
    const QLocale english(QLocale::English);
    m_view->setBusy(true, total > 0 ? tr("Running the other programs: %1 of %2")
                                          .arg(english.toString(done), english.toString(total))
                                    : tr("Running: %1 operations").arg(english.toString(done)));
  });
  connect(m_compile, &CompileController::resultChanged, this,
          [this](const CorrelationPointer &, bool done) {
            if (done && m_waitsForCompile)
              sendNext();
            followDocument();
          });
  connect(m_compile, &CompileController::documentChanged, this, [this] {
    followDocument();
    // Edits move the line at which the program has stopped, or take it away.
    markLines();
  });
  connectView();
}

void StepController::connectView() {
  connect(m_view, &StepView::programChosen, this, [this] {
    if (!m_isOpen) {
      m_programOf = subject();
      return;
    }
    // Programs that are to run before it run anew.
    if (m_view->order() == compiler::StepOrder::Alone)
      act(StepAction::Choose);
    else
      perform(commandFor(StepAction::Restart), false);
  });
  connect(m_view, &StepView::restartRequested, this, [this] {
    Q_EMIT choiceChanged();
    if (m_isOpen)
      restart();
  });
  connect(m_view, &StepView::sightChanged, this, &StepController::look);
  connect(m_view, &StepView::watchesChanged, this, &StepController::watchesChanged);
  connect(m_view, &StepView::placeRequested, this, [this](const SourceRange &range) {
    if (range.file < m_files.size())
      Q_EMIT placeRequested(m_files[range.file], range);
  });
  connect(m_view, &StepView::breakpointRequested, this, [this](const StepBreakpoint &breakpoint) {
    if (!breakpoint.stage && m_editor)
      m_editor->goTo({breakpoint.line, 0});
    else if (const auto column = m_columns.lower_bound(breakpoint.stage.value_or(StageId::Ast));
             breakpoint.stage && column != m_columns.end() && column->first == *breakpoint.stage)
      if (const int32_t row = column->second->rowOf(static_cast<int32_t>(breakpoint.line));
          row >= 0)
        column->second->codeView().scrollToLine(row);
  });
  connect(m_view, &StepView::layoutRequested, this,
          [this](int line) { Q_EMIT layoutRequested(m_view->stage(), line); });
}

void StepController::setEditor(views::KernelEditor *editor, const QObject *file,
                               const QString &path) {
  if (m_editor && m_editor != editor) {
    if (m_isOpen && m_editorFile == m_file)
      m_breakpointsBehind = m_editor->breakpoints();
    m_editor->disconnect(this);
    m_editor->breakpointMarks().disconnect(this);
    m_editor->setStepLine(std::nullopt);
  }
  const bool isOther = std::exchange(m_editor, editor) != editor;
  if (file && !m_stageBreakpoints.contains(file)) {
    m_stageBreakpoints[file] = {};
    connect(file, &QObject::destroyed, this, [this, file] { m_stageBreakpoints.erase(file); });
  }
  m_editorFile = file;
  m_editorPath = path;
  if (m_editor && isOther) {
    connect(m_editor, &views::KernelEditor::breakpointsChanged, this, [this] {
      showBreakpoints();
      checkNewBreakpoints();
    });
    connect(&m_editor->breakpointMarks(), &views::BreakpointMarks::moved, this,
            &StepController::takeKnownBreakpoints);
  }
  takeKnownBreakpoints();
  markLines();
  revealStop();
  followDocument();
}

void StepController::addColumn(StageId stage, views::StageColumn *column) {
  const auto [begin, end] = m_columns.equal_range(stage);
  if (std::any_of(begin, end, [&](const auto &known) { return known.second == column; }))
    return;
  m_columns.emplace(stage, column);
  connect(&column->codeView(), &views::CodeView::breakpointToggled, this,
          [this, stage, column](int row) {
            if (const std::optional<uint32_t> line = lineOfRow(*column, row))
              toggleIn(stage, *line);
          });
  connect(column, &views::StageColumn::rowsChanged, this, [this] {
    showInColumns();
    markColumns();
  });
}

// Commands
// -----------------------------------------------------------------------------------------

StepCommand StepController::commandFor(StepAction action) const {
  StepCommand command;
  command.action = action;
  command.byOperation = m_view->stepsByOperation();
  command.program = m_view->program();
  command.order = m_view->order();
  command.stopAtFindings = m_view->stopsAtFindings();
  command.breakpoints = breakpoints();
  command.sight = m_view->sight();
  // Lines of the text that is stepped through.
  if (m_isOpen && m_editor && m_editorFile == m_file) {
    const std::string now = m_editor->utf8Text();
    if (now != m_document->source->text) {
      const views::MovedPlaces back(now, m_document->source->text);
      std::erase_if(command.breakpoints, [&](StepBreakpoint &each) {
        if (each.stage)
          return false;
        const std::optional<Position> moved = back.moved(Position{each.line, 0});
        each.line = moved ? moved->line : 0;
        return !moved;
      });
    }
  }
  return command;
}

/// Whether the action begins where nothing is stepped through.
static bool isForward(StepAction action) {
  return action == StepAction::Over || action == StepAction::Into || action == StepAction::Continue;
}

void StepController::act(StepAction action) {
  if (keepForStart(action))
    return;
  const bool isNew = !m_isOpen || (isForward(action) && showsOtherFile());
  // The first key begins, with the first line.
  if (isNew && action != StepAction::Continue)
    return restart();
  if (isNew) {
    m_isOpen = false;
    forgetProgramOfOther();
  }
  perform(commandFor(action), isNew);
  Q_EMIT viewRequested(isNew);
}

void StepController::restart() {
  // Breakpoints of the file in front.
  if (showsOtherFile())
    m_isOpen = false;
  forgetProgramOfOther();
  // The newest text, as far as it is of the file in front.
  perform(commandFor(StepAction::Restart), true);
  Q_EMIT viewRequested(true);
}

void StepController::runTo(uint32_t line) {
  // The line is one of the file in front.
  if (showsOtherFile())
    m_isOpen = false;
  if (!m_isOpen)
    forgetProgramOfOther();
  StepCommand command = commandFor(StepAction::RunTo);
  command.line.line = line;
  perform(std::move(command), !m_isOpen);
  Q_EMIT viewRequested(true);
}

void StepController::goToWrite(const std::array<int32_t, 3> &program,
                               const compiler::ArgumentElement &element) {
  m_view->setProgram(program);
  m_programOf = subject();
  StepCommand command = commandFor(StepAction::RunToWrite);
  command.element = element;
  command.breakpoints.clear();
  m_goesToWrite = true;
  perform(std::move(command), true);
  Q_EMIT viewRequested(true);
}

void StepController::goToFault(const views::RunResults::Fault &fault) {
  const bool isRace = !fault.race.empty() && fault.range.file == 0;
  m_view->setProgram(fault.program);
  m_programOf = subject();
  StepCommand command = commandFor(isRace ? StepAction::RunTo : StepAction::Continue);
  command.breakpoints.clear();
  command.line.line = isRace ? fault.range.begin.line : command.line.line;
  command.stopAtFindings = !isRace;
  perform(std::move(command), true);
  m_reason = isRace ? fault.race : "";
  m_reasonTime.reset();
  Q_EMIT viewRequested(true);
}

void StepController::cancel() {
  m_behindStart.clear();
  m_isStarting = m_isBusy && m_isStarting;
  if (m_waitsForCompile && !m_isOpen)
    m_view->clear(views::StepView::howToBegin());
  m_next.reset();
  m_waitsForCompile = false;
  if (m_isBusy)
    m_backend->cancel();
}

void StepController::look() {
  m_wantsLook = m_isOpen;
  // What is done next looks as well.
  if (m_wantsLook && !m_isBusy && !m_next)
    perform(commandFor(StepAction::Look), false);
}

void StepController::perform(StepCommand command, bool isNew) {
  if (command.action != StepAction::Look)
    m_reason.clear();
  if (isNew) {
    m_isStarting = true;
    m_behindStart.clear();
  }
  m_next = Wanted{std::move(command), isNew || (m_next && m_next->isNew)};
  if (!m_isBusy)
    sendNext();
}

void StepController::sendNext() {
  if (!m_next || m_isBusy)
    return;
  if (m_next->isNew) {
    if (const QString why = whyNot(); !why.isEmpty()) {
      m_next.reset();
      m_waitsForCompile = false;
      clear(why);
      showWhyNot(why);
      return;
    }
    m_waitsForCompile = m_compile->isRunning() || !m_compile->isCurrent() || !m_compile->latest();
    if (m_waitsForCompile) {
      if (!m_isOpen)
        m_view->clear(tr("This begins as soon as the kernel is compiled."));
      return;
    }
  }
  const Wanted wanted = *std::exchange(m_next, std::nullopt);
  send(wanted.command, wanted.isNew);
}

void StepController::send(const StepCommand &command, bool isNew) {
  compiler::StepMessage message;
  message.command = command;
  // Of now, not of when it was wanted.
  message.command.sight = m_view->sight();
  m_wantsLook = false;
  if (isNew) {
    const compiler::CompileResult &result = *m_compile->latest()->result();
    m_file = m_compile->file();
    m_document = m_compile->document();
    m_state.reset();
    Q_EMIT begun(QString::fromStdString(m_document->source->path),
                 QString::fromStdString(m_document->kernel()));
    message.command.sight = m_view->sight();
    // What was shown is of another time.
    message.command.sight.blockVersion = 0;
    compiler::StepLaunch launch;
    launch.request = m_compile->request();
    launch.request.selection = result.launch.selection;
    launch.launchPlan = result.launch.plan;
    launch.stage = m_document->source->entry == StageId::Ttgir ? StageId::Ttgir : m_view->stage();
    message.launch = std::move(launch);
    m_isOpen = true;
    // Those of this file count from now on.
    m_view->setBreakpoints(breakpoints());
  }
  m_isBusy = true;
  m_busyTimer.start();
  Q_EMIT busyChanged(true);
  m_backend->step(message);
}

// Answers
// ------------------------------------------------------------------------------------------

void StepController::take(const StepReplyPointer &reply) {
  m_isBusy = false;
  m_busyTimer.stop();
  m_view->setBusy(false);
  Q_EMIT busyChanged(false);
  if (!reply->ok)
    return fail(*reply);
  if (!reply->files.empty()) {
    m_files = reply->files;
    m_view->setFiles(m_files);
  }
  const bool hasMoved = !m_state || m_state->time != reply->state.time ||
                        m_state->frames != reply->state.frames ||
                        m_state->program != reply->state.program;
  m_state = reply->state;
  if (!m_reason.empty() && !m_next && !m_state->isAtEnd &&
      m_reasonTime.value_or(m_state->time) == m_state->time) {
    m_reasonTime = m_state->time;
    m_state->reason = m_reason;
    m_state->isFault = true;
  }
  m_view->setState(*m_state);
  if (hasMoved)
    showStop();
  if (hasMoved && std::exchange(m_goesToWrite, false))
    showWritten();
  followDocument();
  m_isStarting &= m_next && m_next->isNew;
  if (!m_isStarting && !m_next && !m_behindStart.empty()) {
    const StepAction action = m_behindStart.front();
    m_behindStart.pop_front();
    return perform(commandFor(action), false);
  }
  sendNext();
  if (m_wantsLook)
    look();
}

/// The block that the line where execution stands is about to write.
void StepController::showWritten() {
  if (!m_compile->latest() || m_state->frames.empty())
    return;
  const SourceRange &at = m_state->frames.front().range;
  const std::vector<std::string_view> lines = splitLines(m_document->source->text);
  if (at.file != 0 || at.begin.line >= lines.size())
    return;
  const std::vector<compiler::ValueFacts> &values = m_compile->latest()->result()->values;
  if (const auto block = blockIn(values, at.begin.line, lines[at.begin.line]))
    m_view->follow(block->name);
}

void StepController::fail(const compiler::StepDoneReply &reply) {
  m_next.reset();
  const QString why = reply.cancelled || reply.diagnostics.empty()
                          ? tr("It was stopped. Step over (F10) begins anew.")
                          : tr("Stepping has ended: %1.")
                                .arg(QString::fromStdString(reply.diagnostics.back().message));
  clear(why);
}

void StepController::clear(const QString &why) {
  m_isOpen = m_isStarting = false;
  m_behindStart.clear();
  m_saysWhyNot = false;
  m_state.reset();
  m_file = nullptr;
  m_document.reset();
  m_view->clear(why);
  m_view->setBreakpoints(breakpoints());
  markLines();
}

} // namespace tilescope::app
