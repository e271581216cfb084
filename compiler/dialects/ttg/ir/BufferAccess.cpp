// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/BufferAccess.h"

#include "compiler/dialects/ttg/ir/Types.h"

using namespace mlir;

#include "compiler/dialects/ttg/ir/TritonGpuInterfaces.cpp.inc"

namespace tilescope::ttg {

AccessMode accessModeOf(Operation *op) {
  auto access = dyn_cast<BufferAccessOpInterface>(op);
  return access ? access.getAccessMode() : AccessMode{};
}

std::optional<BufferEffects> bufferEffectsOf(Operation *op) {
  BufferEffects effects;
  if (auto access = dyn_cast<BufferAccessOpInterface>(op))
    access.getBufferEffects(effects);
  else if (auto memory = dyn_cast<MemoryEffectOpInterface>(op))
    memory.getEffects(effects);
  else
    return std::nullopt;
  return effects;
}

bool allocatesBuffer(Operation *op) {
  if (op->getNumResults() == 0 || !isa<MemDescType>(op->getResult(0).getType()))
    return false;
  std::optional<BufferEffects> effects = bufferEffectsOf(op);
  return effects && llvm::any_of(*effects, [&](const MemoryEffects::EffectInstance &effect) {
           return isa<MemoryEffects::Allocate>(effect.getEffect()) &&
                  effect.getValue() == op->getResult(0);
         });
}

} // namespace tilescope::ttg
