// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Conversions between scalar types, of scalars and of blocks.
#include "compiler/frontend/TensorOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace arith = mlir::arith;

namespace tilescope::compiler::frontend {

/// Element types of a width, likeliest first.
static llvm::ArrayRef<DType> typesOf(int bits) {
  static constexpr DType k64[] = {DType::Fp64, DType::Int64}, k16[] = {DType::Fp16, DType::Int16},
                         k8[] = {DType::Int8, DType::Uint8};
  return bits == 64 ? k64 : bits == 16 ? k16 : bits == 8 ? k8 : llvm::ArrayRef<DType>();
}

Tensor TensorOps::bitcast(const Tensor &value, const ScalarType &type) {
  const ScalarType &from = value.type.scalar;
  if (from == type)
    return value;
  if (from.isPointer() || type.isPointer())
    return cast(value, type);
  if (from.bits() != type.bits())
    fail(DiagnosticKind::TypeMismatch,
         Message("cannot bitcast data-type of size {} to data-type of size {} (`{}` to `{}`)",
                 from.bits(), type.bits(), from, type)
             .wants(typesOf(type.bits())));
  Type result = value.type.with(type);
  mlir::Type mlirResult = mlirType(result);
  if (mlirResult == value.handle.getType())
    return {value.handle, result};
  return {create<tt::BitcastOp>(mlirResult, value.handle), result};
}

Tensor TensorOps::toBool(const Tensor &value) {
  return compare(ast::CompareOpKind::NotEq, value, full(value.type.scalar, 0));
}

Tensor TensorOps::requireBool(const Tensor &value) {
  if (value.type.scalar.bits() != 1)
    fail(DiagnosticKind::TypeMismatch, Message("`and`, `or` and `not` need booleans, got `{}`; "
                                               "compare first, as in `x != 0`",
                                               value.type.scalar)
                                           .wants(DType::Int1));
  return bitcast(value, ScalarType{DType::Int1});
}

/// A number that is already known is converted right here, as the canonicalizer would do later.
static bool foldCast(TensorOps &ops, const Tensor &value, const Type &to, Tensor &result) {
  auto constant = value.handle.getDefiningOp<arith::ConstantOp>();
  if (!constant || value.isBlock() || to.isPointer() || value.type.isPointer() ||
      !isInteger(value.dtype()) || !isInteger(to.dtype()) || to.dtype() == DType::Int1)
    return false;
  llvm::APInt bits = mlir::cast<mlir::IntegerAttr>(constant.getValue()).getValue();
  int width = bitWidth(to.dtype());
  bits = isSigned(value.dtype()) ? bits.sextOrTrunc(width) : bits.zextOrTrunc(width);
  result = ops.constantInt(constant::Int(bits.getSExtValue()), to.dtype());
  return true;
}

Tensor TensorOps::convertFp8(const Tensor &value, DType to, std::string_view rounding) {
  Type result = value.type.with(ScalarType{to});
  DType from = value.dtype();
  if (from == DType::Fp8e4b15 || to == DType::Fp8e4b15)
    return convertFp8e4b15(value, to);
  tt::RoundingModeAttr mode;
  if (bitWidth(to) < bitWidth(from))
    mode = tt::RoundingModeAttr::get(context(), rounding == "rtz" ? tt::RoundingMode::RTZ
                                                                  : tt::RoundingMode::RTNE);
  return {create<tt::FpToFpOp>(mlirType(result), value.handle, mode), result};
}

Tensor TensorOps::castFloat(const Tensor &value, DType to, std::string_view rounding) {
  DType from = value.dtype();
  int fromBits = bitWidth(from), toBits = bitWidth(to);
  bool narrows = toBits < fromBits;
  if (!rounding.empty() && !narrows)
    fail(DiagnosticKind::BadArgument, {"`fp_downcast_rounding` should be set only for truncating "
                                       "conversions between floats, but `{}` to `{}` is not one",
                                       from, to});
  if (isFp8(from) || isFp8(to) || (narrows && rounding == "rtz"))
    return convertFp8(value, to, rounding);
  // Between the half-precision types, and from them to fp64, by way of fp32.
  if (fromBits == 16 && to != DType::Fp32)
    return castFloat(castFloat(value, DType::Fp32, ""), to, "");
  Type result = value.type.with(ScalarType{to});
  if (narrows)
    return {create<arith::TruncFOp>(mlirType(result), value.handle), result};
  return {create<arith::ExtFOp>(mlirType(result), value.handle), result};
}

Tensor TensorOps::cast(const Tensor &value, const ScalarType &type, std::string_view rounding) {
  const ScalarType &from = value.type.scalar;
  if (!rounding.empty() && rounding != "rtne" && rounding != "rtz")
    fail(DiagnosticKind::BadArgument, "invalid rounding mode \"" + std::string(rounding) +
                                          "\": supported are \"rtne\" and \"rtz\"");
  if (from == type)
    return value;
  Type result = value.type.with(type);
  if (from.isPointer() && type.isPointer()) {
    // Only the constness may differ.
    mlir::Type mlirResult = mlirType(result);
    if (mlirResult == value.handle.getType())
      return {value.handle, result};
    return {create<tt::BitcastOp>(mlirResult, value.handle), result};
  }
  if (from.isPointer()) {
    if (type.bits() == 64 && isInteger(type.dtype))
      return {create<tt::PtrToIntOp>(mlirType(result), value.handle), result};
    if (type.dtype == DType::Int1)
      return toBool(cast(value, ScalarType{DType::Int64}));
    if (isFloating(type.dtype))
      fail(DiagnosticKind::TypeMismatch,
           {"cannot cast `{}` to `{}`: a pointer is an address; load its elements first, as in "
            "`tl.load(pointer + offsets)`",
            from, type});
    fail(DiagnosticKind::TypeMismatch,
         {"cannot cast `{}` to `{}`: a pointer becomes an integer of 64 bits first", from, type});
  }
  if (type.isPointer()) {
    if (from.bits() != 64 || !isInteger(from.dtype))
      fail(DiagnosticKind::TypeMismatch,
           Message("cannot cast `{}` to `{}`: only integers of 64 bits become pointers", from, type)
               .wants(DType::Int64));
    return {create<tt::IntToPtrOp>(mlirType(result), value.handle), result};
  }
  bool fromFloat = isFloating(from.dtype), toFloat = isFloating(type.dtype);
  if (fromFloat && toFloat)
    return castFloat(value, type.dtype, rounding);
  if (!rounding.empty())
    fail(DiagnosticKind::BadArgument,
         "`fp_downcast_rounding` should be set only for truncating conversions between floats");
  if ((fromFloat && isFp8(from.dtype)) || (toFloat && isFp8(type.dtype)))
    fail(DiagnosticKind::TypeMismatch,
         {"cannot cast `{}` to `{}`: cast to fp32 in between", from, type});
  if (Tensor folded; foldCast(*this, value, result, folded))
    return folded;
  if (type.dtype == DType::Int1)
    return toBool(value);
  if (fromFloat) {
    // Half precision goes by way of fp32, as between floats.
    Tensor wide = bitWidth(from.dtype) == 16 ? castFloat(value, DType::Fp32, "") : value;
    if (isSigned(type.dtype))
      return {create<arith::FPToSIOp>(mlirType(result), wide.handle), result};
    return {create<arith::FPToUIOp>(mlirType(result), wide.handle), result};
  }
  if (toFloat) {
    if (isSigned(from.dtype))
      return {create<arith::SIToFPOp>(mlirType(result), value.handle), result};
    return {create<arith::UIToFPOp>(mlirType(result), value.handle), result};
  }
  if (from.bits() == type.bits())
    return {value.handle, result};
  if (from.bits() > type.bits())
    return {create<arith::TruncIOp>(mlirType(result), value.handle), result};
  if (isSigned(from.dtype))
    return {create<arith::ExtSIOp>(mlirType(result), value.handle), result};
  return {create<arith::ExtUIOp>(mlirType(result), value.handle), result};
}

} // namespace tilescope::compiler::frontend
