// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Types.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/IR/BuiltinTypes.h"

#include <cassert>

namespace tilescope::compiler::frontend {

NumberKind numberKind(DType dtype) {
  switch (scalarInfo(dtype).category) {
  case ScalarClass::Bool:
    return NumberKind::Boolean;
  case ScalarClass::Floating:
    return NumberKind::Floating;
  case ScalarClass::Void:
  case ScalarClass::Signed:
  case ScalarClass::Unsigned:
    break;
  }
  return NumberKind::Integral;
}

DType integerOf(int bits, bool isSigned) {
  switch (bits) {
  case 1:
    return DType::Int1;
  case 8:
    return isSigned ? DType::Int8 : DType::Uint8;
  case 16:
    return isSigned ? DType::Int16 : DType::Uint16;
  case 32:
    return isSigned ? DType::Int32 : DType::Uint32;
  default:
    assert(bits == 64 && "no integer type of this width");
    return isSigned ? DType::Int64 : DType::Uint64;
  }
}

int64_t Type::numElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::string toString(const ScalarType &type) {
  if (!type.isPointer())
    return nameOf(type.dtype);
  return (type.isConst ? "const_pointer<" : "pointer<") + toString(type.pointee()) + ">";
}

std::string shapeToString(llvm::ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

std::string toString(const Type &type) {
  if (!type.isBlock())
    return toString(type.scalar);
  return toString(type.scalar) + shapeToString(type.shape);
}

static mlir::Type scalarToMlir(mlir::MLIRContext *context, DType dtype) {
  switch (dtype) {
  case DType::Void:
    return mlir::NoneType::get(context);
  case DType::Fp8e5:
    return mlir::Float8E5M2Type::get(context);
  case DType::Fp8e4nv:
    return mlir::Float8E4M3FNType::get(context);
  case DType::Fp8e4b8:
    return mlir::Float8E4M3FNUZType::get(context);
  case DType::Fp8e5b16:
    return mlir::Float8E5M2FNUZType::get(context);
  case DType::Fp16:
    return mlir::Float16Type::get(context);
  case DType::Bf16:
    return mlir::BFloat16Type::get(context);
  case DType::Fp32:
    return mlir::Float32Type::get(context);
  case DType::Fp64:
    return mlir::Float64Type::get(context);
  default:
    // Integers; fp8e4b15 too has no type of its own in the IR.
    return mlir::IntegerType::get(context, bitWidth(dtype));
  }
}

mlir::Type toMlir(mlir::MLIRContext *context, const ScalarType &type) {
  if (!type.isPointer())
    return scalarToMlir(context, type.dtype);
  return tt::PointerType::get(toMlir(context, type.pointee()), type.addressSpace);
}

mlir::Type toMlir(mlir::MLIRContext *context, const Type &type) {
  mlir::Type scalar = toMlir(context, type.scalar);
  return type.isBlock() ? mlir::RankedTensorType::get(type.shape, scalar) : scalar;
}

std::optional<ScalarType> fromMlir(mlir::Type type) {
  if (auto pointer = llvm::dyn_cast<tt::PointerType>(type)) {
    const std::optional<ScalarType> pointee = fromMlir(pointer.getPointeeType());
    return pointee ? std::optional(pointee->pointerTo(false, pointer.getAddressSpace()))
                   : std::nullopt;
  }
  for (const ScalarInfo &info : kScalars)
    if (info.category != ScalarClass::Void && info.category != ScalarClass::Unsigned &&
        info.kind != DType::Fp8e4b15 && scalarToMlir(type.getContext(), info.kind) == type)
      return ScalarType{info.kind};
  return std::nullopt;
}

} // namespace tilescope::compiler::frontend
