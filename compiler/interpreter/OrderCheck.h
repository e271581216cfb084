// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Whether the order in which programs come to atomic operations decides what a kernel leaves:
//
//   place = tl.atomic_add(count_ptr, 1)        the first program that comes here gets 0
//   tl.store(out_ptr + place, x)
//
// No two accesses race here, and still out_ptr is another on each run of a GPU. Such a kernel is run
// again, with its programs in other orders, and what the runs leave is compared. Following the
// returned values to stores would be cheaper, but would also accuse what is right: the last of
// several programs, found by a counter, may sum up what all have left, and programs may take their
// tiles from a counter; both leave the same in any order.
//
// The other order also has other races. Of programs that take the items of a queue, each one takes
// its own while they run one after another:
//
//   tl.store(item_ptr + pid, x)
//   tl.atomic_add(tail_ptr, 1, sem="relaxed")
//   y = tl.load(item_ptr + tl.atomic_add(head_ptr, 1))
#pragma once

#include "compiler/interpreter/GridRun.h"

#include <chrono>
#include <ctime>
#include <optional>
#include <vector>

namespace tilescope::compiler::interpreter {

/// Neighbors that change places, and take turns (`Turns`), so that programs that wait for earlier
/// ones find them running.
inline constexpr uint64_t kReversedPrograms = 64;

/// Takes a run's arguments before it begins, and says afterwards what another order changes.
class OrderCheck {
public:
  /// Keeps the arguments' contents if the kernel has an atomic operation whose result it uses.
  OrderCheck(mlir::ModuleOp module, const InterpreterLaunch &launch,
             const InterpreterOptions &options);

  /// Whether the run, which has ended, is worth another one. Several orders are tried as long as that
  /// takes no time that is noticed: each may hide what the next one shows.
  bool isWanted(const Interpretation &result) const;
  /// What the second run may take; then it is stopped, and only races that it has found count. Where
  /// programs wait for each other, another order may take a hundred times as long.
  static std::chrono::nanoseconds longestSecond(const Interpretation &result);
  /// Of the second run: it looks for races, which another order may show.
  InterpreterOptions optionsAfter(const Interpretation &result) const;
  /// The programs of the grid in an order that was not tried.
  ProgramSequence otherOrder() const;

  /// Puts the contents from before the first run back, and keeps those that it has left.
  void beginSecond();
  /// Takes what the second run has left and restores what the first one has; adds the races that
  /// it has found, and if it has completed, the results that differ.
  void endSecond(Interpretation second, Interpretation &result);

private:
  struct Argument {
    size_t index = 0;
    /// Of an element in memory; nothing: as bytes.
    std::optional<Element> element;
    /// What it holds is what the kernel is run for.
    bool isResult = false;
    /// Others may depend on it.
    bool isRead = false;
    std::vector<std::byte> before = {}, first = {};
  };
  /// Whether a race leaves all arguments to chance: one of something that programs read.
  bool areAllByChance(const Interpretation &result) const;
  void report(const Argument &argument, size_t element, Interpretation &result) const;
  void add(InterpreterFinding finding, Interpretation &result) const;
  /// The first element that differs between the runs by more than sums in another order do.
  std::optional<size_t> firstDifference(const Argument &argument) const;

  const InterpreterLaunch &m_launch;
  const InterpreterOptions &m_options;
  /// The atomic operation that decides; null: there is none.
  mlir::Operation *m_ticket = nullptr;
  std::vector<Argument> m_arguments;
  /// Orders that were tried, and the time that they took.
  uint32_t m_numTried = 0;
  std::chrono::nanoseconds m_spent{};
  std::chrono::steady_clock::time_point m_since;
  std::clock_t m_processorSince = 0;
};

} // namespace tilescope::compiler::interpreter
