// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/DataFlowGroups.h"

#include "compiler/dialects/ttng/ir/Dialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tilescope::ttg {

static bool isProduct(Operation *op) {
  return isa<tt::DotOp, tt::DotScaledOp, ttng::WarpGroupDotOp>(op);
}

/// Where data enters the kernel's arithmetic.
static bool isOrigin(Operation *op) {
  return isProduct(op) || (op->getNumRegions() == 0 && !isMemoryEffectFree(op));
}

/// Values that are one across iterations or branches.
static void forEachTied(Operation *op, llvm::function_ref<void(ValueRange)> visit) {
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    auto yields = loop.getYieldedValues();
    auto arguments = loop.getRegionIterArgs();
    auto inits = loop.getInits();
    for (unsigned i = 0; i < arguments.size() && i < yields.size() && i < inits.size(); ++i) {
      SmallVector<Value> tied{inits[i], arguments[i], yields[i]};
      if (i < op->getNumResults())
        tied.push_back(op->getResult(i));
      visit(tied);
    }
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (auto [i, result] : llvm::enumerate(branch.getResults()))
      visit({branch.thenYield().getOperand(i), branch.elseYield().getOperand(i), result});
  }
}

DataFlowGroups::DataFlowGroups(ModuleOp module) {
  findData(module);
  module.walk([&](Operation *op) { join(op); });
}

void DataFlowGroups::findData(ModuleOp module) {
  bool isChanged = true;
  auto add = [&](ValueRange values) {
    for (Value value : values)
      isChanged |= m_data.insert(value).second;
  };
  auto holdsData = [&](ValueRange values) {
    return llvm::any_of(values, [&](Value value) { return m_data.contains(value); });
  };
  while (isChanged) {
    isChanged = false;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      forEachTied(op, [&](ValueRange tied) {
        if (holdsData(tied))
          add(tied);
      });
      if (isOrigin(op) || (op->getNumRegions() == 0 && holdsData(op->getOperands())))
        add(op->getResults());
    });
  }
}

void DataFlowGroups::join(Operation *op) {
  forEachTied(op, [&](ValueRange tied) { join(tied); });
  if (isProduct(op))
    return join({op->getOperand(2), op->getResult(0)});
  if (op->getNumRegions() > 0)
    return;
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, op->getResults());
  join(values);
}

void DataFlowGroups::join(ValueRange values) {
  Value first;
  for (Value value : values) {
    if (!m_data.contains(value))
      continue;
    if (first)
      m_groups.unionSets(first.getAsOpaquePointer(), value.getAsOpaquePointer());
    else
      m_groups.insert((first = value).getAsOpaquePointer());
  }
}

Value DataFlowGroups::dataOf(Operation *access) const {
  for (Value result : access->getResults())
    return result;
  for (Value operand : access->getOperands())
    if (m_data.contains(operand))
      return operand;
  return {};
}

bool DataFlowGroups::areJoined(Operation *access, Operation *other) const {
  Value left = dataOf(access), right = dataOf(other);
  return left && right &&
         m_groups.isEquivalent(left.getAsOpaquePointer(), right.getAsOpaquePointer());
}

} // namespace tilescope::ttg
