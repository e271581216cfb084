// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/Dialect.h"

using namespace mlir;

namespace tilescope::ttg {

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getSrc()))
    return SplatElementsAttr::get(cast<ShapedType>(getType()), splat.getSplatValue<Attribute>());
  // convert(convert(x)) is convert(x); into x's own layout it is x.
  auto inner = getSrc().getDefiningOp<ConvertLayoutOp>();
  if (!inner || inner.getForceWarpShuffle() || getForceWarpShuffle())
    return {};
  if (inner.getSrc().getType() == getType())
    return inner.getSrc();
  getSrcMutable().assign(inner.getSrc());
  return getResult();
}

LogicalResult Fp4ToFpOp::verify() {
  auto source = cast<RankedTensorType>(getSrc().getType());
  auto result = cast<RankedTensorType>(getType());
  int axis = getAxis();
  if (axis < 0 || axis >= source.getRank() || source.getRank() != result.getRank())
    return emitOpError("axis ") << axis << " is not a dimension of " << source;
  for (int dim = 0; dim < source.getRank(); ++dim)
    if (result.getDimSize(dim) != source.getDimSize(dim) * (dim == axis ? 2 : 1))
      return emitOpError("result must be twice as long along the axis, and otherwise equal");
  return success();
}

} // namespace tilescope::ttg
