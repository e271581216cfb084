// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// Forward, back, and what stops on the way.
#include "compiler/interpreter/Access.h"
#include "compiler/interpreter/Operations.h"
#include "compiler/stepping/StepSession.h"
#include "compiler/stepping/ValueContents.h"

#include <algorithm>
#include <cstdio>

namespace tilescope::compiler::stepping {

using namespace interpreter;

/// False: it ends here, in front of what went wrong or what was waited for.
bool StepSession::executeOne(const StepCommand &command) {
  Frame &frame = m_stepper->current().frame;
  const uint64_t before = m_stepper->time();
  const uint64_t numFindings = frame.numFindings;
  const uint64_t numWrites = m_execution.watchedWrites;
  if (!m_stepper->execute())
    return false;
  const bool isWrite = m_execution.watchedWrites != numWrites;
  const bool isFinding = command.stopAtFindings && frame.numFindings != numFindings;
  if ((!isWrite && !isFinding) || m_passedAt == before)
    return true;
  std::string finding = isFinding && !frame.findings.empty() ? frame.findings.back().finding.message
                                                             : "something goes wrong here";
  // In front of it, where its operands can be looked at.
  m_stepper->goTo(before);
  m_values.forgetTimes();
  m_passedAt = before;
  if (isFinding)
    m_why = {std::move(finding), true};
  else
    m_why = {"this writes " + valueToWrite(command.element) + "`" + nameOf(command.element) + "`",
             false};
  return false;
}

std::string StepSession::nameOf(const ArgumentElement &element) const {
  for (const Watch &watch : m_execution.watches)
    if (watch.area->name == element.argument)
      return elementName(*watch.area, element.element,
                         static_cast<int64_t>(watch.area->size / watch.area->elementSize));
  return element.argument + "[" + std::to_string(element.element) + "]";
}

std::string StepSession::valueToWrite(const ArgumentElement &element) {
  Frame &frame = m_stepper->current().frame;
  const Instruction &next = m_execution.program->code[frame.next()];
  if (next.run != runStore || next.in.size() < 2 || next.in[0] == kNoValue ||
      next.in[1] == kNoValue)
    return {};
  const NumberBlock places = numbersOf(frame, next.in[0], m_listing.values[next.in[0]]);
  const NumberBlock written = numbersOf(frame, next.in[1], m_listing.values[next.in[1]]);
  const auto found = std::ranges::find(places.numbers, static_cast<double>(element.element)) -
                     places.numbers.begin();
  if (static_cast<size_t>(found) >= std::min(places.numbers.size(), written.numbers.size()))
    return {};
  char text[40];
  std::snprintf(text, sizeof(text), "%.7g to ", written.numbers[static_cast<size_t>(found)]);
  return text;
}

void StepSession::stopAt(Stop stop) {
  m_level = stop.level >= 0 ? stop.level : depthHere();
  m_why = std::move(stop);
}

void StepSession::moveForward(const StepCommand &command, const std::function<bool()> &isDone,
                              bool passesFirst) {
  uint64_t count = 0;
  // A call whose line was stopped at has lines of its own at the same place.
  if (passesFirst)
    if (std::optional<Stop> stop = breakpointHere(m_level))
      return stopAt(std::move(*stop));
  // To the beginning of a loop in which it waits: until its line is executed.
  bool comesBack = false, hasWaited = false;
  while (!m_stepper->current().frame.isAtEnd()) {
    comesBack &= m_stepper->current().trace.jumpDepth != StopTrace::kNoJump;
    if (!passesFirst && !comesBack) {
      if (std::optional<Stop> stop = breakpointHere())
        return stopAt(std::move(*stop));
      if (isDone())
        return;
    }
    passesFirst = false;
    const uint32_t at = m_stepper->current().frame.next();
    if (!executeOne(command))
      break;
    if (isWaiting(at)) {
      m_waitLine = lineHere();
      if (!letOtherWork()) {
        if (!isInterrupted())
          m_why = waitsForever();
        break;
      }
      passesFirst = comesBack = hasWaited = true;
      continue;
    }
    // What has changed may not be enough for it to go on.
    if (hasWaited && m_look && m_look->time == m_stepper->time())
      comesBack = true;
    if (++count % kStopInterval != 0)
      continue;
    if (isInterrupted())
      break;
    if (m_progress)
      m_progress(count, 0);
  }
  m_level = depthHere();
}

void StepSession::moveBack(const StepCommand &command, const std::function<bool()> &isDone) {
  m_look.reset();
  m_firstLook.reset();
  m_passedAt = UINT64_MAX;
  const bool found = m_stepper->goBack(isDone, [this] {
    if (m_progress)
      m_progress(m_stepper->time(), 0);
    return isInterrupted();
  });
  m_values.forgetTimes();
  m_level = depthHere();
  if (found || isInterrupted())
    return;
  // In front of the first line, as when it began: constants of later lines come before it.
  if (!command.byOperation)
    moveForward(command, [&] { return isStepStart(command, kAnyDepth); }, false);
  m_level = depthHere();
  m_why = {"the program begins here", false};
}

void StepSession::watchElement(const ArgumentElement &element) {
  m_execution.watches.clear();
  for (const MemoryArea &area : m_execution.areas)
    if (area.writers && area.name == element.argument) {
      const auto size = static_cast<int64_t>(area.elementSize);
      m_execution.watches.push_back({&area, element.element * size, (element.element + 1) * size});
    }
}

void StepSession::stepForward(const StepCommand &command, int32_t level) {
  // What is called begins where the line of the call does.
  if (level == kAnyDepth && !command.byOperation && depthHere() > m_level &&
      !m_stepper->current().frame.isAtEnd()) {
    ++m_level;
    return;
  }
  const int32_t before = m_level;
  moveForward(command, [&] { return isStepStart(command, level); });
  if (m_why.reason.empty())
    m_level = command.byOperation  ? depthHere()
              : level == kAnyDepth ? levelOfLine(kAnyDepth)
                                   : levelOfLine(before);
}

void StepSession::stepBack(const StepCommand &command, int32_t level) {
  // The first line of what was called begins where the line of the call does.
  if (!command.byOperation && m_level > 0 && isLineStart(m_level - 1) &&
      !m_stepper->current().frame.isAtEnd()) {
    --m_level;
    return;
  }
  moveBack(command, [&] { return isStepStart(command, level); });
  if (command.byOperation)
    m_level = depthHere();
  else
    // Of several lines that begin here, the innermost is the last that was stepped to.
    m_level = level == kAnyDepth ? depthHere() : std::min(depthHere(), level);
}

void StepSession::stepBackOut(const StepCommand &command) {
  const int32_t outer = m_level - 1;
  if (outer < 0)
    return moveBack(command, [] { return false; });
  if (!isLineStart(outer))
    moveBack(command, [&] { return isLineStart(outer); });
  m_level = std::min(outer, depthHere());
}

void StepSession::move(const StepCommand &command) {
  const auto never = [] { return false; };
  m_execution.watches.clear();
  switch (command.action) {
  case StepAction::Over:
    return stepForward(command, m_level);
  case StepAction::Into:
    return stepForward(command, kAnyDepth);
  case StepAction::Out:
    return moveForward(command, [&, level = m_level] {
      const uint32_t at = m_stepper->current().frame.next();
      const bool isOut = m_listing.instructions[at].isStop && m_listing.depthOf(at) < level;
      m_level = isOut ? depthHere() : level;
      return isOut;
    });
  case StepAction::Continue:
  case StepAction::RunTo:
    return moveForward(command, never);
  case StepAction::RunToWrite:
    watchElement(command.element);
    moveForward(command, never);
    if (m_why.reason.empty() && m_stepper->current().frame.isAtEnd())
      m_why = {"the program does not write element " + std::to_string(command.element.element) +
                   " of `" + command.element.argument + "`",
               false};
    return;
  case StepAction::BackOver:
    return stepBack(command, m_level);
  case StepAction::BackInto:
    return stepBack(command, kAnyDepth);
  case StepAction::BackOut:
    return stepBackOut(command);
  case StepAction::ReverseContinue:
    moveBack(command, [&] { return breakpointHere().has_value(); });
    if (std::optional<Stop> stop = m_why.reason.empty() ? breakpointHere() : std::nullopt)
      stopAt(std::move(*stop));
    return;
  case StepAction::Choose:
    m_look.reset();
    m_firstLook.reset();
    m_stepper->choose(command.program);
    if (m_stepper->current().frame.next() == 0)
      moveForward(command, [&] { return isStepStart(command, kAnyDepth); }, false);
    m_level = m_why.reason.empty() ? levelOfLine(kAnyDepth) : m_level;
    return;
  case StepAction::Look:
  case StepAction::Restart:
    return;
  }
}

} // namespace tilescope::compiler::stepping
