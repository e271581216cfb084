// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Products of block-scaled factors.
#include "compiler/frontend/Builtins.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilescope::compiler::frontend {

namespace {
/// A factor with how its bits are to be read.
struct Factor {
  Tensor values;
  std::optional<Tensor> scale;
  tt::ScaleDotElemType format;
  bool isPackedAlongK = true;
  /// Values along K and along the other side.
  int64_t inner = 0;
  int64_t outer = 0;
};

/// Positions of a factor's parameters.
struct FactorParameters {
  size_t values, scale, format, kPack;
};
} // namespace

static tt::ScaleDotElemType formatArgument(BuiltinCall &call, size_t parameter) {
  using Format = tt::ScaleDotElemType;
  auto format = llvm::StringSwitch<std::optional<Format>>(call.string(parameter))
                    .Case("e2m1", Format::E2M1)
                    .Case("e4m3", Format::E4M3)
                    .Case("e5m2", Format::E5M2)
                    .Case("bf16", Format::BF16)
                    .Case("fp16", Format::FP16)
                    .Default(std::nullopt);
  if (!format)
    call.fail(parameter, DiagnosticKind::BadArgument,
              "a format of `dot_scaled` is one of e2m1, e4m3, e5m2, bf16, fp16, got \"" +
                  call.string(parameter) + "\"");
  return *format;
}

/// What the bits of a format are; packed pairs stay bytes.
static DType dtypeOf(tt::ScaleDotElemType format) {
  switch (format) {
  case tt::ScaleDotElemType::E4M3:
    return DType::Fp8e4nv;
  case tt::ScaleDotElemType::E5M2:
    return DType::Fp8e5;
  case tt::ScaleDotElemType::BF16:
    return DType::Bf16;
  case tt::ScaleDotElemType::FP16:
    return DType::Fp16;
  default:
    return DType::Uint8;
  }
}

static Factor factorArgument(BuiltinCall &call, const FactorParameters &at, bool isLeft) {
  Factor factor{call.tensor(at.values), std::nullopt, formatArgument(call, at.format),
                call.boolean(at.kPack)};
  DType type = dtypeOf(factor.format), given = factor.values.dtype();
  bool isPair = factor.format == tt::ScaleDotElemType::E2M1;
  size_t rank = factor.values.type.shape.size();
  if (rank < 2 || rank > 3 || factor.values.type.isPointer())
    call.fail(at.values, DiagnosticKind::TypeMismatch,
              Message("`dot_scaled` needs blocks of rank 2 or 3, got {}", factor.values.type)
                  .needs(Need::Block));
  bool isBits = isInteger(given) && bitWidth(given) == bitWidth(type);
  if (given != type && !isBits)
    call.fail(
        at.values, DiagnosticKind::TypeMismatch,
        Message("a factor of format {} is {}, got `{}`", call.string(at.format),
                isPair ? "`uint8`" : "`" + nameOf(type) + "` or its bits as an unsigned integer",
                factor.values.type.scalar)
            .wants(isPair ? DType::Uint8 : type));
  if (given != type && !isPair)
    factor.values = call.ops.bitcast(factor.values, ScalarType{type});
  if (!isPair && !factor.isPackedAlongK)
    call.fail(at.kPack, DiagnosticKind::BadArgument, "only the format e2m1 is packed");
  const Shape &shape = factor.values.type.shape;
  factor.inner = shape[isLeft ? rank - 1 : rank - 2];
  factor.outer = shape[isLeft ? rank - 2 : rank - 1];
  if (isPair)
    (factor.isPackedAlongK ? factor.inner : factor.outer) *= 2;
  if (call.isNone(at.scale))
    return factor;
  factor.scale = call.tensor(at.scale);
  const Type &scale = factor.scale->type;
  bool isByte = isInteger(scale.dtype()) && bitWidth(scale.dtype()) == 8;
  if (scale.isPointer() || !(isByte || scale.dtype() == DType::Fp8e4nv))
    call.fail(at.scale, DiagnosticKind::TypeMismatch,
              Message("a scale is a block of `uint8` or `fp8e4nv`, got {}", scale)
                  .wants({DType::Uint8, DType::Fp8e4nv}));
  int64_t count = scale.shape.size() == rank ? scale.shape.back() : 0;
  if (count == 0 || scale.shape[rank - 2] != factor.outer ||
      (factor.inner != 32 * count && factor.inner != 16 * count))
    call.fail(at.scale, DiagnosticKind::ShapeMismatch,
              {"the scale of {} must have the shape [{}, {} / 32 or / 16], got {}",
               factor.values.type, factor.outer, factor.inner, scale.shape});
  return factor;
}

/// How many values along K share a scale; 0 without scales.
static int64_t groupOf(const Factor &factor) {
  return factor.scale ? factor.inner / factor.scale->type.shape.back() : 0;
}

static Value dotScaled(BuiltinCall &call) {
  TensorOps &ops = call.ops;
  Factor left = factorArgument(call, {0, 1, 2, 8}, true);
  Factor right = factorArgument(call, {3, 4, 5, 9}, false);
  size_t rank = left.values.type.shape.size();
  if (right.values.type.shape.size() != rank || left.inner != right.inner)
    call.fail(3, DiagnosticKind::ShapeMismatch,
              {"the factors of `dot_scaled` have different extents along K: {} and {}",
               left.values.type, right.values.type});
  int64_t leftGroup = groupOf(left), rightGroup = groupOf(right);
  if (leftGroup && rightGroup && leftGroup != rightGroup)
    call.fail(4, DiagnosticKind::ShapeMismatch,
              "operands must have the same scale factor (lhs: " + std::to_string(leftGroup) +
                  " vs rhs: " + std::to_string(rightGroup) + ")");
  if (!call.isNone(10) && call.dtype(10) != ScalarType{DType::Fp32})
    call.fail(10, DiagnosticKind::DtypeUnsupported, "`out_dtype` of `dot_scaled` must be float32");
  Type type(DType::Fp32);
  type.shape = left.values.type.shape;
  type.shape[rank - 2] = left.outer;
  type.shape[rank - 1] = right.outer;
  ops.checkShape(type.shape);
  Tensor accumulator = call.isNone(6) ? ops.full(type, 0) : call.tensor(6);
  if (accumulator.type != type)
    call.fail(6, DiagnosticKind::TypeMismatch,
              {"the accumulator must be {}, got {}", type, accumulator.type});
  auto scaleOf = [](const Factor &factor) {
    return factor.scale ? factor.scale->handle : mlir::Value();
  };
  auto op = ops.create<tt::DotScaledOp>(accumulator.handle.getType(), left.values.handle,
                                        right.values.handle, accumulator.handle, scaleOf(left),
                                        scaleOf(right), left.format, right.format, call.boolean(7),
                                        left.isPackedAlongK, right.isPackedAlongK);
  return ops.wrap(op, type);
}

std::span<const Builtin> dotScaledBuiltins() {
  static const Builtin builtins[] = {
      {"dot_scaled",
       "lhs, lhs_scale, lhs_format, rhs, rhs_scale, rhs_format, acc=None, fast_math=False, "
       "lhs_k_pack=True, rhs_k_pack=True, out_dtype=None",
       dotScaled},
  };
  return builtins;
}

} // namespace tilescope::compiler::frontend
