// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions of floats on scalars and vectors.
//
// For fp32, and narrower types through it, these are polynomials in the lanes. Errors over all
// finite inputs, in units of the last place of the result:
//
//     exp 1.1   exp2 1.1   log 1.0   log2 1.6   tanh 1.7   erf 1.2 (AVX-512: 2.2)   rsqrt 1.5
//
// What is not in this list, nor an instruction, is called from the C library, one element at a time.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace tilescope::cpu {

/// What the processor has.
struct MathTarget {
  /// With registers of 64 bytes.
  bool hasAvx512 = false;
  /// With AVX512-BF16.
  bool roundsToBf16 = false;
};

/// fp32 to a narrower type, as `narrowFloat` does it on every processor.
mlir::Value narrowFloatOn(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tile,
                          mlir::Type element, const MathTarget &target);

/// The operands are all scalars or all vectors.
mlir::Value emitFloatMath(mlir::OpBuilder &b, mlir::Operation *op, mlir::ValueRange operands,
                          const MathTarget &target);

} // namespace tilescope::cpu
