// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/PointerOrigins.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
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

llvm::DenseSet<Value> originsOf(Value pointer) {
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

bool isUnknownOrigin(Value origin) {
  if (auto argument = dyn_cast<BlockArgument>(origin))
    return !isa<tt::FuncOp>(argument.getOwner()->getParentOp()) ||
           !argument.getOwner()->isEntryBlock();
  return origin.getDefiningOp()->getNumRegions() > 0;
}

} // namespace tilescope::ttg
