// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/Dialect.h"

using namespace mlir;

namespace tilescope::tt {

static LogicalResult verifyEncodings(Operation *op, RankedTensorType a, RankedTensorType b,
                                     RankedTensorType d) {
  if (!d.getEncoding() && !a.getEncoding() && !b.getEncoding())
    return success();
  if (!a.getEncoding() || !b.getEncoding() || !d.getEncoding())
    return op->emitOpError("mixes blocks with and without an encoding");
  const InferLayoutInterface *layouts = getInferLayoutInterface(d.getEncoding());
  if (!layouts)
    return success();
  auto emitError = [&] { return op->emitOpError(); };
  if (failed(layouts->verifyDotOperand(a.getEncoding(), 0, d.getEncoding(), emitError)) ||
      failed(layouts->verifyDotOperand(b.getEncoding(), 1, d.getEncoding(), emitError)))
    return failure();
  return layouts->verifyDotOperands(op, a.getEncoding(), b.getEncoding());
}

LogicalResult DotOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType(), d = getType();
  int64_t rank = d.getRank();
  if (a.getRank() != rank || b.getRank() != rank || (rank != 2 && rank != 3))
    return emitOpError("needs factors and result of rank 2 or 3, all the same");
  if (a.getDimSize(rank - 1) != b.getDimSize(rank - 2) ||
      a.getDimSize(rank - 2) != d.getDimSize(rank - 2) ||
      b.getDimSize(rank - 1) != d.getDimSize(rank - 1) ||
      (rank == 3 && (a.getDimSize(0) != d.getDimSize(0) || b.getDimSize(0) != d.getDimSize(0))))
    return emitOpError("has shapes that do not fit: ") << a << " * " << b << " -> " << d;
  if (getElementBitWidth(a) != getElementBitWidth(b))
    return emitOpError("has factors of different widths: ") << a << " and " << b;
  return verifyEncodings(*this, a, b, d);
}

/// How many values one element of a factor holds along K.
static int64_t valuesPerElement(ScaleDotElemType type, bool packedAlongK) {
  return type == ScaleDotElemType::E2M1 && packedAlongK ? 2 : 1;
}

LogicalResult DotScaledOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType(), d = getType();
  int64_t rank = d.getRank();
  if (a.getRank() != rank || b.getRank() != rank || (rank != 2 && rank != 3))
    return emitOpError("needs factors and result of rank 2 or 3, all the same");
  int64_t k = a.getDimSize(rank - 1) * valuesPerElement(getAElemType(), getLhsKPack());
  if (k != b.getDimSize(rank - 2) * valuesPerElement(getBElemType(), getRhsKPack()))
    return emitOpError("has factors of different extents along K: ") << a << " and " << b;
  for (Value scale : {getAScale(), getBScale()}) {
    if (!scale)
      continue;
    auto type = cast<RankedTensorType>(scale.getType());
    int64_t count = type.getRank() == rank ? type.getDimSize(rank - 1) : 0;
    if (count == 0 || (k != 32 * count && k != 16 * count))
      return emitOpError("has scales of ")
             << type << ", which do not each hold for 16 or 32 of " << k << " values";
  }
  return success();
}

} // namespace tilescope::tt
