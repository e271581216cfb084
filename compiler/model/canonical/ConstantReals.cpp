// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/canonical/ConstantReals.h"

#include "mlir/IR/Builders.h"

#include <cmath>
#include <cstring>

using namespace mlir;

namespace tilescope::model {

static double realOf(APFloat value) {
  bool isLossy = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &isLossy);
  return value.convertToDouble();
}

/// Of little-endian bytes, as files have them.
static std::vector<double> realsOf(std::string_view bytes, FloatType type) {
  const unsigned size = type.getWidth() / 8;
  std::vector<double> values;
  values.reserve(bytes.size() / size);
  for (size_t at = 0; at + size <= bytes.size(); at += size) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < size; ++i)
      bits |= uint64_t(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    values.push_back(realOf(APFloat(type.getFloatSemantics(), APInt(type.getWidth(), bits))));
  }
  return values;
}

std::optional<std::vector<double>> constantReals(Value value, const WeightBytes &bytes,
                                                 int64_t most) {
  const auto type = cast<RankedTensorType>(value.getType());
  auto real = dyn_cast<FloatType>(type.getElementType());
  if (!real || real.getWidth() < 16 || !type.hasStaticShape() || type.getNumElements() > most)
    return std::nullopt;
  if (auto weight = value.getDefiningOp<tm::WeightOp>()) {
    if (!weight.getOrder().empty())
      return std::nullopt;
    const auto found = bytes
                           ? bytes(weight, uint64_t(type.getNumElements()) * (real.getWidth() / 8))
                           : std::nullopt;
    return found ? std::optional(realsOf(*found, real)) : std::nullopt;
  }
  auto constant = value.getDefiningOp<tm::ConstantOp>();
  const auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!elements)
    return std::nullopt;
  std::vector<double> values;
  for (const APFloat &element : elements.getValues<APFloat>())
    values.push_back(realOf(element));
  return values;
}

std::optional<double> splatOf(Value value) {
  const Attribute element = tm::splatElement(value);
  if (auto real = dyn_cast_if_present<FloatAttr>(element))
    return realOf(real.getValue());
  const auto integer = dyn_cast_if_present<IntegerAttr>(element);
  if (!integer || integer.getValue().getSignificantBits() > 53)
    return std::nullopt;
  const auto type = cast<IntegerType>(integer.getType());
  return type.isUnsigned() || type.getWidth() == 1 ? double(integer.getValue().getZExtValue())
                                                   : double(integer.getValue().getSExtValue());
}

static APFloat rounded(double value, FloatType element) {
  APFloat result(value);
  bool isLossy = false;
  result.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven, &isLossy);
  return result;
}

bool holds(FloatType element, ArrayRef<double> values) {
  return llvm::all_of(values, [&](double value) {
    return !std::isfinite(value) || rounded(value, element).isFinite();
  });
}

Value realConstant(OpBuilder &builder, Location location, ArrayRef<int64_t> shape,
                   FloatType element, ArrayRef<double> values) {
  const size_t size = element.getWidth() / 8;
  std::vector<char> bytes(values.size() * size);
  for (size_t i = 0; i < values.size(); ++i) {
    const uint64_t bits = rounded(values[i], element).bitcastToAPInt().getZExtValue();
    std::memcpy(bytes.data() + i * size, &bits, size);
  }
  const auto type = RankedTensorType::get(shape, element);
  return tm::ConstantOp::create(
      builder, location, type,
      cast<ElementsAttr>(DenseElementsAttr::getFromRawBuffer(type, bytes)));
}

} // namespace tilescope::model
