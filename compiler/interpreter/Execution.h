// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What all threads of a run share, and what they find.
#pragma once

#include "compiler/artifacts/Interpretation.h"
#include "compiler/interpreter/AccessOutcomes.h"
#include "compiler/interpreter/FilledLoads.h"
#include "compiler/interpreter/LockHolders.h"
#include "compiler/interpreter/LostNumbers.h"
#include "compiler/interpreter/MemoryArea.h"
#include "compiler/interpreter/Program.h"
#include "compiler/interpreter/ProgramOrder.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <set>
#include <stop_token>

namespace tilescope::compiler::interpreter {

/// Constant during the run.
struct Execution {
  const Program *program = nullptr;
  /// The twin of `program` that tracks which elements are defined (Definedness.h); null: none.
  const Program *definedness = nullptr;
  std::array<int32_t, 3> grid{1, 1, 1};
  std::vector<MemoryArea> areas;
  std::vector<Watch> watches;
  /// Of writes to watched elements.
  mutable std::atomic<uint64_t> watchedWrites = 0;
  /// By number of an access that warps may race with: its location.
  std::vector<uint32_t> accessLocations;
  AccessOutcomes writes, reads;
  FilledLoads filledLoads;
  LostNumbers lostNumbers;
  /// Null: what orders programs is not followed.
  std::unique_ptr<ReleaseClocks> releases;
  /// Of locks for which programs wait.
  mutable LockHolders lockHolders;
  /// Programs that were begun.
  mutable std::atomic<uint32_t> numBegun = 0;
  bool findConflicts = false;
  size_t maxFindings = 0;
  size_t maxPrints = 0;
  uint64_t maxInstructionsPerProgram = 0;
  std::chrono::nanoseconds maxProgramDuration{};
  bool truncateToTf32 = false;
  /// By location: loads whose masks leave nothing undefined, whatever they are; empty: none.
  std::vector<uint8_t> takenAsDefined;
  /// What loads read outside of all areas.
  bool isOutsideUndefined = false;
  std::stop_token stop;
};

/// What follows from two accesses in no order.
inline constexpr const char *kChance = "which comes first is chance";

/// A finding whose place is still the number of a location.
struct RawFinding {
  uint32_t location = 0;
  InterpreterFinding finding;
  /// Counted last in `finding.numPrograms`.
  std::array<int32_t, 3> lastProgram{};
  /// Of an access that races with another one: where that is, and what to do about it, in which `%`
  /// stands for the argument in backticks.
  std::optional<uint32_t> other = std::nullopt;
  const char *cure = "";
  const char *effect = kChance;
  /// The programs in `finding.numPrograms`, by number, up to `kMostNamedPrograms`: a race may be found from
  /// either side, and again. Of more it is only counted when the program changes.
  std::set<uint64_t> programs = {};
};
inline constexpr size_t kMostNamedPrograms = 4096;

struct RawPrint {
  uint32_t location = 0;
  InterpreterPrint print;
};

/// Is told of memory that is about to be written: to be able to take it back.
class WriteObserver {
public:
  virtual ~WriteObserver() = default;
  /// `size` bytes from an offset of the area on, all of them inside it.
  virtual void beforeWrite(const MemoryArea &area, int64_t offset, size_t size) = 0;
};

} // namespace tilescope::compiler::interpreter
