// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Masks that leave out whole lines of a block along the axis of a reduction:
//
//     x = tl.load(p + rows[:, None] * N + cols[None, :], mask=(rows < M)[:, None], other=0.0)
//     y = tl.max(x, axis=1)                 no row has elements that are loaded and others that are not
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

namespace tilescope::compiler {

/// Whether the elements that a load leaves out are never reduced together with some that it loads: its mask is the same
/// along the axis, and in all turns of the loops around it.
bool leavesOutWholeLines(tt::LoadOp load, mlir::Operation *reduction);

} // namespace tilescope::compiler
