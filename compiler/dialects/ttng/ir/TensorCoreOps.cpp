// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttng/ir/BarrierTypes.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

using namespace mlir;

namespace tilescope::ttng {

/// `d` in tensor memory, `b` not; a predicate for each barrier.
template <typename Product> static LogicalResult verifyProduct(Product op) {
  ttg::MemDescType a = op.getA().getType(), b = op.getB().getType(), d = op.getD().getType();
  if (!isInTensorMemory(d) || !d.getMutableMemory())
    return op.emitOpError("needs a mutable result in tensor memory, found ") << d;
  if (isInTensorMemory(b))
    return op.emitOpError("needs `b` in shared memory");
  if (a.getRank() != 2 || b.getRank() != 2 || d.getRank() != 2)
    return op.emitOpError("multiplies matrices");
  if (a.getDimSize(0) != d.getDimSize(0))
    return op.emitOpError("cannot multiply ") << a << " by " << b << " to " << d;
  if (op.getBarriers().size() != op.getBarrierPreds().size())
    return op.emitOpError("needs a predicate for each barrier");
  return success();
}

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

/// Factors and scales are in shared or in tensor memory.
static void addReads(ArrayRef<OpOperand *> operands, Effects &effects) {
  for (OpOperand *operand : operands) {
    SideEffects::Resource *memory = ttg::SharedMemory::get();
    if (isInTensorMemory(cast<ttg::MemDescType>(operand->get().getType())))
      memory = TensorMemory::get();
    effects.emplace_back(MemoryEffects::Read::get(), operand, memory);
  }
}

/// What a product does to its result and its barriers.
template <typename Product> static void addUpdates(Product op, Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &op.getDMutable(), TensorMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), &op.getDMutable(), TensorMemory::get());
  for (OpOperand &barrier : op.getBarriersMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &barrier, BarrierPhase::get());
}

void TCGen5MMAOp::getEffects(Effects &effects) {
  addReads({&getAMutable(), &getBMutable()}, effects);
  addUpdates(*this, effects);
}

void TCGen5MMAScaledOp::getEffects(Effects &effects) {
  addReads({&getAMutable(), &getBMutable(), &getAScaleMutable(), &getBScaleMutable()}, effects);
  addUpdates(*this, effects);
}

LogicalResult TCGen5MMAOp::verify() {
  ttg::MemDescType a = getA().getType(), b = getB().getType(), d = getD().getType();
  if (failed(verifyProduct(*this)))
    return failure();
  if (a.getDimSize(1) != b.getDimSize(0) || b.getDimSize(1) != d.getDimSize(1))
    return emitOpError("cannot multiply ") << a << " by " << b << " to " << d;
  return success();
}

// Factors of 4 bits come two to a byte, along K or along the other dimension.
LogicalResult TCGen5MMAScaledOp::verify() {
  for (Value scales : {getAScale(), getBScale()})
    if (auto type = cast<ttg::MemDescType>(scales.getType());
        !isa<TensorMemoryScalesEncodingAttr>(type.getEncoding()) && isInTensorMemory(type))
      return emitOpError("needs scales that lie as scales in tensor memory, found ") << type;
  return verifyProduct(*this);
}

LogicalResult TCGen5CommitOp::verify() { return verifyBarrier(*this, getBarrier().getType()); }

} // namespace tilescope::ttng
