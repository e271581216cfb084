// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What an operation on elements means is said by the interpreter's function of its name (interpreter/kernels). Here a
// rule for each says how code computes it, and how close to that function (Closeness.h). Code without a rule calls the
// function itself (TableFunctions.h).
#pragma once

#include "compiler/conversion/tt_to_cpu/FloatMath.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace tilescope::cpu {

bool hasRule(mlir::Operation *op);

/// Whether each element of the result follows from the elements of the operands at its place alone,
/// and `emitElementwise` knows how.
bool isElementwise(mlir::Operation *op);

/// Emits the operation for tiles in place of its operands. The result is a vector if one of them is.
/// What TTIR leaves undefined has the value that the interpreter gives it, and never traps.
mlir::Value emitElementwise(mlir::OpBuilder &b, mlir::Operation *op, mlir::ValueRange operands,
                            const MathTarget &target);

/// Whether it is a quotient or a remainder of integers.
bool isDivision(mlir::Operation *op);

/// What it costs, in simple operations.
int costOf(mlir::Operation *op);

} // namespace tilescope::cpu
