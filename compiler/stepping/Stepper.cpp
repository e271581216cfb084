// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/stepping/Stepper.h"

#include "compiler/interpreter/Operations.h"

#include <algorithm>
#include <utility>

namespace tilescope::compiler::stepping {

using namespace interpreter;
using Clock = std::chrono::steady_clock;

/// Elements that are computed between two looks at the clock: some microseconds.
static constexpr uint64_t kWeightPerLook = uint64_t{1} << 14;
static constexpr uint64_t kWeightOfInstruction = 64;
/// Keeping a checkpoint takes at most this part of the time.
static constexpr int kMostShare = 3;
static constexpr std::chrono::milliseconds kMostSpacing(40);

uint64_t numberOf(const ProgramId &id, const std::array<int32_t, 3> &grid) {
  return static_cast<uint64_t>(id[0]) +
         static_cast<uint64_t>(grid[0]) *
             (static_cast<uint64_t>(id[1]) +
              static_cast<uint64_t>(grid[1]) * static_cast<uint64_t>(id[2]));
}

ProgramId idOf(uint64_t number, const std::array<int32_t, 3> &grid) {
  const auto x = static_cast<uint64_t>(grid[0]), y = static_cast<uint64_t>(grid[1]);
  return {static_cast<int32_t>(number % x), static_cast<int32_t>(number / x % y),
          static_cast<int32_t>(number / x / y)};
}

/// About how long an instruction takes, in elements.
static uint64_t weightOf(const Instruction &op, const Program &program) {
  uint64_t weight = kWeightOfInstruction;
  if (op.numOut > 0)
    weight += static_cast<uint64_t>(program.values[op.out].shape.count);
  if (!op.in.empty() && op.in[0] != kNoValue)
    weight += static_cast<uint64_t>(program.values[op.in[0]].shape.count);
  if (op.run == runDot || op.run == runDotScaled || op.region)
    weight += kWeightPerLook;
  return weight;
}

Stepper::Stepper(Execution &execution, StepperOptions options)
    : m_execution(execution), m_options(std::move(options)), m_lastCheckpoint(Clock::now()),
      m_spacing(m_options.spacing) {
  m_checkpoints.emplace_back();
}

SteppedProgram &Stepper::program(uint64_t number) {
  std::unique_ptr<SteppedProgram> &found = m_programs[number];
  if (!found) {
    found = m_spare ? std::move(m_spare) : std::make_unique<SteppedProgram>(m_execution, m_kept);
    m_options.setArguments(found->frame);
    found->reset(idOf(number, m_execution.grid));
    found->frame.writeObserver = &m_journal;
    // Each look is a step.
    found->frame.isStepped = true;
    found->frame.patience = 1;
  }
  return *found;
}

void Stepper::choose(const ProgramId &chosen) {
  m_chosen = chosen;
  m_number = numberOf(chosen, m_execution.grid);
  m_current = &program(m_number);
}

void Stepper::drop(const ProgramId &program) {
  const auto found = m_programs.find(numberOf(program, m_execution.grid));
  m_spare = std::move(found->second);
  m_programs.erase(found);
}

void Stepper::beginHere() {
  m_journal.take();
  m_schedule.clear();
  m_checkpoints.clear();
  m_begin = m_time;
  m_keepsHistory = true;
  Checkpoint first;
  first.time = m_time;
  for (const auto &[number, each] : m_programs)
    first.programs[number] = each->save();
  m_checkpoints.push_back(std::move(first));
  m_lastCheckpoint = Clock::now();
}

bool Stepper::holds(const ProgramId &program) const {
  return m_programs.contains(numberOf(program, m_execution.grid));
}

uint64_t Stepper::ownTime() const {
  uint64_t count = 0;
  for (const Turn &turn : m_schedule)
    count += turn.program == m_number ? turn.count : 0;
  return count;
}

std::vector<ProgramId> Stepper::underWay() const {
  std::vector<ProgramId> programs;
  for (const auto &[number, each] : m_programs)
    if (each->frame.next() > 0 && !each->frame.isAtEnd())
      programs.push_back(idOf(number, m_execution.grid));
  return programs;
}

size_t Stepper::keptBytes() const {
  size_t bytes = *m_kept + m_journal.pages().bytes();
  for (const Checkpoint &checkpoint : m_checkpoints)
    bytes += checkpoint.pages.bytes();
  return bytes;
}

void Stepper::stepOnce(SteppedProgram &each) {
  const uint32_t at = each.frame.next();
  if (m_options.isStop[at]) {
    each.trace.lastStop = at;
    each.trace.jumpDepth = StopTrace::kNoJump;
    each.trace.executed.resize(m_options.isStop.size());
    each.trace.executed[at] = true;
  }
  each.step(++m_time);
  m_isInVain = each.frame.isParked();
  if (m_isInVain)
    each.frame.unpark();
  if (each.frame.next() <= at)
    each.trace.jumpDepth = std::min(each.trace.jumpDepth, m_options.depths[at]);
}

bool Stepper::execute() {
  if (m_current->frame.isAtEnd())
    return false;
  const Program &code = *m_execution.program;
  m_weight += weightOf(code.code[m_current->frame.next()], code);
  if (m_weight >= kWeightPerLook) {
    m_weight = 0;
    m_current->frame.restartClock();
    if (m_keepsHistory && Clock::now() - m_lastCheckpoint >= m_spacing)
      addCheckpoint();
  }
  if (m_keepsHistory) {
    if (m_schedule.empty() || m_schedule.back().program != m_number)
      m_schedule.push_back({m_number, 0});
    ++m_schedule.back().count;
  }
  stepOnce(*m_current);
  return true;
}

bool Stepper::takeBack(uint64_t time, const std::shared_ptr<const ProgramSnapshot> &state) {
  const uint64_t count = m_time - time;
  if (m_checkpoints.back().time > time || m_schedule.empty() ||
      m_schedule.back().program != m_number || m_schedule.back().count < count)
    return false;
  m_current->restore(state);
  m_schedule.back().count -= count;
  if (m_schedule.back().count == 0)
    m_schedule.pop_back();
  m_time = time;
  return true;
}

void Stepper::addCheckpoint() {
  const auto start = Clock::now();
  if (m_checkpoints.back().time == m_time)
    return;
  Checkpoint added;
  added.time = m_time;
  for (const auto &[number, each] : m_programs)
    added.programs[number] = each->save();
  added.pages = m_journal.take();
  m_checkpoints.push_back(std::move(added));
  if (keptBytes() > m_options.mostBytes)
    thinOut();
  m_lastCheckpoint = Clock::now();
  m_spacing = std::clamp<std::chrono::nanoseconds>(kMostShare * (m_lastCheckpoint - start),
                                                   m_options.spacing, kMostSpacing);
}

void Stepper::thinOut() {
  std::vector<Checkpoint> left;
  WrittenPages older;
  // The first is where everything began; the last is the nearest.
  for (size_t i = 0; i < m_checkpoints.size(); ++i) {
    m_checkpoints[i].pages.addOlder(std::exchange(older, {}));
    if (i % 2 == 1 && i + 1 < m_checkpoints.size())
      older = std::move(m_checkpoints[i].pages);
    else
      left.push_back(std::move(m_checkpoints[i]));
  }
  m_checkpoints = std::move(left);
}

void Stepper::restore(uint64_t time) {
  m_journal.take().restore();
  while (m_checkpoints.size() > 1 && m_checkpoints.back().time > time) {
    m_checkpoints.back().pages.restore();
    m_checkpoints.pop_back();
  }
  const Checkpoint &to = m_checkpoints.back();
  for (auto &[number, each] : m_programs) {
    const auto saved = to.programs.find(number);
    if (saved == to.programs.end())
      each->reset(idOf(number, m_execution.grid));
    else
      each->restore(saved->second);
  }
  m_time = to.time;
  m_lastCheckpoint = Clock::now();
}

void Stepper::replay(uint64_t until, const std::function<void()> &before) {
  uint64_t begin = m_begin;
  uint64_t sinceClock = 0;
  for (const Turn &turn : m_schedule) {
    const uint64_t end = begin + turn.count;
    if (m_time < end && m_time < until) {
      SteppedProgram &each = program(turn.program);
      for (; m_time < std::min(end, until);) {
        if (before && turn.program == m_number)
          before();
        if (++sinceClock % 1024 == 0)
          each.frame.restartClock();
        stepOnce(each);
      }
    }
    begin = end;
  }
}

void Stepper::forgetFuture() {
  uint64_t begin = m_begin;
  for (size_t i = 0; i < m_schedule.size(); ++i) {
    if (begin + m_schedule[i].count >= m_time) {
      m_schedule[i].count = m_time - begin;
      m_schedule.resize(m_schedule[i].count > 0 ? i + 1 : i);
      return;
    }
    begin += m_schedule[i].count;
  }
}

void Stepper::goTo(uint64_t time) {
  restore(time);
  replay(time);
  forgetFuture();
}

bool Stepper::goBack(const Visit &visit, const std::function<bool()> &stop) {
  uint64_t end = m_time;
  while (end > m_begin) {
    restore(end - 1);
    const uint64_t begin = m_time;
    std::optional<uint64_t> last;
    replay(end, [&] {
      if (visit())
        last = m_time;
    });
    if (last) {
      goTo(*last);
      return true;
    }
    if (stop && stop()) {
      forgetFuture();
      return false;
    }
    end = begin;
  }
  goToBegin();
  return false;
}

void Stepper::goToBegin() {
  uint64_t begin = m_begin;
  for (const Turn &turn : m_schedule) {
    if (turn.program == m_number)
      return goTo(begin);
    begin += turn.count;
  }
}

} // namespace tilescope::compiler::stepping
