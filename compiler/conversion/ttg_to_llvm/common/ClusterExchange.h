// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How the thread blocks of a cluster share a tensor, and how elements get from one to another.
//
// Each block has its own part of shared memory, at the same addresses in all of them, and reads the
// others' parts by naming a block's rank. A conversion between blocks therefore has one map: from a
// place in memory and the rank of the block that wrote it to the element there.
//
//     64 elements, two blocks, [0, 32) and [32, 64)         offset 5 of block 1 holds element 37
//     wanted: even elements in block 0, odd ones in block 1   block 0 reads element 38: offset 6 of
//                                                             block 1
#pragma once

#include "compiler/layout/LinearLayout.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tilescope::compiler {

/// What one block of the cluster holds, at coordinates within its part; the whole layout for a
/// cluster of one. Nothing where parts interleave: each must be a contiguous piece of every dimension.
std::optional<LinearLayout> partOfBlock(const LinearLayout &layout);

/// Whether blocks divide both layouts' tensor in the same way.
bool haveEqualParts(const LinearLayout &x, const LinearLayout &y);

/// See the top of this file.
struct ClusterExchange {
  /// `offset` (in elements), then `segment`, to the tensor's dimensions; a bijection.
  LinearLayout memory;
  /// The bit of the writer's rank that each bit of `segment` is. All other bits of a rank tell
  /// copies apart, and a reader takes the copy of the block with its own.
  llvm::SmallVector<int> rankBits;
  /// Whether some block reads what another one wrote.
  bool isRemote = false;
};

/// Where senders write what they hold, 16 bytes at a time where they can. `from` has no registers
/// that hold copies. Nothing where the bits of a block's rank step in directions that depend on each
/// other.
std::optional<ClusterExchange> planClusterExchange(const LinearLayout &from, const LinearLayout &to,
                                                   int elementBytes);

} // namespace tilescope::compiler
