// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttng/ir/Dialect.h"

using namespace mlir;

namespace tilescope::ttng {

void TMEMAllocOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  OpResult result = getOperation()->getOpResult(0);
  effects.emplace_back(MemoryEffects::Allocate::get(), result, TensorMemory::get());
  if (getSrc())
    effects.emplace_back(MemoryEffects::Write::get(), result, TensorMemory::get());
}

static LogicalResult verifyPlace(Operation *op, ttg::MemDescType buffer, bool isWritten) {
  if (!isInTensorMemory(buffer))
    return op->emitOpError("needs a buffer in tensor memory, found ") << buffer;
  if (isWritten && !buffer.getMutableMemory())
    return op->emitOpError("needs a mutable buffer");
  return success();
}

static LogicalResult verifyElements(Operation *op, Type type, ttg::MemDescType buffer) {
  auto block = cast<RankedTensorType>(type);
  if (block.getShape() != buffer.getShape() || block.getElementType() != buffer.getElementType())
    return op->emitOpError("moves ")
           << block << " to or from a buffer of other elements, " << buffer;
  return success();
}

LogicalResult TMEMAllocOp::verify() {
  if (failed(verifyPlace(*this, getType(), /*isWritten=*/!getSrc())))
    return failure();
  return getSrc() ? verifyElements(*this, getSrc().getType(), getType()) : success();
}

LogicalResult TMEMLoadOp::verify() {
  if (failed(verifyPlace(*this, getSrc().getType(), false)))
    return failure();
  return verifyElements(*this, getResult().getType(), getSrc().getType());
}

LogicalResult TMEMStoreOp::verify() {
  if (failed(verifyPlace(*this, getDst().getType(), true)))
    return failure();
  return verifyElements(*this, getSrc().getType(), getDst().getType());
}

LogicalResult TMEMSubSliceOp::verify() {
  ttg::MemDescType source = getSrc().getType(), result = getResult().getType();
  if (failed(verifyPlace(*this, source, false)) || failed(verifyPlace(*this, result, false)))
    return failure();
  if (source.getRank() != 2 || result.getRank() != 2 ||
      source.getDimSize(0) != result.getDimSize(0) ||
      source.getElementType() != result.getElementType())
    return emitOpError("must keep all but the number of columns");
  const int64_t begin = getN(), end = begin + result.getDimSize(1);
  if (begin < 0 || end > source.getDimSize(1))
    return emitOpError("reaches beyond the source");
  return success();
}

LogicalResult TMEMCopyOp::verify() {
  if (isInTensorMemory(getSrc().getType()))
    return emitOpError("copies shared memory");
  return verifyPlace(*this, getDst().getType(), true);
}

} // namespace tilescope::ttng
