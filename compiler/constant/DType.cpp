// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/constant/DType.h"

#include "compiler/types/SignatureType.h"

namespace tilescope::compiler::constant {

static constexpr int kPointerBits = 64;

bool DType::isUnsigned() const {
  return isBool() || (!isPointer() && scalarInfo(scalar).category == ScalarClass::Unsigned);
}
bool DType::isSigned() const {
  return !isPointer() && scalarInfo(scalar).category == ScalarClass::Signed;
}
bool DType::isBool() const { return !isPointer() && scalar == ScalarKind::Int1; }
bool DType::isInt() const { return isSigned() || isUnsigned(); }
bool DType::isFloating() const {
  return !isPointer() && scalarInfo(scalar).category == ScalarClass::Floating;
}
bool DType::isStandardFloating() const { return isFloating() && !isFp8(); }
bool DType::isFp8() const { return isFloating() && bitWidth() == 8; }
int DType::bitWidth() const { return isPointer() ? kPointerBits : scalarInfo(scalar).bits; }
int DType::mantissaWidth() const { return isPointer() ? 0 : scalarInfo(scalar).mantissaBits; }
int DType::exponentBias() const { return isPointer() ? 0 : scalarInfo(scalar).exponentBias; }

DType DType::of(const ScalarType &type) {
  return type.isPointer() ? pointerTo(of(type.pointee()), type.addressSpace, type.isConst)
                          : of(type.dtype);
}

std::optional<ScalarType> DType::toScalar() const {
  if (isBlock())
    return std::nullopt;
  if (!isPointer())
    return ScalarType{scalar};
  const std::optional<ScalarType> inner = pointee->toScalar();
  return inner ? std::optional(inner->pointerTo(isConst, addressSpace)) : std::nullopt;
}

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
  return std::string(scalarInfo(scalar).name);
}

std::string DType::languageName() const {
  if (isPointer())
    return "pointer_type(tl." + pointee->languageName() + ")";
  return std::string(scalarInfo(scalar).languageName);
}

bool DType::operator==(const DType &other) const {
  if (shape != other.shape || isPointer() != other.isPointer() || scalar != other.scalar)
    return false;
  if (!isPointer())
    return true;
  return addressSpace == other.addressSpace && isConst == other.isConst &&
         *pointee == *other.pointee;
}

std::optional<DType> dtypeNamed(std::string_view text) {
  if (const std::optional<ScalarType> type = parseScalarType(text))
    return DType::of(*type);
  return dtypeFromLanguageName(text);
}

std::optional<DType> dtypeFromLanguageName(std::string_view name) {
  const std::optional<ScalarKind> scalar = scalarFromLanguageName(name);
  return scalar ? std::optional(DType::of(*scalar)) : std::nullopt;
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
