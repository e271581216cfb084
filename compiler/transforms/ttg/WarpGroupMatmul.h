// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Dots by groups of four warps, which read their factors from shared memory.
#pragma once

#include "compiler/artifacts/ComputeFacts.h"
#include "compiler/dialects/ttg/ir/Dialect.h"

namespace tilescope::ttg {

/// What keeps groups of warps from computing this dot; the target is one where they can: sm_90.
compiler::ProductObstacle warpGroupObstacle(tt::DotOp dot, int numWarps, int capability);
/// Whether groups of warps can compute this dot.
bool fitsWarpGroups(tt::DotOp dot, int numWarps, int capability);

/// Replaces the dot; returns its result in the dot's old layout.
///
///   tt.dot %a, %b, %c      =>      %m = local_alloc %a    %n = local_alloc %b
///                                  convert (ttng.warp_group_dot %m, %n, convert %c)
///
/// `isChained`: the result becomes another dot's factor, so its rows stay within warps.
void useWarpGroups(tt::DotOp dot, int numWarps, bool isChained);

} // namespace tilescope::ttg
