// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/allocation/OperationAccesses.h"

#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/conversion/ttg_to_llvm/memory/TensorMemory.h"
#include "compiler/dialects/ttg/ir/RingTurns.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

using namespace mlir;

namespace tilescope::compiler {

static IntegerAttr placeOf(Operation *op) {
  return op->getAttrOfType<IntegerAttr>(ttg::kAllocationOffsetAttr);
}

static bool isBuffer(Value value) { return value && isa<ttg::MemDescType>(value.getType()); }

/// What the effect means for the buffer's bytes.
static AccessKinds kindOf(const MemoryEffects::EffectInstance &effect, ttg::AccessMode mode) {
  const bool isByFirst = mode.performer == ttg::Performer::FirstThread;
  const bool goesOn = mode.completion != ttg::Completion::Immediate;
  // To change a barrier's phase is to use the barrier, for the first thread too where it only hands
  // it to a copy.
  if (effect.getResource() == ttng::BarrierPhase::get())
    return !isByFirst ? kRead : goesOn ? 0 : kArmed;
  if (isa<MemoryEffects::Read>(effect.getEffect()))
    return kRead;
  if (isa<MemoryEffects::Write>(effect.getEffect()))
    return isByFirst && !goesOn ? kMade : kWritten;
  return 0;
}

/// How far the buffer reaches from where it begins.
static int64_t bytesReached(Operation *root) {
  const auto type = cast<ttg::MemDescType>(root->getResult(0).getType());
  auto ring = dyn_cast<ttg::LocalAllocOp>(root);
  const auto turn = ring ? ttg::ringTurnOf(ring) : std::nullopt;
  return turn ? (type.getAllocShape().front() - 1) * turn->pitch + ttg::slotBytes(ring)
              : bufferBytes(type);
}

void OperationAccesses::addBuffer(Value buffer, AccessKinds kinds, PendingAccesses &to) const {
  for (Operation *root : m_aliases.roots(buffer)) {
    auto type = cast<ttg::MemDescType>(root->getResult(0).getType());
    const int64_t begin = placeOf(root).getInt();
    if (ttng::isInTensorMemory(type))
      to.add({kTensorMemory + begin, kTensorMemory + begin + tensorColumns(type)}, kinds);
    else
      to.add({begin, begin + bytesReached(root)}, kinds);
  }
}

PendingAccesses OperationAccesses::of(Operation *op) const {
  PendingAccesses accesses;
  if (llvm::none_of(op->getOperands(), isBuffer) && llvm::none_of(op->getResults(), isBuffer))
    return accesses;
  std::optional<ttg::BufferEffects> effects = ttg::bufferEffectsOf(op);
  if (!effects) {
    // It may do anything with its buffers.
    for (Value operand : op->getOperands())
      if (isBuffer(operand))
        addBuffer(operand, kRead | kWritten, accesses);
    return accesses;
  }
  const ttg::AccessMode mode = ttg::accessModeOf(op);
  for (const MemoryEffects::EffectInstance &effect : *effects)
    if (isBuffer(effect.getValue()))
      addBuffer(effect.getValue(), kindOf(effect, mode), accesses);
  return accesses;
}

std::optional<ByteRange> OperationAccesses::scratchOf(Operation *op) {
  IntegerAttr place = placeOf(op);
  if (!place || ttg::allocatesBuffer(op))
    return std::nullopt;
  const int64_t size = isa<CallOpInterface>(op) ? INT64_MAX / 2 : scratchBytes(op);
  return ByteRange{place.getInt(), place.getInt() + size};
}

} // namespace tilescope::compiler
