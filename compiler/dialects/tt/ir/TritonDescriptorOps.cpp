// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/Dialect.h"

using namespace mlir;

namespace tilescope::tt {

LogicalResult MakeTensorDescOp::verify() {
  RankedTensorType block = getType().getSignlessBlockType();
  if (static_cast<int64_t>(getShape().size()) != block.getRank())
    return emitOpError("needs one extent and one stride for each of ")
           << block.getRank() << " dimensions";
  if (getBase().getType().getPointeeType() != block.getElementType())
    return emitOpError("has a base of ") << getBase().getType() << " for blocks of " << block;
  return success();
}

/// A block loaded or stored whole: as many elements as the descriptor's block, which may have more
/// extents of 1.
static LogicalResult verifyAccess(Operation *op, TensorDescType desc, RankedTensorType block,
                                  size_t numIndices) {
  RankedTensorType described = desc.getSignlessBlockType();
  if (static_cast<int64_t>(numIndices) != described.getRank())
    return op->emitOpError("needs ") << described.getRank() << " indices, not " << numIndices;
  if (described.getElementType() != block.getElementType() ||
      described.getNumElements() != block.getNumElements())
    return op->emitOpError("has a block of ")
           << block << ", but the descriptor describes " << described;
  return success();
}

LogicalResult DescriptorLoadOp::verify() {
  return verifyAccess(*this, getDesc().getType(), cast<RankedTensorType>(getType()),
                      getIndices().size());
}

LogicalResult DescriptorStoreOp::verify() {
  return verifyAccess(*this, getDesc().getType(), cast<RankedTensorType>(getSrc().getType()),
                      getIndices().size());
}

LogicalResult DescriptorReduceOp::verify() {
  return verifyAccess(*this, getDesc().getType(), cast<RankedTensorType>(getSrc().getType()),
                      getIndices().size());
}

static LogicalResult verifyRows(Operation *op, TensorDescType desc, RankedTensorType indices,
                                RankedTensorType block) {
  RankedTensorType described = desc.getSignlessBlockType();
  if (described.getRank() != 2 || described.getDimSize(0) != 1)
    return op->emitOpError("needs a descriptor of single rows, not of ") << described;
  if (indices.getRank() != 1)
    return op->emitOpError("needs row numbers of one dimension, not ") << indices;
  if (block.getRank() != 2 || block.getDimSize(0) != indices.getDimSize(0) ||
      block.getDimSize(1) != described.getDimSize(1) ||
      block.getElementType() != described.getElementType())
    return op->emitOpError("has a block of ")
           << block << " for " << indices << " rows of " << described;
  return success();
}

LogicalResult DescriptorGatherOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(),
                    cast<RankedTensorType>(getType()));
}

LogicalResult DescriptorScatterOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(),
                    cast<RankedTensorType>(getSrc().getType()));
}

} // namespace tilescope::tt
