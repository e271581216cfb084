// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Types.h"

#include <array>
#include <cassert>

namespace tilescope::compiler::frontend {

static constexpr NumberKind kBool = NumberKind::Boolean;
static constexpr NumberKind kInt = NumberKind::Integral;
static constexpr NumberKind kFloat = NumberKind::Floating;

/// Indexed by DType.
static constexpr std::array<DTypeInfo, 19> kDTypes = {{
    {DType::Void, "void", "void", "void", 0, kInt, false, 0, 0},
    {DType::Int1, "int1", "int1", "u1", 1, kBool, false, 0, 0},
    {DType::Int8, "int8", "int8", "i8", 8, kInt, true, 0, 0},
    {DType::Int16, "int16", "int16", "i16", 16, kInt, true, 0, 0},
    {DType::Int32, "int32", "int32", "i32", 32, kInt, true, 0, 0},
    {DType::Int64, "int64", "int64", "i64", 64, kInt, true, 0, 0},
    {DType::UInt8, "uint8", "uint8", "u8", 8, kInt, false, 0, 0},
    {DType::UInt16, "uint16", "uint16", "u16", 16, kInt, false, 0, 0},
    {DType::UInt32, "uint32", "uint32", "u32", 32, kInt, false, 0, 0},
    {DType::UInt64, "uint64", "uint64", "u64", 64, kInt, false, 0, 0},
    {DType::Fp8E4B15, "fp8e4b15", "float8e4b15", "fp8e4b15", 8, kFloat, true, 3, 15},
    {DType::Fp8E4Nv, "fp8e4nv", "float8e4nv", "fp8e4nv", 8, kFloat, true, 3, 7},
    {DType::Fp8E4B8, "fp8e4b8", "float8e4b8", "fp8e4b8", 8, kFloat, true, 3, 8},
    {DType::Fp8E5, "fp8e5", "float8e5", "fp8e5", 8, kFloat, true, 2, 15},
    {DType::Fp8E5B16, "fp8e5b16", "float8e5b16", "fp8e5b16", 8, kFloat, true, 2, 16},
    {DType::Fp16, "fp16", "float16", "fp16", 16, kFloat, true, 10, 15},
    {DType::Bf16, "bf16", "bfloat16", "bf16", 16, kFloat, true, 7, 127},
    {DType::Fp32, "fp32", "float32", "fp32", 32, kFloat, true, 23, 127},
    {DType::Fp64, "fp64", "float64", "fp64", 64, kFloat, true, 52, 1023},
}};

const DTypeInfo &info(DType dtype) { return kDTypes[static_cast<size_t>(dtype)]; }

std::span<const DTypeInfo> allDTypes() { return std::span(kDTypes).subspan(1); }

std::optional<DType> dtypeNamed(std::string_view name) {
  if (name == "i1" || name == "B")
    return DType::Int1;
  for (const DTypeInfo &entry : allDTypes())
    if (name == entry.name || name == entry.attribute || name == entry.signature)
      return entry.dtype;
  return std::nullopt;
}

DType integerOf(int bits, bool isSigned) {
  switch (bits) {
  case 1:
    return DType::Int1;
  case 8:
    return isSigned ? DType::Int8 : DType::UInt8;
  case 16:
    return isSigned ? DType::Int16 : DType::UInt16;
  case 32:
    return isSigned ? DType::Int32 : DType::UInt32;
  default:
    assert(bits == 64 && "no integer type of this width");
    return isSigned ? DType::Int64 : DType::UInt64;
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

std::string shapeToString(std::span<const int64_t> shape) {
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
  bool isConst = false;
  uint8_t depth = 0;
  while (text.starts_with('*')) {
    ++depth;
    text.remove_prefix(1);
    if (depth == 1 && text.starts_with('k')) {
      isConst = true;
      text.remove_prefix(1);
    }
  }
  std::optional<DType> dtype = dtypeNamed(text);
  if (!dtype)
    return std::nullopt;
  entry.type = {*dtype, depth, isConst, 1};
  return entry;
}

} // namespace tilescope::compiler::frontend
