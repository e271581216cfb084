// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/Dialect.h"

using namespace mlir;

namespace tilescope::ttg {

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

void LocalAllocOp::getEffects(Effects &effects) {
  if (getType().getMutableMemory())
    getBufferEffects(effects);
}

void LocalAllocOp::getBufferEffects(Effects &effects) {
  OpResult result = getOperation()->getOpResult(0);
  effects.emplace_back(MemoryEffects::Allocate::get(), result, SharedMemory::get());
  if (getSrc())
    effects.emplace_back(MemoryEffects::Write::get(), result, SharedMemory::get());
}

void LocalLoadOp::getEffects(Effects &effects) {
  if (getSrc().getType().getMutableMemory() || getToken())
    getBufferEffects(effects);
}

void LocalLoadOp::getBufferEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSrcMutable(), SharedMemory::get());
}

static LogicalResult verifyShared(Operation *op, MemDescType buffer) {
  if (!isa<SharedMemorySpaceAttr>(buffer.getMemorySpace()))
    return op->emitOpError("needs a buffer in shared memory, found ") << buffer;
  return success();
}

static LogicalResult verifySameElements(Operation *op, RankedTensorType tensor,
                                        MemDescType buffer) {
  if (failed(verifyShared(op, buffer)))
    return failure();
  if (tensor.getShape() != buffer.getShape() || tensor.getElementType() != buffer.getElementType())
    return op->emitOpError("moves ")
           << tensor << " to or from a buffer with other elements, " << buffer;
  return success();
}

LogicalResult LocalAllocOp::verify() {
  if (getType().getShape() != getType().getAllocShape())
    return emitOpError("allocates what its result is, not a view");
  if (!getSrc() && !getType().getMutableMemory())
    return emitOpError("without a block needs a mutable buffer");
  if (!getSrc())
    return verifyShared(*this, getType());
  return verifySameElements(*this, cast<RankedTensorType>(getSrc().getType()), getType());
}

LogicalResult LocalLoadOp::verify() {
  return verifySameElements(*this, cast<RankedTensorType>(getType()), getSrc().getType());
}

LogicalResult LocalStoreOp::verify() {
  if (!getDst().getType().getMutableMemory())
    return emitOpError("needs a mutable buffer");
  return verifySameElements(*this, cast<RankedTensorType>(getSrc().getType()), getDst().getType());
}

// A view may promise more than its source, that nothing writes through it, but not less.
static LogicalResult verifyView(Operation *op, MemDescType source, MemDescType result) {
  if (source.getMemorySpace() != result.getMemorySpace())
    return op->emitOpError("must keep the memory space");
  if (result.getMutableMemory() && !source.getMutableMemory())
    return op->emitOpError("cannot make the buffer mutable");
  return success();
}

static LogicalResult verifySameElementType(Operation *op, MemDescType source, MemDescType result) {
  if (source.getElementType() != result.getElementType())
    return op->emitOpError("must keep the element type");
  return verifyView(op, source, result);
}

LogicalResult MemDescIndexOp::verify() {
  MemDescType source = getSrc().getType(), result = getType();
  if (source.getShape().drop_front() != result.getShape())
    return emitOpError("must have the source's shape without its first dimension");
  if (source.getEncoding() != result.getEncoding())
    return emitOpError("must keep the encoding");
  return verifySameElementType(*this, source, result);
}

LogicalResult MemDescSubsliceOp::verify() {
  MemDescType source = getSrc().getType(), result = getType();
  if (failed(verifyShared(*this, source)))
    return failure();
  if (source.getRank() != result.getRank() || getOffsets().size() != size_t(source.getRank()))
    return emitOpError("needs an offset for each dimension");
  if (source.getEncoding() != result.getEncoding())
    return emitOpError("must keep the encoding");
  for (auto [offset, whole, part] : llvm::zip(getOffsets(), source.getShape(), result.getShape())) {
    if (offset < 0 || offset + part > whole)
      return emitOpError("reaches beyond the source");
    if (offset % part)
      return emitOpError("offsets must be multiples of the result's extents");
  }
  return verifySameElementType(*this, source, result);
}

LogicalResult MemDescTransOp::verify() {
  MemDescType source = getSrc().getType(), result = getType();
  if (failed(verifyShared(*this, source)))
    return failure();
  SmallVector<int32_t> sorted(getOrder());
  llvm::sort(sorted);
  if (int64_t(sorted.size()) != source.getRank() ||
      llvm::any_of(llvm::enumerate(sorted),
                   [](auto it) { return it.value() != int32_t(it.index()); }))
    return emitOpError("order must be a permutation of the dimensions");
  for (auto [index, dim] : llvm::enumerate(getOrder()))
    if (result.getRank() != source.getRank() || result.getDimSize(index) != source.getDimSize(dim))
      return emitOpError("result does not have the permuted shape");
  return verifySameElementType(*this, source, result);
}

LogicalResult MemDescReshapeOp::verify() {
  if (getSrc().getType().getNumElements() != getType().getNumElements())
    return emitOpError("must keep the number of elements");
  return verifySameElementType(*this, getSrc().getType(), getType());
}

LogicalResult MemDescReinterpretOp::verify() {
  return verifyView(*this, getSrc().getType(), getType());
}

} // namespace tilescope::ttg
