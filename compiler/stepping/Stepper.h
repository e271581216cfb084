// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Programs of a grid, executed one instruction at a time in an order that the user chooses, forward
// and back.
//
// Time is the number of instructions that were executed, of all programs together; the schedule
// says whose they were. Execution is deterministic, so an earlier moment is the nearest checkpoint
// before it, executed on from there:
//
//   time        0 ─────── 400 ─────── 800 ── 950      three checkpoints, now at 950
//   schedule    program 0: 600     program 1: 350
//
//   back by one: restore 800, execute 149 instructions; the future is forgotten
//
// Checkpoints are as far apart as a user does not notice. They share the values that were not
// computed between them; what they hold of the arguments' memory are the pages that were written
// since the one before. When they take too much room, every second one goes.
#pragma once

#include "compiler/stepping/MemoryJournal.h"
#include "compiler/stepping/Snapshot.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>

namespace tilescope::compiler::stepping {

using ProgramId = std::array<int32_t, 3>;

/// A program by its place in the order of the grid, from 0.
uint64_t numberOf(const ProgramId &id, const std::array<int32_t, 3> &grid);
ProgramId idOf(uint64_t number, const std::array<int32_t, 3> &grid);

struct StepperOptions {
  /// What checkpoints may hold.
  size_t mostBytes = size_t{512} << 20;
  /// Between two of them.
  std::chrono::nanoseconds spacing = std::chrono::milliseconds(15);
  /// By instruction: whether a user can stop in front of it, and how many calls it is in.
  std::vector<bool> isStop;
  std::vector<int32_t> depths;
  /// Puts the arguments where a program reads them.
  std::function<void(interpreter::Frame &)> setArguments;
};

class Stepper {
public:
  /// The execution stays where it is for as long as the stepper lives.
  Stepper(interpreter::Execution &execution, StepperOptions options);

  /// The program that `execute` goes on with; it begins when it is chosen first.
  void choose(const ProgramId &program);
  const ProgramId &chosen() const { return m_chosen; }
  /// How far the chosen program is. The frame may change where values are read.
  SteppedProgram &current() { return *m_current; }
  uint64_t time() const { return m_time; }
  /// Instructions that the chosen program has executed.
  uint64_t ownTime() const;
  /// Whether a program was chosen before, and how many were: each takes memory.
  bool holds(const ProgramId &program) const;
  size_t numHeld() const { return m_programs.size(); }
  /// The programs that have begun and have not ended.
  std::vector<ProgramId> underWay() const;

  // Before the user's moves: what cannot be stepped back over.
  /// Until `beginHere`, nothing is kept to return to.
  void beginLater() { m_keepsHistory = false; }
  /// A program that has ended is not needed any longer. Another one has to be chosen.
  void drop(const ProgramId &program);
  /// This is the first moment, and all programs that are held have begun before it.
  void beginHere();

  /// Executes one instruction of the chosen program; false at its end.
  bool execute();
  /// That instruction has looked for what others do, in vain, and is executed again.
  bool isInVain() const { return m_isInVain; }
  /// Takes back what the chosen program alone has executed since it was in that state, and which has
  /// changed nothing but its own values. False: it has to stay.
  bool takeBack(uint64_t time, const std::shared_ptr<const ProgramSnapshot> &state);

  /// Returns to an earlier moment; what came after it is forgotten. The chosen program stays.
  void goTo(uint64_t time);
  /// Asked in front of each instruction of the chosen program that is executed again.
  using Visit = std::function<bool()>;
  /// Returns to the last earlier moment, of those at which the chosen program goes on, for which
  /// `visit` is true. False: there is none, and it is where the program begins, or else where `stop`
  /// has ended the search.
  bool goBack(const Visit &visit, const std::function<bool()> &stop = {});
  /// To where the chosen program begins.
  void goToBegin();

  size_t numCheckpoints() const { return m_checkpoints.size(); }
  size_t keptBytes() const;

private:
  struct Turn {
    uint64_t program = 0;
    uint64_t count = 0;
  };
  struct Checkpoint {
    uint64_t time = 0;
    std::map<uint64_t, std::shared_ptr<const ProgramSnapshot>> programs;
    /// As they were at the checkpoint before.
    WrittenPages pages;
  };

  void addCheckpoint();
  void thinOut();
  /// To the last checkpoint that is not behind `time`.
  void restore(uint64_t time);
  /// From where it is, as the schedule says.
  void replay(uint64_t until, const std::function<void()> &before = {});
  void forgetFuture();
  SteppedProgram &program(uint64_t number);
  void stepOnce(SteppedProgram &program);

  interpreter::Execution &m_execution;
  StepperOptions m_options;
  KeptBytes m_kept = std::make_shared<size_t>(0);
  MemoryJournal m_journal;
  std::map<uint64_t, std::unique_ptr<SteppedProgram>> m_programs;
  /// Of one that was dropped, for the next one to begin; may be null.
  std::unique_ptr<SteppedProgram> m_spare;
  ProgramId m_chosen{};
  uint64_t m_number = 0;
  SteppedProgram *m_current = nullptr;
  uint64_t m_time = 0;
  /// The first moment.
  uint64_t m_begin = 0;
  bool m_keepsHistory = true;
  bool m_isInVain = false;
  std::vector<Turn> m_schedule;
  std::vector<Checkpoint> m_checkpoints;
  std::chrono::steady_clock::time_point m_lastCheckpoint;
  std::chrono::nanoseconds m_spacing;
  /// Work since the last look at the clock.
  uint64_t m_weight = 0;
};

} // namespace tilescope::compiler::stepping
