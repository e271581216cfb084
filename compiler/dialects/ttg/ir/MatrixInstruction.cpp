// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/MatrixInstruction.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tilescope::ttg {

static StringRef nameOfFloat8(Type type) {
  return isa<Float8E4M3FNType>(type) ? "e4m3" : isa<Float8E5M2Type>(type) ? "e5m2" : "";
}

std::optional<MatrixInstruction> findMatrixInstruction(Type left, Type right, Type result,
                                                       tt::InputPrecision precision) {
  if (result.isF32() || result.isF16()) {
    StringRef name = result.isF32() ? "f32" : "f16";
    if (left.isF16() && right.isF16())
      return MatrixInstruction{16, name, "f16", "f16"};
    if (!nameOfFloat8(left).empty() && !nameOfFloat8(right).empty())
      return MatrixInstruction{32, name, nameOfFloat8(left), nameOfFloat8(right)};
  }
  if (left.isBF16() && right.isBF16() && result.isF32())
    return MatrixInstruction{16, "f32", "bf16", "bf16"};
  if (left.isF32() && right.isF32() && result.isF32() && precision == tt::InputPrecision::TF32)
    return MatrixInstruction{8, "f32", "tf32", "tf32"};
  if (left.isInteger(8) && right.isInteger(8) && result.isInteger(32))
    return MatrixInstruction{32, "s32", "s8", "s8"};
  return std::nullopt;
}

std::optional<MatrixInstruction> findMatrixInstruction(tt::DotOp dot) {
  return findMatrixInstruction(getElementTypeOrSelf(dot.getA().getType()),
                               getElementTypeOrSelf(dot.getB().getType()),
                               getElementTypeOrSelf(dot.getType()), dot.getInputPrecision());
}

} // namespace tilescope::ttg
