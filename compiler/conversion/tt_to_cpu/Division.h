// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// No processor divides vectors of integers, so LLVM divides one lane after another. Floats of twice the
// bits have room for the exact quotient instead: with integers of w bits in floats whose rounding error is at most
// 2^-p relative, a quotient a / d is at least 1 / d away from the next integer above it, and
//
//     a / d · 2^-p  <  1 / d    as long as    a < 2^p
//
// so cutting off the fraction of the rounded quotient is exact: fp64 for 32 bits, fp32 for 16 and 8. Where all lanes
// have one divisor, its reciprocal is computed once, rounded away from zero, so that whole quotients do not fall
// below; 2 bits of p are lost.
#pragma once

#include "mlir/IR/Builders.h"

namespace tilescope::cpu {

/// Whether `emitQuotient` has a form for integers of so many bits.
bool hasQuotient(unsigned width);

/// `dividend / divisor`, rounded toward zero, of a tile with lanes. `divisor`: such a tile or a scalar, not 0; the
/// quotient must be a number of the type.
mlir::Value emitQuotient(mlir::OpBuilder &b, mlir::Location loc, mlir::Value dividend,
                         mlir::Value divisor, bool isSigned);

} // namespace tilescope::cpu
