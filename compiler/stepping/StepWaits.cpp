// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A program that waits for others. It is known to wait when it comes back to where it was, with all
// of its values as they were, having changed nothing meanwhile:
//
//   tl.atomic_add(count, 1)
//   while tl.atomic_add(count, 0) < 4: pass       the second time as the first: only others can help
//
// The other programs then work one after another, each until it ends or waits itself, as they would
// have done on a GPU meanwhile, until the chosen one goes on. Its looks in vain are taken back, so
// that stepping back does not meet them.
#include "compiler/stepping/StepSession.h"

#include <algorithm>
#include <string>

namespace tilescope::compiler::stepping {

using namespace interpreter;

/// Looks after which a program waits, also where a value of its own changes, such as a count of them.
static constexpr uint32_t kMostLooks = 64;
/// Of programs that have begun.
static constexpr size_t kHeldBytes = size_t{1} << 30;

bool StepSession::isWaiting(uint32_t at) {
  SteppedProgram &program = m_stepper->current();
  Frame &frame = program.frame;
  if (m_stepper->isInVain())
    return true;
  if (frame.numPolls() == 0) {
    m_look.reset();
    m_firstLook.reset();
    return false;
  }
  if (frame.isAtEnd() || frame.next() > at)
    return false;
  const std::shared_ptr<const ProgramSnapshot> state = program.save();
  if (m_look && areEquivalent(*m_look->state, *state)) {
    // Also looks that saw that something has changed, but not enough.
    if (!m_firstLook)
      m_firstLook = m_look;
    if (m_stepper->takeBack(m_firstLook->time, m_firstLook->state))
      m_values.forgetTimes();
    else
      m_firstLook = {m_stepper->time(), state};
    m_look = m_firstLook;
    return true;
  }
  m_look = {m_stepper->time(), state};
  if (frame.numLooks() < kMostLooks)
    return false;
  frame.forgetLooks();
  return true;
}

size_t StepSession::mostHeld() const {
  return kHeldBytes /
         std::max<size_t>(1, m_execution.program->memorySize + m_execution.program->sharedBytes);
}

bool StepSession::letWork(const ProgramId &program) {
  m_stepper->choose(program);
  Frame &frame = m_stepper->current().frame;
  frame.forgetChange();
  m_look.reset();
  m_firstLook.reset();
  for (uint64_t count = 1; !frame.isAtEnd(); ++count) {
    const uint32_t at = frame.next();
    m_stepper->execute();
    if (isWaiting(at) || (count % kStopInterval == 0 && isInterrupted()))
      break;
  }
  return frame.hasChanged();
}

bool StepSession::letOtherWork() {
  const std::array<int32_t, 3> &grid = m_execution.grid;
  const uint64_t total = static_cast<uint64_t>(grid[0]) * static_cast<uint64_t>(grid[1]) *
                         static_cast<uint64_t>(grid[2]);
  const ProgramId chosen = m_stepper->chosen();
  const uint64_t own = numberOf(chosen, grid);
  const std::optional<Look> look = m_look;
  bool hasWorked = false;
  while (!hasWorked && m_helpersInVain < total && !isInterrupted()) {
    const uint64_t number = m_nextHelper++ % total;
    ++m_helpersInVain;
    if (number == own || m_ended.contains(number))
      continue;
    const ProgramId helper = idOf(number, grid);
    if (m_stepper->numHeld() >= mostHeld() && !m_stepper->holds(helper)) {
      m_lacksRoom = true;
      continue;
    }
    hasWorked = letWork(helper);
    if (hasWorked)
      m_helpers.insert(number);
    if (m_progress)
      m_progress(m_helpers.size(), total);
  }
  m_stepper->choose(chosen);
  m_look = look;
  if (m_look)
    m_look->time = m_stepper->time();
  m_firstLook = m_look;
  if (hasWorked)
    m_helpersInVain = 0;
  return hasWorked;
}

int32_t StepSession::lineHere() {
  const uint32_t last = m_stepper->current().trace.lastStop;
  if (last == kNoValue)
    return -1;
  const PlaceStack &stack = m_listing.stackOf(last);
  const auto inDocument =
      std::ranges::find_if(stack, [](const StepFrame &frame) { return frame.range.file == 0; });
  return inDocument == stack.end() ? -1 : static_cast<int32_t>(inDocument->range.begin.line);
}

/// "program 3", or how many they are.
static std::string helpersText(const std::set<uint64_t> &helpers,
                               const std::array<int32_t, 3> &grid) {
  const auto name = [&](uint64_t number) {
    return programText(idOf(number, grid), {grid[0], grid[1], grid[2]});
  };
  const uint64_t first = *helpers.begin(), last = *helpers.rbegin();
  if (helpers.size() == 1)
    return name(first);
  return std::to_string(helpers.size()) + " other programs, from " + name(first) + " to " +
         name(last) + ",";
}

void StepSession::noteHelpers() {
  if (!m_why.reason.empty() || m_helpers.empty())
    return;
  const std::array<int32_t, 3> &grid = m_execution.grid;
  m_why.reason = programText(m_stepper->chosen(), {grid[0], grid[1], grid[2]}) + " waited" +
                 (m_waitLine < 0 ? "" : " in line " + std::to_string(m_waitLine + 1)) +
                 ": meanwhile " + helpersText(m_helpers, grid) +
                 (m_helpers.size() == 1 ? " has" : " have") +
                 " worked until it went on; a step back undoes that, too";
}

StepSession::Stop StepSession::waitsForever() const {
  const std::array<int32_t, 3> &grid = m_execution.grid;
  return {programText(m_stepper->chosen(), {grid[0], grid[1], grid[2]}) + " waits" +
              (m_waitLine < 0 ? " here" : " in line " + std::to_string(m_waitLine + 1)) +
              " for a value that no other program writes: " +
              (m_lacksRoom ? "there is no memory for more of them, and those that have begun"
                           : "all of them") +
              " have ended, or wait, too; "
              "begin anew with Ctrl+F10 and stop in front of the wait, or step another program up "
              "to where it should write the value",
          true};
}

} // namespace tilescope::compiler::stepping
