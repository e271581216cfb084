// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The other programs, before the one that is stepped. Where none can wait for others, each runs from
// start to end as in a run. Else each works until it ends or waits, and those that wait are held as
// they are: others may let them go on, and if it takes the chosen program, they are there to help it
// later.
//
//   order: after all others      program 0 is stepped; a barrier over the grid of four
//   1, 2, 3    come to the barrier, and are held
//   0          comes to the barrier, which opens; what it waits for next, 1, 2 and 3 do meanwhile
#include "compiler/interpreter/Operations.h"
#include "compiler/stepping/StepSession.h"

#include <algorithm>

namespace tilescope::compiler::stepping {

using namespace interpreter;

/// Programs between two reports of how many have run.
static constexpr uint64_t kReportInterval = 64;

/// Which programs run before another one, and in which order.
struct StepSession::Others {
  uint64_t own = 0;
  uint64_t total = 0;
  /// Of the order, including the program itself.
  uint64_t count = 0;
  bool isReversed = false;

  uint64_t at(uint64_t index) const { return isReversed ? total - 1 - index : index; }
};

void StepSession::noteEarlierFindings(const Frame &frame) {
  for (const RawFinding &raw : frame.findings)
    if (!std::ranges::count(m_earlierFindings, raw.finding.message))
      m_earlierFindings.push_back(raw.finding.message);
}

bool StepSession::mayWait() const {
  const std::vector<Instruction> &code = m_execution.program->code;
  const auto looks = [](const Instruction &op) {
    return op.run == runAtomicRmw || op.run == runAtomicCas ||
           (op.run == runLoad && op.number[0] != 0);
  };
  for (size_t at = 0; at < code.size(); ++at) {
    if (code[at].run == runAtomicPoll)
      return true;
    const bool isJump = code[at].run == runJump || code[at].run == runJumpUnless;
    if (isJump && code[at].target <= at &&
        std::any_of(code.begin() + code[at].target, code.begin() + static_cast<ptrdiff_t>(at),
                    looks))
      return true;
  }
  return false;
}

void StepSession::runOthers(const StepCommand &command) {
  if (command.order == StepOrder::Alone)
    return;
  const std::array<int32_t, 3> &grid = m_execution.grid;
  Others others;
  others.own = numberOf(command.program, grid);
  others.total = static_cast<uint64_t>(grid[0]) * static_cast<uint64_t>(grid[1]) *
                 static_cast<uint64_t>(grid[2]);
  others.count = command.order == StepOrder::Earlier ? others.own : others.total;
  others.isReversed = command.order == StepOrder::OthersReversed;
  if (mayWait())
    runTogether(others);
  else
    runEach(others);
}

void StepSession::runEach(const Others &others) {
  m_execution.stop = m_stop;
  Frame frame(m_execution, *m_execution.program, 1);
  m_options.setArguments(frame);
  for (uint64_t i = 0; i < others.count && !isInterrupted(); ++i) {
    if (others.at(i) == others.own)
      continue;
    frame.runProgram(idOf(others.at(i), m_execution.grid));
    if (m_progress && i % kReportInterval == 0)
      m_progress(i, others.count);
  }
  m_execution.stop = {};
  noteEarlierFindings(frame);
}

bool StepSession::goOn(uint64_t number) {
  const ProgramId id = idOf(number, m_execution.grid);
  const bool hasChanged = letWork(id);
  const Frame &frame = m_stepper->current().frame;
  if (!frame.isAtEnd())
    return hasChanged;
  noteEarlierFindings(frame);
  m_ended.insert(number);
  m_stepper->drop(id);
  return true;
}

void StepSession::runTogether(const Others &others) {
  m_stepper->beginLater();
  std::vector<uint64_t> waiting;
  const auto takeTurns = [&] {
    for (bool hasWorked = true; hasWorked && !isInterrupted();) {
      hasWorked = false;
      for (const uint64_t number : waiting)
        hasWorked |= !isInterrupted() && goOn(number);
      std::erase_if(waiting, [&](uint64_t number) { return m_ended.contains(number); });
      // Where each waits for the one before, or for the one behind.
      std::ranges::reverse(waiting);
    }
  };
  for (uint64_t i = 0; i < others.count && !isInterrupted(); ++i) {
    const uint64_t number = others.at(i);
    if (number == others.own)
      continue;
    goOn(number);
    if (!m_ended.contains(number))
      waiting.push_back(number);
    if (waiting.size() >= mostHeld())
      takeTurns();
    // The rest may help later.
    if (waiting.size() >= mostHeld())
      break;
    if (m_progress && i % kReportInterval == 0)
      m_progress(i, others.count);
  }
  takeTurns();
  m_look.reset();
  m_firstLook.reset();
  m_stepper->beginHere();
}

} // namespace tilescope::compiler::stepping
