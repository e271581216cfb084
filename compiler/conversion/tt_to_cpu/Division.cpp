// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/Division.h"

#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::cpu {

bool hasQuotient(unsigned width) { return width == 8 || width == 16 || width == 32; }

/// Of a scalar, rounded away from zero.
static Value emitReciprocal(OpBuilder &b, Location loc, Value divisor) {
  Value reciprocal = arith::DivFOp::create(b, loc, floatLike(b, loc, divisor, 1), divisor);
  const Type type = divisor.getType(), bits = b.getIntegerType(type.getIntOrFloatBitWidth());
  Value word = arith::BitcastOp::create(b, loc, bits, reciprocal);
  word = arith::AddIOp::create(b, loc, word, integerLike(b, loc, word, 1));
  return arith::BitcastOp::create(b, loc, type, word);
}

Value emitQuotient(OpBuilder &b, Location loc, Value dividend, Value divisor, bool isSigned) {
  const Type element = getElementTypeOrSelf(dividend.getType());
  const Type real = element.getIntOrFloatBitWidth() > 16 ? b.getF64Type() : b.getF32Type();
  const auto toReal = [&](Value tile) -> Value {
    const Type type = typeLike(tile, real);
    return isSigned ? Value(arith::SIToFPOp::create(b, loc, type, tile))
                    : Value(arith::UIToFPOp::create(b, loc, type, tile));
  };
  Value a = toReal(dividend), d = toReal(divisor), quotient;
  if (lanesOf(d) == 0) {
    Value reciprocal = splat(b, loc, emitReciprocal(b, loc, d), lanesOf(a));
    quotient = arith::MulFOp::create(b, loc, a, reciprocal);
  } else {
    quotient = arith::DivFOp::create(b, loc, a, d);
  }
  const Type type = dividend.getType();
  return isSigned ? Value(arith::FPToSIOp::create(b, loc, type, quotient))
                  : Value(arith::FPToUIOp::create(b, loc, type, quotient));
}

} // namespace tilescope::cpu
