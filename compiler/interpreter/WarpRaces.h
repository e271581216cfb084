// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Stores and loads of one program by different warps. Warps run on their own until a barrier, so
// that a warp may load an element before another one has stored it:
//
//   tl.store(y_ptr + i, x)                 with 1024 elements, warp 2 stores y_ptr[256]
//   z = tl.load(y_ptr + (i ^ 256))         and warp 0 loads it
//
// Which store and load nothing separates, and which warp holds which element of their blocks, the
// caller knows (`UnorderedAccesses`). Records are `MemoryArea::warps`: who stored an element last.
#pragma once

#include "compiler/interpreter/Races.h"

#include <memory>
#include <vector>

namespace tilescope::compiler::interpreter {

/// Of a load or store that is ordered by nothing with others of its program: `Instruction::state`.
struct UnorderedWarps {
  /// Of a store: its number, from 1.
  uint32_t store = 0;
  /// Of a load: by number of a store, whether nothing orders the two.
  std::vector<bool> stores;
  /// By element of the block, row-major.
  std::shared_ptr<const std::vector<uint16_t>> warps;
};

/// What the instruction has of this; null: it is ordered, or nobody has looked.
inline const UnorderedWarps *unorderedWarps(const Instruction &op) {
  return static_cast<const UnorderedWarps *>(op.state.get());
}

/// After a row was written to `area`, which has a table of warps; by any store.
void noteWarps(const Instruction &op, Frame &frame, const MemoryArea &area, size_t size,
               const WrittenRow &row);

/// Before element `position` of the load's block is read at a granule of `area`: reports another
/// warp's store, and returns whether there was one.
bool reportsOtherWarp(const Instruction &op, Frame &frame, const MemoryArea &area, size_t index,
                      size_t position);

} // namespace tilescope::compiler::interpreter
