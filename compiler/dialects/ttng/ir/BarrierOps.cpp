// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttng/ir/Dialect.h"

using namespace mlir;

namespace tilescope::ttng {

static LogicalResult verifyBarrier(Operation *op, ttg::MemDescType type) {
  if (!type.getElementType().isInteger(64) || type.getNumElements() != 1)
    return op->emitOpError("needs a barrier of one `i64`, found ") << type;
  if (!type.getMutableMemory())
    return op->emitOpError("needs a mutable barrier");
  return success();
}

static LogicalResult verifyCount(Operation *op, ttg::MemDescType type, int64_t count) {
  if (count < 1)
    return op->emitOpError("needs a count of at least 1");
  return verifyBarrier(op, type);
}

LogicalResult InitBarrierOp::verify() {
  return verifyCount(*this, getAlloc().getType(), getCount());
}

LogicalResult ArriveBarrierOp::verify() {
  return verifyCount(*this, getAlloc().getType(), getCount());
}

LogicalResult InvalBarrierOp::verify() { return verifyBarrier(*this, getAlloc().getType()); }

LogicalResult BarrierExpectOp::verify() { return verifyBarrier(*this, getAlloc().getType()); }

LogicalResult WaitBarrierOp::verify() { return verifyBarrier(*this, getAlloc().getType()); }

LogicalResult AsyncCopyMbarrierArriveOp::verify() {
  return verifyBarrier(*this, getBarrier().getType());
}

} // namespace tilescope::ttng
