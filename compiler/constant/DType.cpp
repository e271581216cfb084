// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/constant/DType.h"

namespace tilescope::compiler::constant {

namespace {
enum class Class { Void, Signed, Unsigned, Floating };

struct ScalarInfo {
  ScalarKind kind;
  /// In `triton.language`.
  std::string_view languageName;
  /// As Triton calls it in messages.
  std::string_view name;
  /// In signatures.
  std::string_view signatureName;
  Class category;
  int bitWidth;
  int mantissaWidth = 0;
  int exponentBias = 0;
};
} // namespace

static constexpr ScalarInfo kScalars[] = {
    {ScalarKind::Void, "void", "void", "void", Class::Void, 0},
    {ScalarKind::Int1, "int1", "int1", "i1", Class::Unsigned, 1},
    {ScalarKind::Int8, "int8", "int8", "i8", Class::Signed, 8},
    {ScalarKind::Int16, "int16", "int16", "i16", Class::Signed, 16},
    {ScalarKind::Int32, "int32", "int32", "i32", Class::Signed, 32},
    {ScalarKind::Int64, "int64", "int64", "i64", Class::Signed, 64},
    {ScalarKind::Uint8, "uint8", "uint8", "u8", Class::Unsigned, 8},
    {ScalarKind::Uint16, "uint16", "uint16", "u16", Class::Unsigned, 16},
    {ScalarKind::Uint32, "uint32", "uint32", "u32", Class::Unsigned, 32},
    {ScalarKind::Uint64, "uint64", "uint64", "u64", Class::Unsigned, 64},
    {ScalarKind::Fp8e5, "float8e5", "fp8e5", "fp8e5", Class::Floating, 8, 2, 15},
    {ScalarKind::Fp8e4nv, "float8e4nv", "fp8e4nv", "fp8e4nv", Class::Floating, 8, 3, 7},
    {ScalarKind::Fp8e4b15, "float8e4b15", "fp8e4b15", "fp8e4b15", Class::Floating, 8, 3, 15},
    {ScalarKind::Fp8e4b8, "float8e4b8", "fp8e4b8", "fp8e4b8", Class::Floating, 8, 3, 8},
    {ScalarKind::Fp8e5b16, "float8e5b16", "fp8e5b16", "fp8e5b16", Class::Floating, 8, 2, 16},
    {ScalarKind::Fp16, "float16", "fp16", "fp16", Class::Floating, 16, 10, 15},
    {ScalarKind::Bf16, "bfloat16", "bf16", "bf16", Class::Floating, 16, 7, 127},
    {ScalarKind::Fp32, "float32", "fp32", "fp32", Class::Floating, 32, 23, 127},
    {ScalarKind::Fp64, "float64", "fp64", "fp64", Class::Floating, 64, 52, 1023},
};

static constexpr int kPointerBits = 64;

static const ScalarInfo &infoOf(ScalarKind kind) { return kScalars[static_cast<int>(kind)]; }

bool DType::isUnsigned() const {
  return !isPointer() && infoOf(scalar).category == Class::Unsigned;
}
bool DType::isSigned() const { return !isPointer() && infoOf(scalar).category == Class::Signed; }
bool DType::isBool() const { return !isPointer() && scalar == ScalarKind::Int1; }
bool DType::isInt() const { return isSigned() || isUnsigned(); }
bool DType::isFloating() const {
  return !isPointer() && infoOf(scalar).category == Class::Floating;
}
bool DType::isStandardFloating() const { return isFloating() && !isFp8(); }
bool DType::isFp8() const {
  return !isPointer() && scalar >= ScalarKind::Fp8e5 && scalar <= ScalarKind::Fp8e5b16;
}
int DType::bitWidth() const { return isPointer() ? kPointerBits : infoOf(scalar).bitWidth; }
int DType::mantissaWidth() const { return isPointer() ? 0 : infoOf(scalar).mantissaWidth; }
int DType::exponentBias() const { return isPointer() ? 0 : infoOf(scalar).exponentBias; }

DType DType::pointerTo(DType pointee, int addressSpace, bool isConst) {
  DType result;
  result.scalar = pointee.scalar;
  result.pointee = std::make_shared<const DType>(std::move(pointee));
  result.addressSpace = addressSpace;
  result.isConst = isConst;
  return result;
}

DType DType::block(DType element, std::vector<int64_t> shape) {
  element.shape = std::move(shape);
  return element;
}

static DType elementOf(DType type) {
  type.shape.clear();
  return type;
}

std::string DType::name() const {
  if (isBlock()) {
    std::string extents;
    for (int64_t extent : shape)
      extents += (extents.empty() ? "'" : ", '") + std::to_string(extent) + "'";
    return "<[" + extents + "], " + elementOf(*this).name() + ">";
  }
  if (isPointer())
    return (isConst ? "const pointer<" : "pointer<") + pointee->name() + ">";
  return std::string(infoOf(scalar).name);
}

std::string DType::signatureName() const {
  if (isPointer())
    return (isConst ? "*k" : "*") + pointee->signatureName();
  return std::string(infoOf(scalar).signatureName);
}

std::string DType::languageName() const {
  if (isPointer())
    return "pointer_type(tl." + pointee->languageName() + ")";
  return std::string(infoOf(scalar).languageName);
}

bool DType::operator==(const DType &other) const {
  if (shape != other.shape || isPointer() != other.isPointer() || scalar != other.scalar)
    return false;
  if (!isPointer())
    return true;
  return addressSpace == other.addressSpace && isConst == other.isConst &&
         *pointee == *other.pointee;
}

std::optional<DType> dtypeFromSignature(std::string_view text) {
  if (text.starts_with('*')) {
    text.remove_prefix(1);
    bool isConst = text.starts_with('k');
    if (isConst)
      text.remove_prefix(1);
    std::optional<DType> pointee = dtypeFromSignature(text);
    if (!pointee)
      return std::nullopt;
    return DType::pointerTo(std::move(*pointee), 1, isConst);
  }
  if (text == "u1" || text == "B")
    return DType::of(ScalarKind::Int1);
  for (const ScalarInfo &info : kScalars)
    if (info.signatureName == text)
      return DType::of(info.kind);
  return std::nullopt;
}

std::optional<DType> dtypeFromLanguageName(std::string_view name) {
  for (const ScalarInfo &info : kScalars)
    if (info.languageName == name)
      return DType::of(info.kind);
  return std::nullopt;
}

const std::vector<std::string_view> &dtypeLanguageNames() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> result;
    for (const ScalarInfo &info : kScalars)
      result.push_back(info.languageName);
    return result;
  }();
  return names;
}

} // namespace tilescope::compiler::constant
