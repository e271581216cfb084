// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Step mode over a launch: takes what the user wants, and says where the programs are then.
//
// Lines. An instruction belongs to a line of each function that it is in. A user who steps over
// calls at some depth stops in front of the first instruction of a line, seen from that depth:
//
//   10  y = f(x)      f's instructions have the stack (f:3, kernel:10); from the depth of `kernel`
//   11  z = y + 1     they are line 10, so that the next stop is line 11
//
// A line begins when the one before it was another, or when a loop at this depth has begun anew.
// That does not depend on the direction, so stepping back stops where stepping forward does. The
// line of a call and the first line of what it calls may begin with the same instruction: which of
// them the user stands at is the level, and stepping into the call only makes it deeper.
#pragma once

#include "compiler/interpreter/Frame.h"
#include "compiler/stepping/StepListing.h"
#include "compiler/stepping/StepValues.h"
#include "compiler/stepping/Stepper.h"

#include <optional>
#include <set>
#include <stop_token>

namespace tilescope::compiler::stepping {

struct SessionOptions {
  /// Puts the arguments where a program reads them.
  std::function<void(interpreter::Frame &)> setArguments;
  /// Fills the memory of the arguments as the launch says.
  std::function<void()> resetMemory;
  size_t mostBytes = size_t{512} << 20;
};

class StepSession {
public:
  /// The execution and the listing stay where they are.
  StepSession(interpreter::Execution &execution, const StepListing &listing,
              SessionOptions options);
  ~StepSession();

  using Progress = std::function<void(uint64_t done, uint64_t total)>;
  /// Does what the command says, and looks. `stop` ends it where it is then.
  StepState perform(const StepCommand &command, std::stop_token stop = {},
                    const Progress &progress = {});

  Stepper &stepper() { return *m_stepper; }

private:
  /// Of any depth of calls.
  static constexpr int32_t kAnyDepth = StopTrace::kNoJump - 1;

  struct Breakpoint;
  /// Why a move has ended.
  struct Stop {
    std::string reason;
    bool isFault = false;
    /// The depth of calls at which the user stands then; -1: the innermost.
    int32_t level = -1;
  };

  void restart(const StepCommand &command);

  // Programs that run before the chosen one (StepOthers.cpp).
  struct Others;
  void runOthers(const StepCommand &command);
  /// Each from start to end.
  void runEach(const Others &others);
  /// Each until it ends or waits; those that wait go on when others have worked, and help later.
  void runTogether(const Others &others);
  /// True: the program has done something, and may have ended.
  bool goOn(uint64_t number);
  /// Whether a program may wait for others in a loop of its own.
  bool mayWait() const;
  void noteEarlierFindings(const interpreter::Frame &frame);

  void setBreakpoints(const StepCommand &command);
  int32_t boundLine(const StepBreakpoint &breakpoint) const;
  void move(const StepCommand &command);
  /// Until it is done, or something stops it; `passesFirst`: where it stands does not count.
  void moveForward(const StepCommand &command, const std::function<bool()> &isDone,
                   bool passesFirst = true);
  void moveBack(const StepCommand &command, const std::function<bool()> &isDone);
  bool executeOne(const StepCommand &command);

  // Programs that wait for others (StepWaits.cpp).
  /// Whether the chosen program, which has executed the instruction at `at`, waits for others: it is
  /// where it was before, and nothing has changed.
  bool isWaiting(uint32_t at);
  /// How many programs may have begun: each takes memory.
  size_t mostHeld() const;
  /// Chooses a program and lets it work until it ends or waits. True: it has changed something.
  bool letWork(const ProgramId &program);
  /// Lets the next of the other programs work, until it ends or waits itself. False: none has
  /// anything to do.
  bool letOtherWork();
  void noteHelpers();
  /// Of the document, at the last place at which a user could stop; -1: there is none.
  int32_t lineHere();
  /// That it waits for ever.
  Stop waitsForever() const;
  void watchElement(const ArgumentElement &element);
  /// As messages name it; of the watched argument.
  std::string nameOf(const ArgumentElement &element) const;
  /// What the store that is next writes to an element; empty: it is not known.
  std::string valueToWrite(const ArgumentElement &element);
  /// Whether a line begins here, for someone who stays at this depth.
  bool isLineStart(int32_t depth) const;
  bool isSameLine(uint32_t a, uint32_t b, int32_t depth) const;
  /// Of lines, or of operations, for someone who stands at this depth.
  bool isStepStart(const StepCommand &command, int32_t level) const;
  int32_t depthHere() const;
  /// The outermost depth, up to one, at which a line begins here.
  int32_t levelOfLine(int32_t most) const;
  /// The breakpoint that stops here, if there is one; only of functions that are deeper than `above`.
  std::optional<Stop> breakpointHere(int32_t above = -1);
  std::optional<Stop> stopOf(const Breakpoint &breakpoint, uint32_t frame);
  void stopAt(Stop stop);
  void stepForward(const StepCommand &command, int32_t level);
  void stepBack(const StepCommand &command, int32_t level);
  void stepBackOut(const StepCommand &command);
  StepState look(const StepCommand &command);
  bool isInterrupted() const { return m_stop.stop_requested(); }

  /// Instructions between two looks at the stop.
  static constexpr uint64_t kStopInterval = 256;

  interpreter::Execution &m_execution;
  const StepListing &m_listing;
  SessionOptions m_options;
  std::unique_ptr<Stepper> m_stepper;
  StepValues m_values;
  std::vector<Breakpoint> m_breakpoints;
  std::vector<StepBreakpoint> m_asked;
  /// The last of them is where a user wants to go once.
  bool m_hasCursor = false;
  /// By instruction: some breakpoint may stop there.
  std::vector<bool> m_mayBreak;
  std::stop_token m_stop;
  Progress m_progress;
  Stop m_why;
  /// The depth of calls at which the user stands: the line of a call is not its first callee's.
  int32_t m_level = 0;
  /// Where the chosen program looked at others last, and has changed nothing since.
  struct Look {
    uint64_t time = 0;
    std::shared_ptr<const ProgramSnapshot> state;
  };
  std::optional<Look> m_look;
  /// Since which it has looked in vain.
  std::optional<Look> m_firstLook;
  /// The next of the other programs to work, and how many have had nothing to do, one after another.
  uint64_t m_nextHelper = 0, m_helpersInVain = 0;
  /// Those that worked in this move; and the line in which the chosen program waited for them.
  std::set<uint64_t> m_helpers;
  /// More of them would take too much memory.
  bool m_lacksRoom = false;
  int32_t m_waitLine = -1;
  /// Programs that have ended before the chosen one began.
  std::set<uint64_t> m_ended;
  /// Found by programs that ran before.
  std::vector<std::string> m_earlierFindings;
  /// The fault in front of which it has stopped: it is let pass once.
  uint64_t m_passedAt = UINT64_MAX;
};

} // namespace tilescope::compiler::stepping
