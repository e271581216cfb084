// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/native/NativeKernel.h"
#include "compiler/native/ProgramCalls.h"

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace tilescope::native {

class ProgramThreads;

struct GridOptions {
  std::array<int32_t, 3> grid{1, 1, 1};
  /// 0: one per processor.
  unsigned numThreads = 0;
  /// Not owned; null: threads of this grid alone.
  ProgramThreads *threads = nullptr;
  /// Ends all programs that are being executed, too.
  std::stop_token stop = {};
  /// Time that one program may take before it is stopped as endless; 0: no limit.
  std::chrono::nanoseconds maxProgramDuration = std::chrono::seconds(60);
  /// Prints kept; the programs' order decides which.
  size_t maxPrints = 10000;
  /// Told how many programs have ended, a few times a second, by another thread.
  std::function<void(uint64_t done, uint64_t total)> progress = {};
};

/// A program that did not come to its end, and where it was.
struct GridFault {
  std::array<int32_t, 3> programId{};
  /// As the system counts signals; 0: it took too long.
  int signal = 0;
  /// The innermost first; empty: not known.
  std::vector<CodePlace> places;
};

/// An assertion that did not hold. It ends its program; the others go on.
struct FailedAssertion {
  /// Of `NativeKernel::assertions`.
  size_t number = 0;
  /// The first program in which it did not hold, and the first element there.
  std::array<int32_t, 3> programId{};
  int64_t element = 0;
  uint64_t numPrograms = 1;
};

/// What programs accessed outside of the arguments by one access; it was left out, and they went on.
struct OutsideAccess {
  /// Its number among `NativeKernel::checkedAccesses`.
  size_t access = 0;
  /// The first program that did.
  std::array<int32_t, 3> programId{};
  /// Of this program.
  compiler::interpreter::OutsideElements elements;
  uint64_t numPrograms = 1;
};

struct GridOutcome {
  /// Every program ran to its end.
  bool completed = false;
  /// In the order of the first programs, then of the source.
  std::vector<FailedAssertion> assertions = {};
  /// The first one; nothing where there was none, or the grid was stopped.
  std::optional<GridFault> fault = {};
  /// Where bounds are checked, in the same order.
  std::vector<OutsideAccess> outside = {};
  /// In the order of the programs, and of one program in that in which it printed.
  std::vector<ProgramPrint> prints = {};
  /// Where doubts are noted: programs may have written other values to one element. The grid ends with the
  /// first one.
  bool hasRace = false;
  /// Programs in which undefined values may be stored or decide something, from the first one on.
  std::vector<uint64_t> doubtful = {};
};

/// Executes all programs, those with low indices first; ends with the first fault. Other threads join only where
/// there is enough to do, which the last grid of the kernel tells, or the beginning of this one. `arguments`: a word
/// each, as `Program` takes them; where the kernel checks bounds, behind them the bytes of each
/// argument's memory; where it notes doubts, behind these the address of each one's table of marks, all 0.
GridOutcome runGrid(const NativeKernel &kernel, std::span<const uint64_t> arguments,
                    const GridOptions &options);

} // namespace tilescope::native
