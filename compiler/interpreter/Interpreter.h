// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Executes TTIR on the CPU: every program of the grid, in parallel, without a GPU.
//
// The IR is translated once per launch to a flat list of instructions, each of which works on whole
// blocks (compiler/interpreter/Program.h says how). The result is what the kernel means: IEEE
// arithmetic in the types of the kernel, no contraction, no reduced precision.
#pragma once

#include "compiler/artifacts/Interpretation.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
}

namespace tilescope::compiler {

/// One argument of the kernel's function, in the order of the function's parameters.
struct InterpreterArgument {
  /// For messages.
  std::string name;
  /// Memory of a pointer argument, which the kernel reads and writes. Two arguments may share
  /// memory.
  std::byte *data = nullptr;
  size_t sizeBytes = 0;
  /// Report how many of its elements no program has written (`Interpretation::unwritten`).
  bool countUnwritten = false;
  /// It is known what the kernel shall leave in it. Where this is so of no argument, all that the
  /// kernel changes count as its results.
  bool isExpected = false;
  /// Value of a scalar argument: an integer (sign- or zero-extended), or the bits of a float of its
  /// own width.
  uint64_t bits = 0;
  /// Of a tensor, for messages; empty: it is not known.
  std::vector<int64_t> shape = {};
};

/// How the kernel is launched.
struct InterpreterLaunch {
  std::array<int32_t, 3> grid{1, 1, 1};
  std::vector<InterpreterArgument> arguments;
  /// Elements whose last writers are wanted; a few.
  std::vector<ArgumentElement> watches = {};
};

/// A load or store of each program, at the place of an operation, as `mlir::Location` has it.
struct WarpAccess {
  const void *place = nullptr;
  bool isStore = false;
  /// The warp that holds each element of its block, row-major; one for a scalar. `kEveryWarp`: all of them.
  std::shared_ptr<const std::vector<uint16_t>> warps;
};

inline constexpr uint16_t kEveryWarp = UINT16_MAX;

/// Two of which at least one is a store, and between which nothing makes the warps of a program wait.
struct UnorderedAccesses {
  WarpAccess first;
  WarpAccess then;
};

/// What is known of the warps of a kernel's programs.
struct WarpOrder {
  std::vector<UnorderedAccesses> unordered;
  /// The places of operations at which they wait for each other.
  std::vector<const void *> waits;
};

struct InterpreterOptions {
  /// Name of the function; empty: the only public one.
  std::string kernel;
  /// 0: one per processor.
  unsigned numThreads = 0;
  /// Findings kept; all are counted.
  size_t maxFindings = 100;
  /// Prints kept.
  size_t maxPrints = 10000;
  /// Instructions that one program may execute before it is stopped as endless; 0: no limit.
  uint64_t maxInstructionsPerProgram = 1'000'000'000;
  /// Time that one program may take before it is stopped as endless; 0: no limit.
  std::chrono::nanoseconds maxProgramDuration = std::chrono::seconds(60);
  /// As in `InterpretInput`.
  uint32_t repeats = 0;
  /// Report stores of two programs, or of one store, to one element with different values; and
  /// results that depend on the order in which programs come to atomic operations.
  bool findRaces = true;
  /// With it: accesses of different warps to one element, among these.
  WarpOrder warps = {};
  /// Report values that a masked-off load left undefined where they reach a store or an address.
  bool findUndefined = true;
  /// Of loads with a mask and without `other`, only those at this place leave something undefined.
  std::optional<SourceRange> onlyUndefined = std::nullopt;
  /// Elements that loads read outside of every argument count as undefined, too.
  bool isOutsideUndefined = false;
  /// Note where integers of 32 bits wrap around, and numbers become infinite in fp16.
  bool findsLostNumbers = false;
  /// Told a few times a second how many programs have ended; called from its own thread.
  std::function<void(uint64_t done, uint64_t total)> progress;
  /// Drop what tensor cores ignore of the factors of dots that ask for tf32. Off: exact products.
  bool truncateToTf32 = false;
  /// Ends the run early; the outcome is then `cancelled`.
  std::stop_token stop;
  /// Of the GPU that is meant: how many programs wait for others that have not begun is found out in
  /// multiples of it. 0: about.
  uint32_t multiprocessors = 0;
  /// Paths that keep their index in `Interpretation::files`.
  std::vector<std::string> files;
};

/// Executes the kernel over the whole grid. The module is not changed.
Interpretation interpret(mlir::ModuleOp module, const InterpreterLaunch &launch,
                         const InterpreterOptions &options = {});

/// Executes some of the grid's programs, by their numbers (x runs fastest), one behind the other.
Interpretation interpretPrograms(mlir::ModuleOp module, const InterpreterLaunch &launch,
                                 const InterpreterOptions &options,
                                 const std::vector<uint64_t> &programs);

} // namespace tilescope::compiler
