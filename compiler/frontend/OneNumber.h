// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What makes one number of a block that is to be written to one address:
//
//     total += x                            tl.store(out + row, tl.sum(total, axis=0))
//     tl.store(out + row, total)
#pragma once

#include "compiler/frontend/Builtins.h"

#include <string>

namespace tilescope::compiler::frontend {

struct OneNumber {
  /// The reduction of the block; empty: none is known.
  std::string code = {};
  /// `sum`, `maximum` or `minimum`.
  std::string words = {};
  /// The function collects the block's elements in turns, as for a reduction.
  bool isCollected = false;
};

/// Of the value that a call of `tl.store`, `tl.atomic_add`, `tl.atomic_max` or `tl.atomic_min` is to write, its
/// argument `parameter`; with the elements alone that `mask`, its parameter, lets through.
OneNumber oneNumberOf(const BuiltinCall &call, size_t parameter, size_t mask);

} // namespace tilescope::compiler::frontend
