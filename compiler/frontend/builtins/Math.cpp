// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "mlir/Dialect/Math/IR/Math.h"

#include "compiler/frontend/BlockAdvice.h"
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/Fp8e4b15.h"
#include "compiler/frontend/Remedies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace arith = mlir::arith;

namespace tilescope::compiler::frontend {

static void requireDType(BuiltinCall &call, size_t parameter, const Tensor &value,
                         std::initializer_list<DType> allowed) {
  if (!value.type.isPointer())
    for (DType type : allowed)
      if (value.dtype() == type)
        return;
  std::string list;
  bool takesFp32 = false;
  for (DType type : allowed) {
    takesFp32 |= type == DType::Fp32;
    list += (list.empty() ? "'" : ", '") + nameOf(type) + "'";
  }
  const bool isConverted = takesFp32 && !value.type.isPointer();
  const std::string text(call.text(parameter));
  Message message("{}{}: expected dtype [{}] but got {}{}", call.name(),
                  text.empty() ? text : " of `" + text + "`", list, value.type.scalar,
                  isConverted ? ": convert with `.to(tl.float32)` first" : "");
  std::vector<DiagnosticFix> fixes;
  if (isConverted && !text.empty() && hasLanguageName(call.emitter.frame()))
    fixes = rewriteFix(call.emitter.frame(), call.rangeOf(parameter), call.rangeOf(parameter),
                       asFactor(text) + ".to(tl.float32)");
  call.fail(parameter, DiagnosticKind::DtypeUnsupported, std::move(message).wants(allowed), {},
            std::move(fixes));
}

template <typename Op> static Value unaryFloat(BuiltinCall &call) {
  Tensor value = call.tensor(0);
  requireDType(call, 0, value, {DType::Fp32, DType::Fp64});
  return call.ops.wrap(call.ops.create<Op>(value.handle), value.type);
}

static Value sqrtRn(BuiltinCall &call) {
  Tensor value = call.tensor(0);
  requireDType(call, 0, value, {DType::Fp32});
  return call.ops.wrap(call.ops.create<tt::PreciseSqrtOp>(value.handle.getType(), value.handle),
                       value.type);
}

static Value abs(BuiltinCall &call) {
  Tensor value = call.tensor(0);
  if (value.type.isPointer())
    call.fail(0, DiagnosticKind::TypeMismatch, "`abs` of a pointer");
  if (value.dtype() == DType::Fp8e4b15) {
    // Held as an integer: the sign bit is cut off.
    Tensor byte = call.ops.wrap(value.handle, value.type.with(ScalarType{DType::Uint8}));
    byte = call.ops.binary(ast::BinaryOpKind::BitAnd, byte, Value::integer(0x7f));
    return call.ops.wrap(byte.handle, value.type);
  }
  if (isFloating(value.dtype()))
    return call.ops.wrap(call.ops.create<mlir::math::AbsFOp>(value.handle), value.type);
  if (isSigned(value.dtype()))
    return call.ops.wrap(call.ops.create<mlir::math::AbsIOp>(value.handle), value.type);
  return value;
}

static Value fma(BuiltinCall &call) {
  TensorOps::PromoteOptions options{.literalsFirst = true};
  auto [x, y] = call.ops.promoteOperands(call[0], call[1], options);
  auto [x2, z] = call.ops.promoteOperands(x, call[2], options);
  auto [z2, y2] = call.ops.promoteOperands(z, y, options);
  requireArithmetic(call.ops, x2);
  if (!isFloating(x2.dtype()))
    call.fail(0, DiagnosticKind::TypeMismatch, "`fma` needs floating-point operands");
  return call.ops.wrap(call.ops.create<mlir::math::FmaOp>(x2.handle, y2.handle, z2.handle),
                       x2.type);
}

static Value fdiv(BuiltinCall &call) {
  Tensor x = call.tensor(0), y = call.tensor(1);
  for (size_t i : {0, 1})
    if (call.tensor(i).type.isPointer() || !isFloating(call.tensor(i).dtype()))
      call.fail(i, DiagnosticKind::TypeMismatch,
                "both operands of fdiv must have floating scalar type");
  auto [a, b] = call.ops.promoteOperands(x, y, {.arithmetic = Arithmetic::DivisionOrRemainder});
  if (call.boolean(2) && a.dtype() == DType::Fp32)
    return call.ops.wrap(call.ops.create<tt::PreciseDivFOp>(a.handle.getType(), a.handle, b.handle),
                         a.type);
  return call.ops.wrap(call.ops.create<arith::DivFOp>(a.handle, b.handle), a.type);
}

static Value divRn(BuiltinCall &call) {
  auto [a, b] = call.ops.promoteOperands(call[0], call[1], {.literalsFirst = true});
  requireDType(call, 0, a, {DType::Fp32});
  return call.ops.wrap(call.ops.create<tt::PreciseDivFOp>(a.handle.getType(), a.handle, b.handle),
                       a.type);
}

static Value umulhi(BuiltinCall &call) {
  // A literal takes on the other operand's type: 0xD2511F53 is an int64 by itself where a counter
  // is not.
  auto [a, b] = call.ops.promoteOperands(call[0], call[1], {});
  requireDType(call, 0, a, {DType::Int32, DType::Int64, DType::Uint32, DType::Uint64});
  return call.ops.wrap(call.ops.create<tt::MulhiUIOp>(a.handle.getType(), a.handle, b.handle),
                       a.type);
}

static bool propagatesNan(BuiltinCall &call, size_t parameter) {
  const constant::Value &choice = call.constant(parameter);
  const std::string text = choice.isStr() ? choice.str() : "";
  if (text != "all" && text != "none")
    call.fail(parameter, DiagnosticKind::BadArgument,
              "`propagate_nan` must be `tl.PropagateNan.NONE` or `tl.PropagateNan.ALL`");
  return text == "all";
}

/// bf16 has no minimum and maximum of its own: it is widened.
static Value widened(TensorOps &ops, const Value &value) {
  if (value.tensor() && value.tensor()->dtype() == DType::Bf16 && !value.tensor()->type.isPointer())
    return ops.cast(*value.tensor(), ScalarType{DType::Fp32});
  return value;
}

template <typename NumF, typename NanF, typename SignedOp, typename UnsignedOp>
static Value extremum(BuiltinCall &call) {
  bool propagates = propagatesNan(call, 2);
  auto [a, b] = call.ops.promoteOperands(widened(call.ops, call[0]), widened(call.ops, call[1]),
                                         {.literalsFirst = true});
  requireArithmetic(call.ops, a);
  mlir::Value x = a.handle, y = b.handle, result;
  if (isFloating(a.dtype()) && propagates)
    result = call.ops.create<NanF>(x, y);
  else if (isFloating(a.dtype()))
    result = call.ops.create<NumF>(x, y);
  else if (isSigned(a.dtype()))
    result = call.ops.create<SignedOp>(x, y);
  else
    result = call.ops.create<UnsignedOp>(x, y);
  return call.ops.wrap(result, a.type);
}

static Value maximum(BuiltinCall &call) {
  return extremum<arith::MaxNumFOp, arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(call);
}
static Value minimum(BuiltinCall &call) {
  return extremum<arith::MinNumFOp, arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>(call);
}

static Value clamp(BuiltinCall &call) {
  bool propagates = propagatesNan(call, 3);
  TensorOps::PromoteOptions options{.literalsFirst = true};
  auto [low, high] =
      call.ops.promoteOperands(widened(call.ops, call[1]), widened(call.ops, call[2]), options);
  auto [x, low2] = call.ops.promoteOperands(widened(call.ops, call[0]), low, options);
  auto [x2, high2] = call.ops.promoteOperands(x, high, options);
  requireArithmetic(call.ops, x2);
  low2 = call.ops.broadcastTo(call.ops.cast(low2, x2.type.scalar), x2.type.shape);
  if (!isFloating(x2.dtype()))
    call.fail(0, DiagnosticKind::DtypeUnsupported,
              {"unexpected dtype {}: only floating point clamp is supported", x2.type.scalar});
  auto op =
      call.ops.create<tt::ClampFOp>(x2.handle.getType(), x2.handle, low2.handle, high2.handle,
                                    propagates ? tt::PropagateNan::ALL : tt::PropagateNan::NONE);
  return call.ops.wrap(op, x2.type);
}

std::span<const Builtin> mathBuiltins() {
  namespace math = mlir::math;
  static const Builtin builtins[] = {
      {"exp", "x", unaryFloat<math::ExpOp>, true},
      {"exp2", "x", unaryFloat<math::Exp2Op>, true},
      {"log", "x", unaryFloat<math::LogOp>, true},
      {"log2", "x", unaryFloat<math::Log2Op>, true},
      {"sin", "x", unaryFloat<math::SinOp>, true},
      {"cos", "x", unaryFloat<math::CosOp>, true},
      {"erf", "x", unaryFloat<math::ErfOp>, true},
      {"sqrt", "x", unaryFloat<math::SqrtOp>, true},
      {"rsqrt", "x", unaryFloat<math::RsqrtOp>, true},
      {"floor", "x", unaryFloat<math::FloorOp>, true},
      {"ceil", "x", unaryFloat<math::CeilOp>, true},
      {"sqrt_rn", "x", sqrtRn, true},
      {"abs", "x", abs, true},
      {"fma", "x, y, z", fma},
      {"fdiv", "x, y, ieee_rounding=False", fdiv},
      {"div_rn", "x, y", divRn},
      {"umulhi", "x, y", umulhi},
      {"maximum", "x, y, propagate_nan=\"none\"", maximum},
      {"minimum", "x, y, propagate_nan=\"none\"", minimum},
      {"clamp", "x, min, max, propagate_nan=\"none\"", clamp},
  };
  return builtins;
}

} // namespace tilescope::compiler::frontend
