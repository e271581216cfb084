// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a slice of an array means as a block of indices:
//
//     x[start:start + BLOCK]      start + tl.arange(0, BLOCK)
//     x[0:4]                      tl.arange(0, 4)
#pragma once

#include "compiler/frontend/ArrayNames.h"

namespace tilescope::compiler::frontend {

struct SliceExtent {
  /// The first index; null: it is 0.
  const ast::Expr *begin = nullptr;
  /// How many indices there are.
  ArrayName count = {};
  /// The slice states the count; else it is the size of a block.
  bool isKnown = false;
};

SliceExtent extentOfSlice(const Frame &frame, const ast::Slice &slice);

} // namespace tilescope::compiler::frontend
