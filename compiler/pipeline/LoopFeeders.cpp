// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/LoopFeeders.h"

#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/pipeline/LoopOperations.h"
#include "compiler/transforms/ttg/LoadsAhead.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilescope::compiler {

/// What is looked behind: of a product its factors, of a store what it stores.
static SmallVector<Value> inputsOf(Operation *op) {
  SmallVector<Value> inputs = ttg::factorsOf(*op);
  if (auto store = dyn_cast<ttg::LocalStoreOp>(op))
    inputs.push_back(store.getSrc());
  else if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op); alloc && alloc.getSrc())
    inputs.push_back(alloc.getSrc());
  return inputs;
}

static bool isSource(Operation *op) {
  const std::optional<LoopAction> action = loopActionOf(op);
  return action == LoopAction::LocalLoad || action == LoopAction::Load ||
         action == LoopAction::Product;
}

/// The blocks that a value is computed from; a wait hands each of its operands on by itself.
static SmallVector<Value> sourcesOf(Value value) {
  Operation *maker = value.getDefiningOp();
  if (auto wait = dyn_cast<ttng::WarpGroupDotWaitOp>(maker))
    return {wait.getInputs()[cast<OpResult>(value).getResultNumber()]};
  return llvm::to_vector(llvm::make_filter_range(maker->getOperands(), [](Value operand) {
    return isa<RankedTensorType>(operand.getType());
  }));
}

const std::vector<LoopFeeder> &LoopFeeders::of(Operation *op) {
  const auto [known, isNew] = m_known.try_emplace(op);
  if (!isNew)
    return known->second;
  constexpr size_t kMostSeen = 256;
  std::vector<LoopFeeder> feeders;
  llvm::SetVector<std::pair<Value, int32_t>> seen;
  for (const Value input : inputsOf(op))
    seen.insert({input, 0});
  for (size_t i = 0; i < seen.size() && i < kMostSeen; ++i) {
    const auto [value, before] = seen[i];
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (loop && argument != loop.getInductionVar() && before == 0)
        seen.insert({loop.getTiedLoopYieldedValue(argument)->get(), 1});
      continue;
    }
    Operation *maker = value.getDefiningOp();
    // What other blocks make belongs to no iteration.
    if (maker->getBlock() != op->getBlock())
      continue;
    // Sums of all iterations are no factors.
    if (isSource(maker)) {
      if (before == 0 || loopActionOf(maker) != LoopAction::Product)
        feeders.push_back({maker, before});
      continue;
    }
    for (const Value source : sourcesOf(value))
      seen.insert({source, before});
  }
  return known->second = std::move(feeders);
}

} // namespace tilescope::compiler
