// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/VolatileLooks.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilescope::compiler::interpreter {

/// What becomes of a value that leaves a region: results, and what the next round begins with.
static SmallVector<Value> yielded(OpOperand &use) {
  const unsigned index = use.getOperandNumber();
  Operation *parent = use.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::WhileOp>(parent))
    return {loop.getBeforeArguments()[index]};
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    return {loop.getResult(index), loop.getRegionIterArgs()[index]};
  return {parent->getResult(index)};
}

/// The values that take on what `use` reads, or are computed from it.
static SmallVector<Value> madeOf(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<scf::YieldOp>(user))
    return yielded(use);
  if (auto condition = dyn_cast<scf::ConditionOp>(user)) {
    if (use.getOperandNumber() == 0)
      return {};
    auto loop = cast<scf::WhileOp>(user->getParentOp());
    const unsigned index = use.getOperandNumber() - 1;
    return {loop.getResult(index), loop.getAfterArguments()[index]};
  }
  if (auto loop = dyn_cast<scf::WhileOp>(user))
    return {loop.getBeforeArguments()[use.getOperandNumber()]};
  if (auto loop = dyn_cast<scf::ForOp>(user)) {
    const unsigned numBounds = loop.getNumControlOperands();
    if (use.getOperandNumber() < numBounds)
      return {};
    return {loop.getRegionIterArgs()[use.getOperandNumber() - numBounds]};
  }
  return isMemoryEffectFree(user) ? SmallVector<Value>(user->getResults()) : SmallVector<Value>();
}

static bool isStored(OpOperand &use) {
  if (auto store = dyn_cast<tt::StoreOp>(use.getOwner()))
    return &use == &store.getValueMutable();
  auto rmw = dyn_cast<tt::AtomicRMWOp>(use.getOwner());
  return rmw && &use == &rmw.getValMutable() && rmw.use_empty();
}

/// Whether the loop around `load` goes on or ends by it.
static bool decidesAboutRound(OpOperand &use, tt::LoadOp load) {
  auto condition = dyn_cast<scf::ConditionOp>(use.getOwner());
  return condition && use.getOperandNumber() == 0 && condition->getParentOp()->isAncestor(load);
}

/// Whether what is executed or accessed depends on it, other than by the address.
static bool decides(OpOperand &use) {
  Operation *user = use.getOwner();
  return !isa<tt::PrintOp, tt::AssertOp>(user) &&
         !isa<tt::PointerType>(getElementTypeOrSelf(use.get().getType())) && madeOf(use).empty();
}

bool looksAtOthers(tt::LoadOp load) {
  SmallVector<Value> values{load.getResult()};
  DenseSet<Value> seen;
  bool isKept = false, isDecision = false;
  while (!values.empty()) {
    const Value value = values.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      if (decidesAboutRound(use, load))
        return true;
      isKept |= isStored(use);
      isDecision |= !isStored(use) && decides(use);
      values.append(madeOf(use));
    }
  }
  return isDecision && !isKept;
}

} // namespace tilescope::compiler::interpreter
