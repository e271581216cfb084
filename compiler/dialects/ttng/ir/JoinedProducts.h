// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Two products of warp groups as one. A tile whose columns are no power of 2 is two blocks beside each other:
//
//     %s = dot %a, %b     128 x 128         wgmma m64n128, m64n32      =>      wgmma m64n160
//     %t = dot %a, %c     128 x 32
//
// Narrow instructions take longer than their columns: they read the left factor once more, and each waits for the one before
// it. Where both right factors lie behind each other in shared memory (`RingTurns.h`), one instruction reads them as one
// factor of 160 columns. More than 256 columns are two instructions of the same width.
#pragma once

#include "compiler/dialects/ttng/ir/Dialect.h"

namespace tilescope::ttng {

/// Whether both could be one product, if the right factors lay behind each other.
bool canJoin(WarpGroupDotOp first, WarpGroupDotOp second);
/// The product that is computed together with this one, which is the first of both; null: none.
WarpGroupDotOp joinedWith(WarpGroupDotOp first);
/// Whether the product is computed together with the one before it.
bool isJoined(WarpGroupDotOp second);

} // namespace tilescope::ttng
