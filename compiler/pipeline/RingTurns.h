// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which slot of a ring a pipelined loop fills and reads in which iteration, found by executing what
// computes the slots' numbers.
#pragma once

#include "compiler/artifacts/SharedFacts.h"

#include "mlir/IR/Operation.h"

#include <optional>

namespace tilescope::compiler {

/// The turns of the first iterations of the first loop that uses the ring, as many as go through
/// all slots twice, or fewer where the loop has no more; `alloc` is a `ttg.local_alloc`. Nothing where it has no slots, or where their numbers depend on more than the
/// iteration. `range` and `buffer` are left open; `loop` is set to the loop.
std::optional<SharedRing> findRing(mlir::Operation *alloc, mlir::Operation *&loop);
/// The slots of a buffer that is indexed; 1 where it is not.
int32_t slotsOf(mlir::Operation *alloc);

} // namespace tilescope::compiler
