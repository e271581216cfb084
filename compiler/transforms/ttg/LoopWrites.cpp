// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/LoopWrites.h"

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/transforms/ttg/PointerOrigins.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilescope::ttg {

std::optional<LoopWrites> LoopWrites::of(scf::ForOp loop) {
  LoopWrites writes;
  writes.m_isPipelined = !loop.getBody()->getOps<AsyncCopyGlobalToLocalOp>().empty();
  const WalkResult result = loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<tt::ReduceOp, tt::ScanOp>(op))
      return WalkResult::skip();
    return writes.add(op) ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return {};
  return writes;
}

/// False when nothing may move around the operation.
bool LoopWrites::add(Operation *op) {
  if (op->getNumRegions() > 0)
    return isa<scf::IfOp>(op);
  // They order shared memory for a product that reads its factors there.
  if (isa<ttng::FenceAsyncSharedOp, ttng::WarpGroupDotWaitOp>(op))
    return true;
  auto memory = dyn_cast<MemoryEffectOpInterface>(op);
  if (!memory)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  memory.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    if (m_isPipelined && effect.getResource() == SharedMemory::get())
      continue;
    if (effect.getResource() != tt::GlobalMemory::get() || !effect.getValue())
      return false;
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      continue;
    // Who looks at what was there before may wait for another program by it.
    const bool mayWait = !op->use_empty() || isa<tt::AtomicPollOp>(op);
    if (!isa<MemoryEffects::Write>(effect.getEffect()) || mayWait)
      return false;
    m_origins.insert_range(originsOf(effect.getValue()));
  }
  return true;
}

bool LoopWrites::mayReach(Value pointer) const {
  if (m_origins.empty())
    return false;
  return llvm::any_of(m_origins, isUnknownOrigin) ||
         llvm::any_of(originsOf(pointer), [&](Value origin) {
           return isUnknownOrigin(origin) || m_origins.contains(origin);
         });
}

} // namespace tilescope::ttg
