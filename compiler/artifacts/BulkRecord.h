// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which part of which tensor a bulk copy moves: what pictures of bulk copies are made from.
#pragma once

#include <cstdint>
#include <vector>

namespace tilescope::compiler {

/// What all executions of a bulk copy have in common.
struct BulkShape {
  bool isStore = false;
  int32_t elementBytes = 0;
  /// Of the block that is described, and of the boxes that it is cut into; outermost first.
  std::vector<int64_t> block, box;
  /// Of the buffer in shared memory: 0, 32, 64 or 128.
  int32_t swizzleBytes = 0;
  bool operator==(const BulkShape &) const = default;
};

/// One execution by the program. Lists are outermost first.
struct BulkExecution {
  /// How often the program had come by before.
  uint64_t iteration = 0;
  /// False: a condition of the copy turned it off.
  bool isOn = true;
  /// Of the tensor: the address of its first element, its extents in elements, and the bytes from
  /// one neighbor to the next.
  int64_t address = 0;
  std::vector<int64_t> extents, strideBytes;
  /// Where in the tensor the block begins: possibly before its beginning, or past its end.
  std::vector<int64_t> offsets;
  bool operator==(const BulkExecution &) const = default;
};

struct RecordedBulkCopy : BulkShape {
  /// Among `MemoryFacts::uncounted`.
  uint32_t uncounted = 0;
  /// By the program.
  uint64_t numExecutions = 0;
  /// The first ones, as far as there was room.
  std::vector<BulkExecution> executions;
  bool operator==(const RecordedBulkCopy &) const = default;
};

} // namespace tilescope::compiler
