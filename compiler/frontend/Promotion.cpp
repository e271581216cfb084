// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Promotion.h"

namespace tilescope::compiler::frontend {

DType promoteIntegers(DType left, DType right) {
  if (isSigned(left) == isSigned(right))
    return bitWidth(left) > bitWidth(right) ? left : right;
  DType unsignedType = isSigned(left) ? right : left;
  DType signedType = isSigned(left) ? left : right;
  return bitWidth(unsignedType) >= bitWidth(signedType) ? unsignedType : signedType;
}

Promotion promoteWithNumber(NumberKind number, DType literal, DType other, Arithmetic arithmetic) {
  if (number > numberKind(other))
    return promote(literal, other, arithmetic);
  bool isNarrowFloat = isFloating(other) && bitWidth(other) < 32;
  if (arithmetic == Arithmetic::DivisionOrRemainder && isNarrowFloat)
    return {DType::Fp32, {}};
  return {other, {}};
}

Promotion promote(DType left, DType right, Arithmetic arithmetic) {
  auto either = [&](DType type) { return left == type || right == type; };
  bool anyFloat = isFloating(left) || isFloating(right);
  if (either(DType::Fp64))
    return {DType::Fp64, {}};
  if (arithmetic == Arithmetic::DivisionOrRemainder && anyFloat)
    return {DType::Fp32, {}};
  if (either(DType::Fp32))
    return {DType::Fp32, {}};
  // Before bf16: together they are fp16.
  if (either(DType::Fp16))
    return {DType::Fp16, {}};
  if (either(DType::Bf16))
    return {left == right ? DType::Bf16 : DType::Fp32, {}};
  if (isFp8(left) && isFp8(right))
    return {left == right ? left : DType::Fp16, {}};
  if (anyFloat)
    return {std::nullopt,
            {"unexpected types `{}` and `{}`: cast the fp8 operand to a wider float first", left,
             right}};
  if (arithmetic == Arithmetic::DivisionOrRemainder && isSigned(left) != isSigned(right))
    return {std::nullopt,
            {"cannot use `/`, `//`, or `%` with `{}` and `{}` because they have different "
             "signedness; this is unlikely to result in a useful answer, so cast them to the same "
             "signedness",
             left, right}};
  return {promoteIntegers(left, right), {}};
}

} // namespace tilescope::compiler::frontend
