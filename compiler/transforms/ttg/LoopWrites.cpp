// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/LoopWrites.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilescope::ttg {

/// Values that the value is a copy of: what a loop starts with and yields, or either branch yields.
static SmallVector<Value> copiedFrom(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument == loop.getInductionVar())
      return {};
    return {loop.getTiedLoopInit(argument)->get(), loop.getTiedLoopYieldedValue(argument)->get()};
  }
  auto result = cast<OpResult>(value);
  const unsigned number = result.getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
    return {loop.getInitArgs()[number], loop.getYieldedValues()[number]};
  if (auto branch = dyn_cast<scf::IfOp>(result.getOwner()))
    return {branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)};
  SmallVector<Value> pointers;
  if (isMemoryEffectFree(result.getOwner()))
    for (Value operand : result.getOwner()->getOperands())
      if (isa<tt::PointerType>(getElementTypeOrSelf(operand.getType())))
        pointers.push_back(operand);
  return pointers;
}

/// Where the pointers come from.
static llvm::DenseSet<Value> originsOf(Value pointer) {
  llvm::DenseSet<Value> seen, origins;
  SmallVector<Value> work{pointer};
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    SmallVector<Value> sources = copiedFrom(value);
    if (sources.empty())
      origins.insert(value);
    llvm::append_range(work, sources);
  }
  return origins;
}

/// Whether other control flow than loops and branches that are followed brought the pointer here.
static bool isUnknown(Value origin) {
  if (auto argument = dyn_cast<BlockArgument>(origin))
    return !isa<tt::FuncOp>(argument.getOwner()->getParentOp()) ||
           !argument.getOwner()->isEntryBlock();
  return origin.getDefiningOp()->getNumRegions() > 0;
}

std::optional<LoopWrites> LoopWrites::of(scf::ForOp loop) {
  LoopWrites writes;
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
  auto memory = dyn_cast<MemoryEffectOpInterface>(op);
  if (!memory)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  memory.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
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

bool LoopWrites::mayReach(tt::LoadOp load) const {
  if (m_origins.empty())
    return false;
  return llvm::any_of(m_origins, isUnknown) ||
         llvm::any_of(originsOf(load.getPtr()), [&](Value origin) {
           return isUnknown(origin) || m_origins.contains(origin);
         });
}

} // namespace tilescope::ttg
