// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/conversion/tt_to_cpu/FloatMath.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

namespace tilescope::cpu {

/// One operation that is emitted, with its operands as tiles of one form.
struct Emission {
  mlir::OpBuilder &b;
  mlir::Operation *op;
  llvm::SmallVector<mlir::Value, 4> operands;
  const MathTarget &target;
  /// Of the result.
  mlir::Type element = elementTypeOf(op->getResult(0).getType());
  mlir::Location loc = op->getLoc();

  mlir::Value operand(unsigned i) const { return operands[i]; }
  /// Of the first operand's elements.
  mlir::Type source() const { return mlir::getElementTypeOrSelf(operands[0].getType()); }
  mlir::Type resultType() const { return typeLike(operands[0], element); }
  /// The same operation on tiles.
  mlir::Value same(mlir::ValueRange tiles) const {
    mlir::OperationState state(loc, op->getName(), tiles, {resultType()}, op->getAttrs());
    return b.create(state)->getResult(0);
  }
  mlir::Value integer(int64_t value) const { return integerLike(b, loc, operands.back(), value); }
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no) const {
    return mlir::arith::SelectOp::create(b, loc, condition, yes, no);
  }
};

// Casts (ElementCasts.cpp).
mlir::Value emitToInteger(const Emission &e);
/// To bf16 with one rounding; to other floats as LLVM does it.
mlir::Value emitFromInteger(const Emission &e);
mlir::Value emitBitcast(const Emission &e);
mlir::Value emitFloatCast(const Emission &e);
bool roundsTowardZero(mlir::Operation *op);

} // namespace tilescope::cpu
