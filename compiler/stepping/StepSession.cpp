// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/stepping/StepSession.h"

#include <algorithm>
#include <limits>

namespace tilescope::compiler::stepping {

using namespace interpreter;

/// For an atomic operation that waits for another program, which does not run meanwhile.
static constexpr std::chrono::seconds kMostWait(1);

struct StepSession::Breakpoint {
  StepBreakpoint asked;
  /// -1: nothing is executed there.
  int32_t line = -1;
  std::optional<BlockExpression> condition;
  std::string problem;
  /// The user wants to go there once.
  bool isCursor = false;
};

StepSession::StepSession(Execution &execution, const StepListing &listing, SessionOptions options)
    : m_execution(execution), m_listing(listing), m_options(std::move(options)), m_values(listing) {
  m_execution.maxInstructionsPerProgram = 0;
  m_execution.maxProgramDuration = kMostWait;
}

StepSession::~StepSession() = default;

StepState StepSession::perform(const StepCommand &command, std::stop_token stop,
                               const Progress &progress) {
  m_stop = std::move(stop);
  m_progress = progress;
  if (command.action != StepAction::Look) {
    m_why = {};
    m_helpers.clear();
    m_firstLook.reset();
    m_nextHelper = m_helpersInVain = 0;
    m_lacksRoom = false;
  }
  setBreakpoints(command);
  const bool isFresh = !m_stepper;
  if (!isFresh && command.action != StepAction::Look)
    m_values.noteStop(m_stepper->current());
  if (isFresh || command.action == StepAction::Restart)
    restart(command);
  // To continue begins, too, unless it has come to a breakpoint already.
  if (!isFresh || m_why.reason.empty())
    move(command);
  if (command.action != StepAction::Look)
    noteHelpers();
  StepState state = look(command);
  state.isInterrupted = isInterrupted();
  return state;
}

void StepSession::restart(const StepCommand &command) {
  m_stepper.reset();
  m_look.reset();
  m_firstLook.reset();
  m_earlierFindings.clear();
  m_ended.clear();
  m_execution.watches.clear();
  m_passedAt = UINT64_MAX;
  m_options.resetMemory();
  for (const MemoryArea &area : m_execution.areas)
    if (area.writers)
      std::fill_n(area.writers, area.size / area.granule + 1, 0u);
  StepperOptions options;
  options.mostBytes = m_options.mostBytes;
  options.setArguments = m_options.setArguments;
  for (uint32_t at = 0; at < m_listing.instructions.size(); ++at) {
    options.isStop.push_back(m_listing.instructions[at].isStop && !m_listing.stackOf(at).empty());
    options.depths.push_back(std::max(0, m_listing.depthOf(at)));
  }
  m_stepper = std::make_unique<Stepper>(m_execution, std::move(options));
  runOthers(command);
  m_stepper->choose(command.program);
  m_values.forgetTimes();
  m_values.noteStop(m_stepper->current());
  // In front of the first line, not of what leads to it.
  moveForward(command, [&] { return isStepStart(command, kAnyDepth); }, false);
  if (m_why.reason.empty())
    m_level = levelOfLine(kAnyDepth);
}

// Lines
// --------------------------------------------------------------------------------------------

bool StepSession::isSameLine(uint32_t a, uint32_t b, int32_t depth) const {
  const PlaceStack &left = m_listing.stackOf(a), &right = m_listing.stackOf(b);
  const size_t most = depth >= kAnyDepth ? SIZE_MAX : static_cast<size_t>(depth) + 1;
  const size_t count = std::min(left.size(), most);
  if (count != std::min(right.size(), most))
    return false;
  for (size_t i = 1; i <= count; ++i) {
    const SourceRange &x = left[left.size() - i].range, &y = right[right.size() - i].range;
    if (x.file != y.file || x.begin.line != y.begin.line)
      return false;
  }
  return true;
}

bool StepSession::isLineStart(int32_t depth) const {
  const SteppedProgram &program = m_stepper->current();
  const uint32_t at = program.frame.next();
  const auto &code = m_listing.instructions;
  if (at >= code.size() || !code[at].isStop || m_listing.stackOf(at).empty())
    return false;
  const StopTrace &trace = program.trace;
  return trace.lastStop == kNoValue || trace.jumpDepth <= depth ||
         !isSameLine(at, trace.lastStop, depth);
}

bool StepSession::isStepStart(const StepCommand &command, int32_t level) const {
  const uint32_t at = m_stepper->current().frame.next();
  if (at >= m_listing.instructions.size())
    return false;
  if (command.byOperation)
    return m_listing.instructions[at].isStop && !m_listing.instructions[at].isHidden &&
           m_listing.depthOf(at) <= level;
  return isLineStart(level) || (m_listing.instructions[at].isStop && m_listing.depthOf(at) >= 0 &&
                                m_listing.depthOf(at) < level && level < kAnyDepth);
}

int32_t StepSession::depthHere() const {
  const SteppedProgram &program = m_stepper->current();
  const uint32_t at = program.frame.isAtEnd() ? program.trace.lastStop : program.frame.next();
  return at == kNoValue ? 0 : std::max(0, m_listing.depthOf(at));
}

int32_t StepSession::levelOfLine(int32_t most) const {
  const int32_t depth = depthHere();
  for (int32_t level = 0; level < std::min(depth, most); ++level)
    if (isLineStart(level))
      return level;
  return std::min(depth, most);
}

// Breakpoints
// --------------------------------------------------------------------------------------

/// Whether a place of the stack is on a line of the document.
static bool isOnLine(const PlaceStack &stack, uint32_t line) {
  return std::ranges::any_of(stack, [&](const StepFrame &frame) {
    return frame.range.file == 0 && frame.range.begin.line == line;
  });
}

/// The first line from the breakpoint's on at which something is executed: of its function, where it is
/// in one.
int32_t StepSession::boundLine(const StepBreakpoint &breakpoint) const {
  int32_t best = -1, last = std::numeric_limits<int32_t>::max();
  if (!breakpoint.stage)
    for (const SourceRange &function : m_listing.functions)
      if (function.begin.line <= breakpoint.line && breakpoint.line <= function.end.line)
        last = static_cast<int32_t>(function.end.line);
  const auto take = [&](int32_t line) {
    if (line >= static_cast<int32_t>(breakpoint.line) && line <= last && (best < 0 || line < best))
      best = line;
  };
  for (uint32_t at = 0; at < m_listing.instructions.size(); ++at) {
    if (!m_listing.instructions[at].isStop)
      continue;
    if (breakpoint.stage)
      take(m_listing.instructions[at].stageLine);
    else
      for (const StepFrame &frame : m_listing.stackOf(at))
        if (frame.range.file == 0)
          take(static_cast<int32_t>(frame.range.begin.line));
  }
  return best;
}

void StepSession::setBreakpoints(const StepCommand &command) {
  std::vector<StepBreakpoint> asked = command.breakpoints;
  const bool hasCursor = command.action == StepAction::RunTo;
  if (hasCursor)
    asked.push_back(command.line);
  if (asked == m_asked && hasCursor == m_hasCursor && !m_mayBreak.empty())
    return;
  m_asked = asked;
  m_hasCursor = hasCursor;
  m_breakpoints.clear();
  m_mayBreak.assign(m_listing.instructions.size(), false);
  for (const StepBreakpoint &each : asked) {
    Breakpoint &added = m_breakpoints.emplace_back();
    added.isCursor = hasCursor && m_breakpoints.size() == asked.size();
    added.asked = each;
    if (!each.stage || each.stage == m_listing.stage)
      added.line = boundLine(each);
    if (!each.condition.empty()) {
      Result<BlockExpression> condition = BlockExpression::parse(each.condition);
      if (condition)
        added.condition = std::move(*condition);
      else
        added.problem = condition.error().message;
    }
    for (uint32_t at = 0; at < m_mayBreak.size() && added.line >= 0; ++at) {
      const ListedInstruction &listed = m_listing.instructions[at];
      const bool isThere = each.stage
                               ? listed.stageLine == added.line
                               : isOnLine(m_listing.stackOf(at), static_cast<uint32_t>(added.line));
      if (isThere && listed.isStop)
        m_mayBreak[at] = true;
    }
  }
}

std::optional<StepSession::Stop> StepSession::breakpointHere(int32_t above) {
  SteppedProgram &program = m_stepper->current();
  const uint32_t at = program.frame.next();
  if (at >= m_mayBreak.size() || !m_mayBreak[at])
    return std::nullopt;
  const PlaceStack &stack = m_listing.stackOf(at);
  for (const Breakpoint &each : m_breakpoints) {
    if (each.line < 0)
      continue;
    uint32_t frame = 0;
    if (each.asked.stage) {
      if (m_listing.instructions[at].stageLine != each.line)
        continue;
    } else {
      // Of a call, the line of the caller begins with the callee's first instruction.
      const auto found = std::ranges::find_if(stack, [&](const StepFrame &place) {
        return place.range.file == 0 && place.range.begin.line == static_cast<uint32_t>(each.line);
      });
      if (found == stack.end())
        continue;
      frame = static_cast<uint32_t>(found - stack.begin());
    }
    const int32_t level = static_cast<int32_t>(stack.size()) - 1 - static_cast<int32_t>(frame);
    if (level <= above || (!each.asked.stage && !isLineStart(level)))
      continue;
    if (std::optional<Stop> stop = stopOf(each, frame)) {
      stop->level = level;
      return stop;
    }
  }
  return std::nullopt;
}

std::optional<StepSession::Stop> StepSession::stopOf(const Breakpoint &breakpoint, uint32_t frame) {
  std::string place = "line " + std::to_string(breakpoint.line + 1);
  if (breakpoint.asked.stage)
    place = std::string(stageTitle(*breakpoint.asked.stage)) + ", " + place;
  if (!breakpoint.problem.empty())
    return Stop{"the condition of the breakpoint in " + place +
                    " cannot be read: " + breakpoint.problem,
                true};
  if (!breakpoint.condition)
    return Stop{(breakpoint.isCursor ? "cursor in " : "breakpoint in ") + place, false};
  const Result<bool> holds =
      breakpoint.condition->holds(m_values.lookup(m_stepper->current(), frame));
  if (!holds)
    return Stop{"the condition of the breakpoint in " + place +
                    " has no value: " + holds.error().message,
                true};
  if (*holds)
    return Stop{"`" + breakpoint.asked.condition + "` is true", false};
  return std::nullopt;
}

// What is seen
// -------------------------------------------------------------------------------------

StepState StepSession::look(const StepCommand &command) {
  SteppedProgram &program = m_stepper->current();
  const uint32_t at = program.frame.next();
  StepState state;
  state.program = m_stepper->chosen();
  state.grid = m_execution.grid;
  state.ownTime = m_stepper->ownTime();
  state.time = m_stepper->time();
  state.isAtEnd = program.frame.isAtEnd();
  state.stage = m_listing.stage;
  StepSight sight = command.sight;
  if (!state.isAtEnd) {
    const PlaceStack &stack = m_listing.stackOf(at);
    // Of a call that is not entered yet, only the caller is shown.
    const size_t numHidden =
        stack.size() - std::min(stack.size(), static_cast<size_t>(m_level) + 1);
    state.frames.assign(stack.begin() + static_cast<ptrdiff_t>(numHidden), stack.end());
    sight.frame += static_cast<uint32_t>(numHidden);
    state.stageLine = m_listing.instructions[at].stageLine;
    if (state.stageLine >= 0 && static_cast<size_t>(state.stageLine) < m_listing.operations.size())
      state.operation = m_listing.operations[static_cast<size_t>(state.stageLine)];
  } else if (program.trace.lastStop != kNoValue) {
    state.frames = m_listing.stackOf(program.trace.lastStop);
  }
  state.reason = m_why.reason;
  state.isFault = m_why.isFault;
  state.values = m_values.list(program, sight);
  for (const std::string &expression : command.sight.watches)
    state.watches.push_back(m_values.watch(program, expression, sight.frame));
  state.block = m_values.block(program, sight);
  state.findings = m_earlierFindings;
  for (const RawFinding &raw : program.frame.findings)
    state.findings.push_back(raw.finding.message);
  for (const RawPrint &raw : program.frame.prints)
    state.prints.push_back(raw.print.text);
  state.underWay = m_stepper->underWay();
  for (size_t i = 0; i < command.breakpoints.size(); ++i)
    state.breakpointLines.push_back(m_breakpoints[i].line);
  return state;
}

} // namespace tilescope::compiler::stepping
