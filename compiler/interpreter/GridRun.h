// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Executes the programs of a grid on several threads.
//
// A program that waits for others, by looking again and again at what they change, is set aside
// after a while, and its thread goes on with another one: with one that was set aside before, or,
// when all of those have looked in vain, with one that has not begun. So as many programs run at
// once as on a GPU (up to `kMostResident`), whatever the number of processors is, and a barrier over
// the grid ends. When all of them wait, nothing changes any more, and none may begin, the loops in
// which they wait are endless.
#pragma once

#include "compiler/interpreter/Interpreter.h"
#include "compiler/interpreter/PreparedKernel.h"
#include "compiler/interpreter/Turns.h"

#include <memory>
#include <vector>

namespace tilescope::compiler::interpreter {

/// Programs that have begun and not ended, where their memory allows it.
inline constexpr size_t kMostResident = 8192;

/// Which programs are executed, in which order.
struct ProgramSequence {
  uint64_t count = 0;
  std::function<std::array<int32_t, 3>(uint64_t)> at;
  /// So many run at once and take turns. 0: one goes on for as long as it does not wait.
  size_t numTakingTurns = 0;
  Turns turns = Turns::Eager;
  /// Of what is drawn.
  uint32_t seed = 0;
};

/// Programs that waited for others which had not begun (`WaitingPrograms`).
struct WaitInVain {
  uint64_t inVain = 0;
  uint64_t atOnce = 0;
  std::array<int32_t, 3> programId{};
  /// Index into the program's locations.
  uint32_t location = 0;
};

struct RunGrid {
  /// In which programs ran.
  std::vector<std::unique_ptr<Frame>> frames;
  WaitInVain waiting;
};

/// Runs all programs. `observer` makes the observer of a
/// thread, whose programs are then never set aside; null: there is none. Throws std::bad_alloc.
RunGrid runGrid(const PreparedKernel &kernel, const ProgramSequence &programs, unsigned numThreads,
                const InterpreterOptions &options,
                const std::function<AccessObserver &()> &observer);

} // namespace tilescope::compiler::interpreter
