// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/analysis/IndexBounds.h"

#include <cstdint>
#include <optional>

namespace tilescope::compiler {

/// An argument that is divided by a constant, or by another argument: `C // GROUPS`.
struct Quotient {
  unsigned argument = 0;
  /// 1 where an argument is the divisor.
  int64_t divisor = 1;
  std::optional<unsigned> divisorArgument = std::nullopt;
  bool operator==(const Quotient &) const = default;
};

/// The constant that a product of arguments is multiplied by.
int64_t constantFactor(mlir::Value value);

/// Nothing for other values, and for a divisor of 1.
std::optional<Quotient> quotientOf(mlir::Value value, const IndexBounds &bounds);

/// The quotient whose multiples a number counts within the whole argument, as `g` does here:
///
///     n * C + g * (C // GROUPS)          `g` counts `GROUPS` parts of `C`
///
/// Nothing where no sum has the whole argument beside it: rows may be as long as half an argument, too.
std::optional<Quotient> partsCountedBy(mlir::Value number, const IndexBounds &bounds);

/// The argument of which a program's number is a multiple and a rest: `heads` of `number % heads`.
std::optional<unsigned> dividesNumber(mlir::Value number, const IndexBounds &bounds);

/// Where the next numbers end, or those before: at `h` for `row` where `row + 1 < h` is asked.
ArgumentSet endsOfNeighbors(mlir::Value number, const IndexBounds &bounds);

/// Where a remainder ends, or the counter of a loop.
ArgumentSet endsOfCounted(mlir::Value number, const IndexBounds &bounds);

/// What a use makes of a counted number, into `waiting`; where it ends there, into `ends`.
void followCounted(mlir::OpOperand &use, const IndexBounds &bounds,
                   llvm::SmallVectorImpl<mlir::Value> &waiting, ArgumentSet &ends);

} // namespace tilescope::compiler
