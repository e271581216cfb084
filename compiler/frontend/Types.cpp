// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Types.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/IR/BuiltinTypes.h"

#include <array>
#include <cassert>

namespace tilescope::compiler::frontend {

static constexpr NumberKind kBool = NumberKind::Boolean;
static constexpr NumberKind kInt = NumberKind::Integral;
static constexpr NumberKind kFloat = NumberKind::Floating;

/// Indexed by DType.
static constexpr std::array<DTypeInfo, 19> kDTypes = {{
    {DType::Void, "void", "void", 0, kInt, false},
    {DType::Int1, "int1", "u1", 1, kBool, false},
    {DType::Int8, "int8", "i8", 8, kInt, true},
    {DType::Int16, "int16", "i16", 16, kInt, true},
    {DType::Int32, "int32", "i32", 32, kInt, true},
    {DType::Int64, "int64", "i64", 64, kInt, true},
    {DType::Uint8, "uint8", "u8", 8, kInt, false},
    {DType::Uint16, "uint16", "u16", 16, kInt, false},
    {DType::Uint32, "uint32", "u32", 32, kInt, false},
    {DType::Uint64, "uint64", "u64", 64, kInt, false},
    {DType::Fp8e5, "fp8e5", "fp8e5", 8, kFloat, true},
    {DType::Fp8e4nv, "fp8e4nv", "fp8e4nv", 8, kFloat, true},
    {DType::Fp8e4b15, "fp8e4b15", "fp8e4b15", 8, kFloat, true},
    {DType::Fp8e4b8, "fp8e4b8", "fp8e4b8", 8, kFloat, true},
    {DType::Fp8e5b16, "fp8e5b16", "fp8e5b16", 8, kFloat, true},
    {DType::Fp16, "fp16", "fp16", 16, kFloat, true},
    {DType::Bf16, "bf16", "bf16", 16, kFloat, true},
    {DType::Fp32, "fp32", "fp32", 32, kFloat, true},
    {DType::Fp64, "fp64", "fp64", 64, kFloat, true},
}};

const DTypeInfo &info(DType dtype) { return kDTypes[static_cast<size_t>(dtype)]; }

std::span<const DTypeInfo> allDTypes() { return std::span(kDTypes).subspan(1); }

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

ScalarType ScalarType::pointee() const {
  assert(isPointer());
  return {dtype, static_cast<uint8_t>(pointerDepth - 1), false, 1};
}

ScalarType ScalarType::pointerTo(bool constPointee, int space) const {
  return {dtype, static_cast<uint8_t>(pointerDepth + 1), constPointee, static_cast<uint8_t>(space)};
}

int64_t Type::numElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::string toString(const ScalarType &type) {
  if (!type.isPointer())
    return std::string(info(type.dtype).name);
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
  return "tensor<" + toString(type.scalar) + ">" + shapeToString(type.shape);
}

std::string toSignature(const ScalarType &type) {
  if (!type.isPointer())
    return std::string(info(type.dtype).signature);
  return (type.isConst ? "*k" : "*") + toSignature(type.pointee());
}

std::optional<SignatureEntry> parseSignatureEntry(std::string_view text) {
  auto trim = [](std::string_view part) {
    while (!part.empty() && part.front() == ' ')
      part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ')
      part.remove_suffix(1);
    return part;
  };
  SignatureEntry entry;
  if (size_t colon = text.find(':'); colon != std::string_view::npos) {
    std::string_view hint = trim(text.substr(colon + 1));
    if (hint == "16")
      entry.isDivisible = true;
    else if (hint == "1")
      entry.isOne = true;
    else
      return std::nullopt;
    text = text.substr(0, colon);
  }
  text = trim(text);
  if (text == "constexpr") {
    entry.isConstexpr = true;
    return entry;
  }
  std::optional<constant::DType> dtype = constant::dtypeFromSignature(text);
  std::optional<ScalarType> type = dtype ? fromConstant(*dtype) : std::nullopt;
  if (!type)
    return std::nullopt;
  entry.type = *type;
  return entry;
}

constant::DType toConstant(const ScalarType &type) {
  if (!type.isPointer())
    return constant::DType::of(type.dtype);
  return constant::DType::pointerTo(toConstant(type.pointee()), type.addressSpace, type.isConst);
}

std::optional<ScalarType> fromConstant(const constant::DType &type) {
  if (type.isBlock())
    return std::nullopt;
  if (!type.isPointer())
    return ScalarType{type.scalar};
  std::optional<ScalarType> pointee = fromConstant(*type.pointee);
  if (!pointee)
    return std::nullopt;
  return pointee->pointerTo(type.isConst, type.addressSpace);
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

} // namespace tilescope::compiler::frontend
