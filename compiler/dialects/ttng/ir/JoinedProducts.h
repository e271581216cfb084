// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Several products of warp groups as one. A tile whose columns are no power of 2 is two blocks beside each other, or more:
//
//     %s = dot %a, %b     128 x 128         wgmma m64n128, m64n32      =>      wgmma m64n160
//     %t = dot %a, %c     128 x 32
//
// Narrow instructions take longer than their columns: they read the left factor once more, and each waits for the one before
// it. Where the right factors lie behind each other in shared memory (`RingTurns.h`), one instruction reads them as one
// factor of 160 columns. More than 256 columns are two instructions of the same width.
#pragma once

#include "compiler/dialects/ttng/ir/Dialect.h"

namespace tilescope::ttng {

/// Whether `next` and the products before it could be one, if the right factors lay behind each other.
bool canJoin(llvm::ArrayRef<WarpGroupDotOp> before, WarpGroupDotOp next);
/// The products that are computed together with this one, which is the first of them.
llvm::SmallVector<WarpGroupDotOp> joinedWith(WarpGroupDotOp first);
/// Whether the product is computed together with one before it.
bool isJoined(WarpGroupDotOp later);
/// The slot of a ring that a factor is, or is another view of; null: it is none.
ttg::MemDescIndexOp slotOf(mlir::Value factor);

} // namespace tilescope::ttng
