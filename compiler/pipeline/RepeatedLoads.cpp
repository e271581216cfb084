// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the program has and loads again. Two loads of one address in the same branch are one
// load since common subexpressions were found; those in different loops and branches are not, nor
// are those with a store between them.
#include "compiler/pipeline/ComputeFacts.h"
#include "compiler/transforms/ttg/PointerOrigins.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilescope::compiler {
namespace {

/// What the kernel writes, anywhere.
struct KernelWrites {
  llvm::DenseSet<Value> origins;
  /// It may write anywhere, or wait for what other programs write.
  bool mayChangeAll = false;
};

} // namespace

static bool mayWait(Operation *op) {
  return isa<tt::AtomicPollOp>(op) ||
         (isa<tt::AtomicRMWOp, tt::AtomicCASOp>(op) && !op->use_empty());
}

static KernelWrites writesOf(tt::FuncOp kernel) {
  KernelWrites writes;
  kernel.walk([&](Operation *op) {
    writes.mayChangeAll |= mayWait(op) || isa<tt::CallOp>(op);
    auto memory = dyn_cast<MemoryEffectOpInterface>(op);
    if (!memory)
      return;
    SmallVector<MemoryEffects::EffectInstance> effects;
    memory.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      if (!isa<MemoryEffects::Write>(effect.getEffect()) ||
          effect.getResource() != tt::GlobalMemory::get())
        continue;
      if (!effect.getValue())
        writes.mayChangeAll = true;
      else
        writes.origins.insert_range(ttg::originsOf(effect.getValue()));
    }
  });
  writes.mayChangeAll |= llvm::any_of(writes.origins, ttg::isUnknownOrigin);
  return writes;
}

/// Whether the kernel leaves alone what the load reads.
static bool isOnlyRead(tt::LoadOp load, const KernelWrites &writes) {
  return !load.getIsVolatile() && llvm::none_of(ttg::originsOf(load.getPtr()), [&](Value origin) {
    return ttg::isUnknownOrigin(origin) || writes.origins.contains(origin);
  });
}

static bool isSameBlock(tt::LoadOp first, tt::LoadOp second) {
  return first != second && first.getPtr() == second.getPtr() &&
         first.getMask() == second.getMask() && first.getOther() == second.getOther() &&
         first.getType() == second.getType();
}

/// Whether every iteration computes the same value.
static bool isInvariant(Value value, LoopLikeOpInterface loop) {
  SmallVector<Value> work{value};
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    const Value next = work.pop_back_val();
    if (!seen.insert(next).second || loop.isDefinedOutsideOfLoop(next))
      continue;
    Operation *op = next.getDefiningOp();
    if (!op || op->getNumRegions() > 0 || !isMemoryEffectFree(op))
      return false;
    llvm::append_range(work, op->getOperands());
  }
  return true;
}

static bool isInvariant(tt::LoadOp load) {
  auto loop = load->getParentOfType<LoopLikeOpInterface>();
  return loop && llvm::all_of(load->getOperands(),
                              [&](Value operand) { return isInvariant(operand, loop); });
}

static int64_t blockBytes(tt::LoadOp load) {
  constexpr int64_t kBits = 8;
  auto block = cast<RankedTensorType>(load.getType());
  return block.getNumElements() * int64_t(tt::getElementBitWidth(block)) / kBits;
}

/// A block that an earlier load or iteration has loaded, or an element that every iteration loads.
static void addRepeated(tt::LoadOp load, ArrayRef<tt::LoadOp> loads, const DominanceInfo &dominance,
                        const StageSources &sources, ComputeFacts &facts) {
  if (!isa<RankedTensorType>(load.getType())) {
    if (isInvariant(load))
      facts.invariantLoads.push_back(sources.of(load));
    return;
  }
  const auto first = llvm::find_if(loads, [&](tt::LoadOp other) {
    return isSameBlock(other, load) &&
           dominance.properlyDominates(other.getOperation(), load.getOperation());
  });
  if (first != loads.end())
    facts.repeatedLoads.push_back({sources.of(load), sources.of(*first), blockBytes(load)});
  else if (isInvariant(load))
    facts.repeatedLoads.push_back({sources.of(load), {}, blockBytes(load)});
}

void addRepeatedLoads(tt::FuncOp kernel, const StageSources &sources, ComputeFacts &facts) {
  SmallVector<tt::LoadOp> loads;
  kernel.walk<WalkOrder::PreOrder>([&](tt::LoadOp load) { loads.push_back(load); });
  if (loads.empty())
    return;
  const KernelWrites writes = writesOf(kernel);
  if (writes.mayChangeAll)
    return;
  const DominanceInfo dominance(kernel);
  for (tt::LoadOp load : loads)
    if (isOnlyRead(load, writes))
      addRepeated(load, loads, dominance, sources, facts);
}

} // namespace tilescope::compiler
