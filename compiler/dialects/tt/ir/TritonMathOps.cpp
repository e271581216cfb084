// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilescope::tt {

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getOffset(), m_Zero()))
    return getPtr();
  return {};
}

LogicalResult MakeRangeOp::verify() {
  int64_t start = static_cast<int32_t>(getStart()), end = static_cast<int32_t>(getEnd());
  if (start >= end)
    return emitOpError("needs `start` below `end`, but has ") << start << " and " << end;
  RankedTensorType type = getType();
  if (type.getRank() != 1)
    return emitOpError("has a one-dimensional block as its result, not ") << type;
  if (type.getDimSize(0) != end - start)
    return emitOpError("has ") << end - start << " values, but its type is " << type;
  return success();
}

OpFoldResult MakeRangeOp::fold(FoldAdaptor) {
  if (getStart() + 1 != getEnd())
    return {};
  return DenseElementsAttr::get(cast<ShapedType>(getType()), getStartAttr().getValue());
}

template <typename OpTy>
static void
addOpaqueEffects(OpTy op,
                 SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (op.getPure())
    return;
  effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
  effects.emplace_back(MemoryEffects::Read::get(), GlobalMemory::get());
}

void ExternElementwiseOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  addOpaqueEffects(*this, effects);
}

Speculation::Speculatability ExternElementwiseOp::getSpeculatability() {
  return getPure() ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

void ElementwiseInlineAsmOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  addOpaqueEffects(*this, effects);
}

Speculation::Speculatability ElementwiseInlineAsmOp::getSpeculatability() {
  return getPure() ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

LogicalResult ElementwiseInlineAsmOp::verify() {
  if (getNumResults() == 0)
    return emitOpError("needs at least one result");
  if (getNumOperands() == 0)
    return success();
  auto tensor = dyn_cast<RankedTensorType>(getResult().front().getType());
  if (!tensor)
    return success();
  if (static_cast<int32_t>(getPackedElement()) < 1 ||
      tensor.getNumElements() % getPackedElement() != 0)
    return emitOpError("works on packs of ")
           << getPackedElement() << " elements, which do not divide " << tensor;
  return success();
}

} // namespace tilescope::tt
