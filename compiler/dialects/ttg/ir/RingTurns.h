// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Rings whose slots take turns in shared memory, so that the blocks of one iteration lie behind each other there and an
// instruction can read both as one:
//
//     two rings of three slots          their slots in turn
//     a0 a1 a2   b0 b1 b2         =>    a0 b0 a1 b1 a2 b2
//
// There may be more of them.
//
// Nothing else about a ring changes: it is a stack of blocks, each at a multiple of `pitch`.
#pragma once

#include "compiler/dialects/ttg/ir/Dialect.h"

#include <optional>

namespace tilescope::ttg {

struct RingTurn {
  /// Which of the function's groups of rings it belongs to.
  int64_t group;
  /// Where its first slot begins behind the first slot of the group, and how far the next slot is, in bytes.
  int64_t begin, pitch;
};

/// Nothing: the ring lies by itself.
std::optional<RingTurn> ringTurnOf(LocalAllocOp ring);
/// Lets the slots of each ring follow those of the one before it.
void takeTurns(llvm::ArrayRef<LocalAllocOp> rings);
/// Bytes of a slot.
int64_t slotBytes(LocalAllocOp ring);

} // namespace tilescope::ttg
