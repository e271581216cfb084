// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/Dialect.h"

using namespace mlir;

namespace tilescope::tt {

OpFoldResult PtrToIntOp::fold(FoldAdaptor) {
  if (auto origin = getSrc().getDefiningOp<IntToPtrOp>();
      origin && origin.getSrc().getType() == getType())
    return origin.getSrc();
  return {};
}

LogicalResult BitcastOp::verify() {
  Type source = getSrc().getType(), result = getType();
  if (isTensorPointerType(source) || isa<TensorDescType>(source))
    return success(source == result);
  if (isa<TensorDescType>(result))
    return emitOpError("cannot make a descriptor");
  unsigned sourceWidth = getElementBitWidth(source), resultWidth = getElementBitWidth(result);
  if (sourceWidth != resultWidth)
    return emitOpError("cannot change the width from ")
           << sourceWidth << " to " << resultWidth << " bits";
  return success();
}

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  if (auto inner = getSrc().getDefiningOp<BitcastOp>()) {
    if (inner.getSrc().getType() == getType())
      return inner.getSrc();
    setOperand(inner.getSrc());
    return getResult();
  }
  return {};
}

LogicalResult FpToFpOp::verify() {
  unsigned source = getElementBitWidth(getSrc().getType()), result = getElementBitWidth(getType());
  if (result < source && !getRounding())
    return emitOpError("that narrows needs a `rounding`");
  return success();
}

static APFloat convert(APFloat value, const llvm::fltSemantics &semantics,
                       std::optional<RoundingMode> rounding) {
  bool losesInfo = false;
  value.convert(semantics,
                rounding == RoundingMode::RTZ ? APFloat::rmTowardZero
                                              : APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value;
}

OpFoldResult FpToFpOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  const llvm::fltSemantics &semantics =
      cast<FloatType>(getElementTypeOrSelf(getType())).getFloatSemantics();
  // Conversions to 8 bits saturate on the device; only values that stay finite mean the same
  // everywhere.
  auto folded = [&](const APFloat &value) -> std::optional<APFloat> {
    APFloat result = convert(value, semantics, getRounding());
    if (!value.isFinite() || !result.isFinite())
      return std::nullopt;
    return result;
  };
  if (auto scalar = dyn_cast_or_null<FloatAttr>(adaptor.getSrc())) {
    if (auto value = folded(scalar.getValue()))
      return FloatAttr::get(getType(), *value);
    return {};
  }
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSrc()))
    if (auto value = folded(splat.getSplatValue<APFloat>()))
      return DenseElementsAttr::get(cast<ShapedType>(getType()), *value);
  return {};
}

} // namespace tilescope::tt
