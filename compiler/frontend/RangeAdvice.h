// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// `range` in the place of a block of indices:
//
//     i = range(n)                          i = tl.arange(0, BLOCK)
//     y = tl.load(x_ptr + i)
#pragma once

#include "compiler/frontend/Emitter.h"

namespace tilescope::compiler::frontend {

/// Fails where a kernel computes with the name that `assign` gives a `range`, or indexes with it, and
/// where the end of one that no loop runs over is only known at run time.
void checkRangeOfIndices(Emitter &emitter, const ast::Assign &assign);

/// Fails where a kernel computes with a `range` itself: `start + range(BLOCK)`.
void checkRangeOperands(Emitter &emitter, const ast::BinOp &operation);

} // namespace tilescope::compiler::frontend
