// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttng/ir/Dialect.h"

using namespace mlir;

namespace tilescope::ttng {

static LogicalResult verifyBlock(Operation *op, Type desc, ttg::MemDescType buffer) {
  RankedTensorType block = tt::signlessBlock(describedBlock(desc));
  if (block.getNumElements() != buffer.getNumElements() ||
      block.getElementType() != buffer.getElementType())
    return op->emitOpError("moves ")
           << block << " to or from a buffer with other elements, " << buffer;
  if (!isa<ttg::NvmmaSharedEncodingAttr>(buffer.getEncoding()))
    return op->emitOpError("needs an `nvmma_shared` buffer");
  return success();
}

static LogicalResult verifyBox(Operation *op, Type desc, size_t numCoordinates,
                               ttg::MemDescType buffer) {
  if (numCoordinates < 1 || numCoordinates > 5)
    return op->emitOpError("needs 1 to 5 coordinates");
  return verifyBlock(op, desc, buffer);
}

static LogicalResult verifyRows(Operation *op, tt::TensorDescType desc, RankedTensorType rows,
                                ttg::MemDescType buffer) {
  RankedTensorType block = desc.getSignlessBlockType();
  if (block.getRank() != 2 || block.getDimSize(0) != 1)
    return op->emitOpError("needs a descriptor of one row");
  if (rows.getRank() != 1 || buffer.getRank() != 2 || buffer.getDimSize(0) != rows.getDimSize(0) ||
      buffer.getDimSize(1) != block.getDimSize(1))
    return op->emitOpError("moves rows ") << rows << " of " << block << " to or from " << buffer;
  return success();
}

static LogicalResult verifyFilled(Operation *op, ttg::MemDescType buffer) {
  return buffer.getMutableMemory() ? success() : op->emitOpError("needs a mutable buffer");
}

/// Source: PTX ISA, "im2col mode": images have one to three dimensions of pixels.
static LogicalResult verifyOffsets(AsyncTMACopyGlobalToLocalOp op) {
  const size_t numOffsets = op.getOffsets().size();
  if (!isa<TensorDescIm2ColType>(op.getDesc().getType()))
    return numOffsets == 0 ? success() : op.emitOpError("has offsets, which move pixels of images");
  if (numOffsets < 1 || numOffsets > 3 || op.getCoord().size() != numOffsets + 2)
    return op.emitOpError("needs an offset for each of one to three dimensions of an image, and a "
                          "coordinate for each, the image and the channel");
  return success();
}

LogicalResult AsyncTMACopyGlobalToLocalOp::verify() {
  if (failed(verifyFilled(*this, getResult().getType())) || failed(verifyOffsets(*this)))
    return failure();
  return verifyBox(*this, getDesc().getType(), getCoord().size(), getResult().getType());
}

LogicalResult AsyncTMACopyLocalToGlobalOp::verify() {
  return verifyBox(*this, getDesc().getType(), getCoord().size(), getSrc().getType());
}

LogicalResult AsyncTMAReduceOp::verify() {
  return verifyBox(*this, getDesc().getType(), getCoord().size(), getSrc().getType());
}

LogicalResult AsyncTMAGatherOp::verify() {
  if (failed(verifyFilled(*this, getResult().getType())))
    return failure();
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(), getResult().getType());
}

LogicalResult AsyncTMAScatterOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(), getSrc().getType());
}

LogicalResult TensormapCreateOp::verify() {
  const size_t rank = getBoxDim().size();
  if (rank < 1 || rank > 5)
    return emitOpError("describes a tensor of 1 to 5 dimensions");
  if (getGlobalDim().size() != rank || getElementStride().size() != rank ||
      getGlobalStride().size() + 1 != rank)
    return emitOpError(
        "needs an extent and a step for each dimension, and a stride for all but the first");
  return success();
}

} // namespace tilescope::ttng
