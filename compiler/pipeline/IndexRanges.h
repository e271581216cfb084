// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Between which numbers an integer lies, whatever the arguments and numbers of programs are.
//
//   %0 = tt.make_range {start = 0, end = 64}      0 … 63
//   %1 = arith.muli %0, %c2                       0 … 126
//   %2 = arith.cmpi slt, %1, %c128                always true
#pragma once

#include "mlir/IR/Value.h"

#include <cstdint>
#include <optional>

namespace tilescope::compiler {

struct IndexRange {
  int64_t least = 0;
  int64_t most = 0;
  bool operator==(const IndexRange &) const = default;
};

/// Nothing where nothing is known, or a number needs more than 32 bits.
std::optional<IndexRange> rangeOf(mlir::Value value);

/// Whether all elements of a mask are on.
bool isAlwaysTrue(mlir::Value mask);

} // namespace tilescope::compiler
