// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/Plan.h"

#include "compiler/conversion/tt_to_cpu/Elementwise.h"
#include "compiler/conversion/tt_to_cpu/Support.h"
#include "compiler/transforms/ttg/PointerOrigins.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilescope::cpu {

/// Above this, computing again takes longer than a store and a load in the first cache.
static constexpr int kExpensive = 6;
/// A load whose elements are neighbors in memory, and one whose are not.
static constexpr int kLoadCost = 2, kGatherCost = 20;
/// From as many neighbors on.
static constexpr int64_t kNeighbors = 8;

Sink sinkOf(OpOperand &use) {
  Operation *op = use.getOwner();
  const bool hasParts = isa<scf::YieldOp, scf::ConditionOp, scf::ForOp, scf::WhileOp, tt::PrintOp,
                            tt::ElementwiseInlineAsmOp>(op);
  return {op, hasParts ? use.getOperandNumber() : 0};
}

Plan::Plan(tt::FuncOp kernel, const compiler::AxisInfoMap &axes, const LoweringOptions &options)
    : m_options(options) {
  SmallVector<Value> blocks;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp, tt::AtomicPollOp>(op))
      m_writes.push_back(op);
    m_hasAssertions |= isa<tt::AssertOp>(op);
    if (isDeferred(op))
      blocks.push_back(op->getResult(0));
  });
  for (Value block : blocks)
    m_costs[block] = std::min(costOfBlock(block, axes), 1000);
  // Users come before what they use.
  for (Value block : llvm::reverse(blocks))
    visit(block);
}

int Plan::costOfBlock(Value block, const compiler::AxisInfoMap &axes) const {
  Operation *op = block.getDefiningOp();
  int cost = isElementwise(op) ? costOf(op) : 0;
  for (Value operand : op->getOperands())
    if (!isa<tt::LoadOp>(op) || operand != op->getOperand(0))
      cost += m_costs.lookup(operand);
  if (auto load = dyn_cast<tt::LoadOp>(op)) {
    const compiler::AxisInfo *axis = axes.find(load.getPtr());
    const bool hasNeighbors =
        axis && llvm::any_of(axis->contiguity, [](int64_t n) { return n >= kNeighbors; });
    cost += hasNeighbors ? kLoadCost : kGatherCost;
  }
  return cost;
}

void Plan::addSinks(Value block, ArrayRef<Sink> sinks) {
  Sinks &known = m_sinks[block];
  for (const Sink &sink : sinks)
    if (!llvm::is_contained(known, sink))
      known.push_back(sink);
}

void Plan::collectSinks(Value block) {
  for (OpOperand &use : block.getUses()) {
    Operation *user = use.getOwner();
    if (isDeferred(user))
      addSinks(block, Sinks(m_sinks[user->getResult(0)]));
    else
      addSinks(block, sinkOf(use));
  }
}

static bool isInLoopBelow(Operation *op, Block *block) {
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp()) {
    if (parent->isAncestor(block->getParentOp()))
      return false;
    if (isa<LoopLikeOpInterface>(parent))
      return true;
  }
  return false;
}

/// Whether other elements than its own need each element of the block.
static bool isRepeated(Value block) {
  return llvm::any_of(block.getUsers(), [](Operation *user) {
    return isa<tt::BroadcastOp>(user) ||
           (isa<tt::ExpandDimsOp>(user) && isRepeated(user->getResult(0)));
  });
}

bool Plan::isNeededOften(Value block) const {
  const Sinks &sinks = m_sinks.find(block)->second;
  return sinks.size() > 1 || isRepeated(block) || llvm::any_of(sinks, [&](const Sink &sink) {
           return isInLoopBelow(sink.op, block.getParentBlock());
         });
}

/// Whether each element is computed once, whenever control comes by the block.
bool Plan::isNeededOnceHere(Value block) const {
  const Sinks sinks = m_sinks.lookup(block);
  return !m_hasAssertions && sinks.size() == 1 && !isRepeated(block) &&
         sinks.front().op->getBlock() == block.getParentBlock();
}

void Plan::visit(Value block) {
  collectSinks(block);
  auto load = dyn_cast<tt::LoadOp>(block.getDefiningOp());
  if (load && m_options.checkBounds && !isNeededOnceHere(block)) {
    m_keep[block] = Keep::AtDefinition;
    return;
  }
  if (m_sinks[block].empty())
    return;
  if (load && !mayMove(load)) {
    m_keep[block] = Keep::AtDefinition;
    return;
  }
  if (m_costs.lookup(block) <= kExpensive || !isNeededOften(block))
    return;
  const Block *home = block.getParentBlock();
  const bool isNeededHere =
      llvm::all_of(m_sinks[block], [&](const Sink &sink) { return sink.op->getBlock() == home; });
  m_keep[block] = isNeededHere ? Keep::OnceComputed : Keep::AtDefinition;
}

static bool mayBeSameMemory(Value left, Value right) {
  const llvm::DenseSet<Value> lefts = ttg::originsOf(left), rights = ttg::originsOf(right);
  auto isForeign = [](Value origin) {
    return ttg::isUnknownOrigin(origin) || !isa<BlockArgument>(origin);
  };
  if (llvm::any_of(lefts, isForeign) || llvm::any_of(rights, isForeign))
    return true;
  return llvm::any_of(lefts, [&](Value origin) { return rights.contains(origin); });
}

/// Whether the write may be executed between the load and the sink.
static bool isBetween(tt::LoadOp load, Operation *write, const Sink &sink) {
  Block *block = load->getBlock();
  Operation *ofWrite = block->findAncestorOpInBlock(*write);
  Operation *ofSink = block->findAncestorOpInBlock(*sink.op);
  if (!ofWrite || ofWrite->isBeforeInBlock(load))
    return false;
  if (ofWrite == ofSink)
    // What a loop starts with is needed before its body.
    return sink.op != ofSink || sink.op == write;
  return ofWrite->isBeforeInBlock(ofSink);
}

bool Plan::mayMove(tt::LoadOp load) const {
  if (load.getIsVolatile())
    return false;
  for (Operation *write : m_writes) {
    // Behind an atomic operation, other programs may write what was loaded in front of it.
    if (isa<tt::StoreOp>(write) && !m_options.argumentsOverlap &&
        !mayBeSameMemory(load.getPtr(), write->getOperand(0)))
      continue;
    for (const Sink &sink : m_sinks.find(load.getResult())->second)
      if (isBetween(load, write, sink))
        return false;
  }
  return true;
}

} // namespace tilescope::cpu
