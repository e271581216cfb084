// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/shape/KnownValues.h"

#include <cmath>

using namespace mlir;

namespace tilescope::model {

static std::optional<Known> knownIntegers(DenseElementsAttr elements, bool isUnsigned) {
  Known known;
  for (const APInt &value : elements.getValues<APInt>()) {
    if (isUnsigned && value.getActiveBits() > 63)
      return std::nullopt;
    const int64_t number = isUnsigned ? int64_t(value.getZExtValue()) : value.getSExtValue();
    // Numbers beyond the arithmetic of extents only bound slices: the largest one does as well.
    known.push_back(
        {tm::number(elements.getContext(), std::clamp(number, -tm::kMostExtent, tm::kMostExtent))});
  }
  return known;
}

std::optional<Known> knownOf(ElementsAttr attribute, int64_t most) {
  const auto elements = dyn_cast_if_present<DenseElementsAttr>(attribute);
  if (!elements || elements.getNumElements() > most)
    return std::nullopt;
  const Type type = elements.getElementType();
  if (const auto integer = dyn_cast<IntegerType>(type))
    return knownIntegers(elements, integer.isUnsigned() || integer.getWidth() == 1);
  if (!isa<FloatType>(type))
    return std::nullopt;
  Known known;
  for (APFloat value : elements.getValues<APFloat>()) {
    bool isLossy = false;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &isLossy);
    known.push_back({{}, value.convertToDouble()});
  }
  return known;
}

/// Nothing where it is symbolic. The largest number may stand for one that is larger still.
static std::optional<double> numberOf(const KnownElement &element) {
  const std::optional<double> value = element.value();
  return value && element.whole && std::abs(*value) >= double(tm::kMostExtent) / 2 ? std::nullopt
                                                                                   : value;
}

static ElementsAttr realsOf(const Known &known, RankedTensorType type, FloatType element) {
  SmallVector<APFloat> values;
  for (const KnownElement &each : known) {
    const auto value = numberOf(each);
    if (!value)
      return {};
    values.emplace_back(*value);
    bool isLossy = false;
    values.back().convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven, &isLossy);
  }
  return DenseElementsAttr::get(type, ArrayRef(values));
}

/// A computed number may lie outside of its type; a whole one that has become real is one again.
static std::optional<APInt> wholeOf(const KnownElement &element, IntegerType type) {
  const std::optional<double> value = numberOf(element);
  if (!value)
    return std::nullopt;
  if (type.getWidth() == 1)
    return APInt(1, uint64_t(*value != 0));
  const double most = std::ldexp(1.0, int(type.getWidth()) - (type.isUnsigned() ? 0 : 1));
  if (!element.whole || *value >= most || *value < (type.isUnsigned() ? 0 : -most))
    return std::nullopt;
  return APInt(type.getWidth(), uint64_t(*tm::numberOf(element.whole)), false,
               /*implicitTrunc=*/true);
}

ElementsAttr constantOf(const Known &known, RankedTensorType type) {
  if (!type.hasStaticShape())
    return {};
  if (auto real = dyn_cast<FloatType>(type.getElementType()))
    return realsOf(known, type, real);
  const auto whole = dyn_cast<IntegerType>(type.getElementType());
  if (!whole)
    return {};
  SmallVector<APInt> values;
  for (const KnownElement &element : known) {
    const auto value = wholeOf(element, whole);
    if (!value)
      return {};
    values.push_back(*value);
  }
  return DenseElementsAttr::get(type, ArrayRef(values));
}

SmallVector<tm::Extent> sizesOf(const Known &known) {
  SmallVector<tm::Extent> sizes;
  for (const KnownElement &element : known) {
    if (!element.whole)
      return {};
    sizes.push_back(element.whole);
  }
  return sizes;
}

std::optional<Known> foldKnown(Operation *operation, ArrayRef<const Known *> operands,
                               int64_t most) {
  if (operation->getNumResults() != 1)
    return std::nullopt;
  const auto type = cast<RankedTensorType>(operation->getResult(0).getType());
  if (!type.hasStaticShape() || type.getNumElements() > most ||
      !type.getElementType().isIntOrFloat())
    return std::nullopt;
  if (auto constant = dyn_cast<tm::ConstantOp>(operation))
    return knownOf(constant.getValue(), most);
  if (auto sizes = dyn_cast<tm::SizesOp>(operation)) {
    Known known;
    for (const tm::Extent extent : sizes.getValues().getValues())
      known.push_back({extent});
    return known;
  }
  if (operands.empty() || llvm::is_contained(operands, nullptr))
    return std::nullopt;
  if (std::optional<Known> moved = foldMovement(operation, operands))
    return moved;
  return foldPointwise(operation, operands);
}

} // namespace tilescope::model
