// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttng/ir/BarrierTypes.h"

using namespace mlir;

namespace tilescope::ttng {

static LogicalResult verifyCluster(Operation *op) {
  if (numBlocksAround(op) < 2)
    return op->emitOpError("needs a cluster of several thread blocks (`ttg.num-ctas`)");
  return success();
}

LogicalResult FenceMBarrierInitReleaseClusterOp::verify() { return verifyCluster(*this); }

LogicalResult AsyncSharedStoreOp::verify() {
  auto block = cast<RankedTensorType>(getSrc().getType());
  ttg::MemDescType buffer = getDst().getType();
  if (failed(verifyCluster(*this)))
    return failure();
  if (isInTensorMemory(buffer) || !buffer.getMutableMemory())
    return emitOpError("needs a mutable buffer in shared memory, found ") << buffer;
  if (block.getShape() != buffer.getShape() || block.getElementType() != buffer.getElementType())
    return emitOpError("moves ") << block << " to a buffer with other elements, " << buffer;
  return verifyBarrier(*this, getMbarrier().getType());
}

/// The hardware's answer: two words of 64 bits in shared memory.
static LogicalResult verifyAnswer(Operation *op, ttg::MemDescType type) {
  if (!type.getElementType().isInteger(64) || type.getRank() != 1 || type.getNumElements() != 2 ||
      isInTensorMemory(type))
    return op->emitOpError("needs an answer of two `i64`, found ") << type;
  return success();
}

LogicalResult CLCTryCancelOp::verify() {
  if (failed(verifyAnswer(*this, getResult().getType())))
    return failure();
  if (!getResult().getType().getMutableMemory())
    return emitOpError("needs a mutable buffer for the answer");
  return verifyBarrier(*this, getMbarrier().getType());
}

LogicalResult CLCLoadResultOp::verify() { return verifyAnswer(*this, getSrc().getType()); }

} // namespace tilescope::ttng
