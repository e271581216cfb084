// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a kernel may do with the memory of its arguments: which records a run has to keep.
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#include <vector>

namespace tilescope::compiler::interpreter {

struct ArgumentUse {
  /// By plain operations.
  bool isLoaded = false;
  bool isStored = false;
  /// By atomic ones.
  bool isUpdated = false;
  /// A program may wait for what others do to it.
  bool isAwaited = false;
  /// What an atomic operation returns of it is used, or compared by it.
  bool isLookedAt = false;
  /// What an atomic operation returns of it is stored, and decides nothing else.
  bool isReadAsData = false;
  /// By atomic operations of `scope="cta"`.
  bool isUpdatedByBlocks = false;
  /// The narrowest access, which may see the argument's elements as others: through a pointer to
  /// `int16`, halves of floats. 0: none.
  size_t smallestBytes = 0;

  /// Whether programs learn what it holds, so that other arguments may depend on it.
  bool isRead() const { return isLoaded || isLookedAt; }
};

/// One for each argument of the kernel. An access through a pointer of which the argument cannot be
/// told counts for all of them.
std::vector<ArgumentUse> argumentUses(tt::FuncOp kernel, mlir::ModuleOp module);

} // namespace tilescope::compiler::interpreter
