// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/ModuleAttributes.h"
#include "compiler/dialects/ttng/ir/BarrierTypes.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

using namespace mlir;

namespace tilescope::ttng {

int64_t numBlocksAround(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  return module ? ttg::numCtas(module) : 1;
}

LogicalResult verifyBarrier(Operation *op, ttg::MemDescType type) {
  if (!type.getElementType().isInteger(64) || type.getRank() != 1)
    return op->emitOpError("needs a barrier of one `i64`, found ") << type;
  if (type.getNumElements() > numBlocksAround(op))
    return op->emitOpError("needs a barrier of at most one `i64` for each of ")
           << numBlocksAround(op) << " thread blocks, found " << type;
  if (!type.getMutableMemory())
    return op->emitOpError("needs a mutable barrier");
  return success();
}

static LogicalResult verifyCount(Operation *op, ttg::MemDescType type, int64_t count) {
  if (count < 1)
    return op->emitOpError("needs a count of at least 1");
  return verifyBarrier(op, type);
}

/// Masks of bits of a thread block's number in its cluster.
static LogicalResult verifyBlockMask(Operation *op, StringRef name, int64_t mask) {
  const int64_t numBlocks = numBlocksAround(op);
  if (mask < 0 || mask >= numBlocks)
    return op->emitOpError("needs a `")
           << name << "` with bits of the number of one of " << numBlocks << " thread blocks";
  return success();
}

LogicalResult InitBarrierOp::verify() {
  return verifyCount(*this, getAlloc().getType(), getCount());
}

LogicalResult ArriveBarrierOp::verify() {
  if (getFromCTA() && getMulticastCTA() != 0)
    return emitOpError("arrives from one thread block or at many, not both");
  if (failed(verifyBlockMask(*this, "fromCTA", getFromCTA().value_or(0))) ||
      failed(verifyBlockMask(*this, "multicastCTA", getMulticastCTA())))
    return failure();
  return verifyCount(*this, getAlloc().getType(), getCount());
}

LogicalResult InvalBarrierOp::verify() { return verifyBarrier(*this, getAlloc().getType()); }

LogicalResult BarrierExpectOp::verify() {
  if (failed(verifyBlockMask(*this, "fromCTA", getFromCTA().value_or(0))))
    return failure();
  return verifyBarrier(*this, getAlloc().getType());
}

LogicalResult WaitBarrierOp::verify() { return verifyBarrier(*this, getAlloc().getType()); }

LogicalResult AsyncCopyMbarrierArriveOp::verify() {
  return verifyBarrier(*this, getBarrier().getType());
}

} // namespace tilescope::ttng
