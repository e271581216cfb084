// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which addresses one program accessed, and which lanes: what pictures of accesses are made from.
#pragma once

#include "compiler/artifacts/BulkRecord.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tilescope::compiler {

/// How code generation cut an access into instructions: what its instructions have in common.
struct AccessCut {
  int32_t elementBytes = 4;
  /// Elements that one lane moves at once, and the bits of the register's number that tell them
  /// apart; no bits: they follow each other.
  int32_t vectorElements = 1;
  uint32_t vectorRegisters = 0;
  int32_t numWarps = 4;
  /// Lanes from here on take no part, as with an `ldmatrix` that reads fewer than four matrices.
  int32_t numLanes = 32;
  /// Threads whose number has any of these bits hold copies and are off.
  uint32_t idleThreads = 0;
  /// Warps of which all lanes are off jump over the instruction.
  bool isJumpedOver = false;
  bool operator==(const AccessCut &) const = default;
};

/// The same with the elements that each thread moves, as plain numbers: a bit of the number of a
/// register, lane or warp changes the number of the element by XOR with its entry here.
///
/// Example: 256 elements, 4 warps, two neighbors a thread, moved by one instruction: registers {1},
/// lanes {2, 4, 8, 16, 32}, warps {64, 128}, vectorRegisters 1. Lane 3 of warp 1 moves 64 + 6, 7.
struct AccessLanes : AccessCut {
  std::vector<uint64_t> registers, lanes, warps;
  /// Of shared memory: so many elements are put behind every interval.
  std::vector<std::pair<uint32_t, uint32_t>> padding;
  bool operator==(const AccessLanes &) const = default;
};

/// One execution of an access to global memory by the program.
struct RecordedExecution {
  /// How often the program had executed the access before.
  uint64_t iteration = 0;
  /// The address of an element is `base` + sum of `step[d]` * index[d], unless they are listed.
  int64_t base = 0;
  std::vector<int64_t> step;
  /// Row by row.
  std::vector<int64_t> addresses;
  /// A bit for each element: whether it is on; empty: all are.
  std::vector<uint64_t> mask;
  bool operator==(const RecordedExecution &) const = default;
};

/// One kind of instruction that an operation became, in the order of `MemoryFacts::accesses`.
struct RecordedAccess {
  AccessLanes lanes;
  /// Of the block, outermost first; empty for a scalar, and for shared memory.
  std::vector<int64_t> shape;
  /// By the program.
  uint64_t numExecutions = 0;
  /// Those that were asked for, as far as there was room. Shared memory needs none: the lanes tell
  /// its offsets.
  std::vector<RecordedExecution> executions;
  bool operator==(const RecordedAccess &) const = default;
};

/// The memory of an argument.
struct RecordedArgument {
  std::string name;
  /// Of the first element, in the addresses of the executions.
  int64_t address = 0;
  /// Empty and 0 where it is not known.
  std::vector<int64_t> shape;
  int32_t elementBytes = 0;
  bool operator==(const RecordedArgument &) const = default;
};

/// The accesses of one program of a launch.
struct AccessRecord {
  std::array<int32_t, 3> program{};
  std::vector<RecordedAccess> accesses;
  /// In the order of the operations.
  std::vector<RecordedBulkCopy> bulkCopies;
  std::vector<RecordedArgument> arguments;
  bool operator==(const AccessRecord &) const = default;
};

/// What is recorded: the first executions of every access, but for one of them the executions from
/// `iteration` on.
struct RecordRequest {
  uint32_t access = 0;
  uint64_t iteration = 0;
  bool operator==(const RecordRequest &) const = default;
};

} // namespace tilescope::compiler
