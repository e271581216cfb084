// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The 8-bit float with 4 exponent bits and bias 15. No target has instructions for it, but fp16 has
// the same bias, so that its bits are a shifted copy of those of fp16:
//
//   fp8e4b15          s eeee mmm
//   fp16           s 0eeee mmm0000000
#include "compiler/frontend/Fp8e4b15.h"

namespace tilescope::compiler::frontend {

using ast::BinaryOpKind;

void requireArithmetic(TensorOps &ops, const Tensor &operand) {
  if (!operand.type.isPointer() && operand.dtype() == DType::Fp8e4b15)
    ops.fail(DiagnosticKind::TypeMismatch,
             "cannot compute with `fp8e4b15`: cast the operand to a wider float first");
}

Tensor TensorOps::convertFp8e4b15(const Tensor &value, DType to) {
  auto number = [](int64_t n) { return Value::integer(n); };
  auto mask = [&](const Tensor &x, int64_t bits) {
    return binary(BinaryOpKind::BitAnd, x, number(bits));
  };
  auto shift = [&](BinaryOpKind op, const Tensor &x, int64_t count) {
    return binary(op, x, number(count));
  };
  ScalarType word{DType::Uint16};
  if (value.dtype() == DType::Fp8e4b15) {
    // The IR holds it as an integer already.
    Tensor byte = wrap(value.handle, value.type.with(ScalarType{DType::Uint8}));
    Tensor bits = cast(byte, word);
    Tensor sign = shift(BinaryOpKind::LShift, mask(bits, 0x80), 8);
    Tensor magnitude = shift(BinaryOpKind::LShift, mask(bits, 0x7f), 7);
    Tensor half = bitcast(bitwise(BinaryOpKind::BitOr, sign, magnitude), ScalarType{DType::Fp16});
    return cast(half, ScalarType{to});
  }
  Tensor half = value;
  if (value.dtype() != DType::Fp16)
    half = cast(cast(value, ScalarType{DType::Fp32}), ScalarType{DType::Fp16}, "rtz");
  Tensor bits = bitcast(half, word);
  // Nothing above 1.75 can be represented: there are neither infinities nor NaNs.
  Tensor magnitude = mask(bits, 0x7fff);
  Tensor highest = full(magnitude.type, 0x3f00);
  magnitude = select(compare(ast::CompareOpKind::Lt, magnitude, highest), magnitude, highest);
  // Half of the last place is added, what is behind it cut off.
  magnitude = shift(BinaryOpKind::RShift, binary(BinaryOpKind::Add, magnitude, number(0x40)), 7);
  Tensor sign = shift(BinaryOpKind::RShift, mask(bits, 0x8000), 8);
  Tensor byte = cast(bitwise(BinaryOpKind::BitOr, sign, magnitude), ScalarType{DType::Uint8});
  return wrap(byte.handle, value.type.with(ScalarType{DType::Fp8e4b15}));
}

} // namespace tilescope::compiler::frontend
