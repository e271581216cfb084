// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/Dialect.h"

using namespace mlir;

namespace tilescope::ttg {

/// What the three operations have in common. `values` are moved to or from the buffer.
static LogicalResult verifyIndexed(Operation *op, MemDescType buffer, RankedTensorType values,
                                   RankedTensorType indices, int64_t axis) {
  if (!isa<SharedMemorySpaceAttr>(buffer.getMemorySpace()))
    return op->emitOpError("needs a buffer in shared memory, found ") << buffer;
  if (values.getElementType() != buffer.getElementType())
    return op->emitOpError("moves ")
           << values << " to or from a buffer with other elements, " << buffer;
  if (values.getShape() != indices.getShape() || values.getEncoding() != indices.getEncoding())
    return op->emitOpError("needs an index for each value, in the same layout");
  if (indices.getRank() != buffer.getRank())
    return op->emitOpError("needs indices of the buffer's rank");
  if (axis < 0 || axis >= buffer.getRank())
    return op->emitOpError("axis ") << axis << " is not a dimension of the buffer";
  for (int64_t dim = 0; dim < buffer.getRank(); ++dim)
    if (dim != axis && indices.getDimSize(dim) > buffer.getDimSize(dim))
      return op->emitOpError("reaches beyond the buffer along dimension ") << dim;
  return success();
}

LogicalResult LocalGatherOp::verify() {
  return verifyIndexed(*this, getSrc().getType(), cast<RankedTensorType>(getType()),
                       cast<RankedTensorType>(getIndices().getType()), getAxis());
}

LogicalResult LocalScatterOp::verify() {
  if (!getDst().getType().getMutableMemory())
    return emitOpError("needs a mutable buffer");
  return verifyIndexed(*this, getDst().getType(), cast<RankedTensorType>(getValues().getType()),
                       cast<RankedTensorType>(getIndices().getType()), getAxis());
}

/// Reals are added by `fadd`, and have neither bits nor an order without sign.
static bool fits(tt::RMWOp kind, Type element) {
  if (isa<tt::PointerType>(element))
    return false;
  if (!isa<FloatType>(element))
    return kind != tt::RMWOp::FADD;
  return llvm::is_contained({tt::RMWOp::FADD, tt::RMWOp::MAX, tt::RMWOp::MIN, tt::RMWOp::XCHG},
                            kind);
}

LogicalResult LocalAtomicScatterRMWOp::verify() {
  if (!getDst().getType().getMutableMemory())
    return emitOpError("needs a mutable buffer");
  auto values = cast<RankedTensorType>(getValues().getType());
  const tt::RMWOp kind = getAtomicRmwOp();
  if (!fits(kind, values.getElementType()))
    return emitOpError("cannot `") << tt::stringifyRMWOp(kind) << "` " << values.getElementType();
  return verifyIndexed(*this, getDst().getType(), values,
                       cast<RankedTensorType>(getIndices().getType()), getAxis());
}

} // namespace tilescope::ttg
