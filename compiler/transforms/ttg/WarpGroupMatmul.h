// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Dots by groups of four warps, which read their factors from shared memory.
#pragma once

#include "compiler/artifacts/ComputeFacts.h"
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/transforms/ttg/SplitDot.h"

namespace tilescope::ttg {

/// What keeps groups of warps from computing this dot; the target is one where they can: sm_90.
compiler::ProductObstacle warpGroupObstacle(tt::DotOp dot, int numWarps, int capability);
/// Whether groups of warps can compute this dot.
bool fitsWarpGroups(tt::DotOp dot, int numWarps, int capability);

/// The same for the products of its factors' parts.
bool partsFitWarpGroups(tt::DotOp dot, const FactorParts &parts, int numWarps, int capability);

/// Replaces the dot; returns its result in the dot's old layout.
///
///   tt.dot %a, %b, %c      =>      %m = local_alloc %a    %n = local_alloc %b
///                                  convert (ttng.warp_group_dot %m, %n, convert %c)
///
/// `isChained`: the result becomes another dot's factor, so its rows stay within warps.
void useWarpGroups(tt::DotOp dot, int numWarps, bool isChained);

/// The same by products of its factors' parts. Those of the left factor stay in registers, where
/// both products of one read them; those of the right one are handed over in shared memory.
void useWarpGroupsForParts(tt::DotOp dot, const FactorParts &parts, int numWarps, bool isChained);

} // namespace tilescope::ttg
