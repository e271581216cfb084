// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/DeadCode.h"

#include "llvm/ADT/BitVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilescope::ttg {

namespace {

/// Marks what effects depend on, then sweeps the rest.
class Sweep {
public:
  explicit Sweep(FunctionOpInterface function) : m_function(function) {}

  void run() {
    m_function.getFunctionBody().walk([&](Operation *op) {
      if (isRoot(op))
        mark(op);
    });
    while (!m_worklist.empty())
      visit(m_worklist.pop_back_val());
    sweep();
  }

private:
  /// A value that a branch or loop yields matters only where the result does.
  static bool isForwardingYield(Operation *op) {
    return isa<scf::YieldOp>(op) && isa<scf::ForOp, scf::IfOp>(op->getParentOp());
  }

  static bool isRoot(Operation *op) {
    if (isa<scf::ForOp, scf::IfOp>(op) || isForwardingYield(op))
      return false;
    if (isa<scf::WhileOp>(op))
      return true;
    // Terminators inside reductions and the like live with their parents.
    if (op->hasTrait<OpTrait::IsTerminator>())
      return isa<scf::WhileOp, FunctionOpInterface>(op->getParentOp());
    return !wouldOpBeTriviallyDead(op);
  }

  void mark(Operation *op) {
    if (!m_live.insert(op).second)
      return;
    m_worklist.push_back(op);
  }

  void need(Value value) {
    if (!m_needed.insert(value).second)
      return;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())) {
        mark(loop);
        if (argument.getArgNumber() >= loop.getNumInductionVars())
          needCarried(loop, argument.getArgNumber() - loop.getNumInductionVars());
      }
      return;
    }
    Operation *op = value.getDefiningOp();
    mark(op);
    unsigned index = cast<OpResult>(value).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      needCarried(loop, index);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      for (Region *region : branch.getRegions())
        need(region->front().getTerminator()->getOperand(index));
  }

  void needCarried(scf::ForOp loop, unsigned index) {
    need(loop.getInitArgs()[index]);
    need(loop.getBody()->getTerminator()->getOperand(index));
    // All three are kept or erased together.
    need(loop.getRegionIterArg(index));
    need(loop.getResult(index));
  }

  void visit(Operation *op) {
    for (Value operand : isa<scf::ForOp>(op) ? op->getOperands().take_front(3) : op->getOperands())
      need(operand);
    // The inside of a reduction belongs to it.
    if (!isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op))
      for (Region &region : op->getRegions())
        region.walk([&](Operation *inner) { mark(inner); });
    if (Operation *parent = op->getParentOp(); parent && parent != m_function)
      mark(parent);
  }

  void sweep() {
    SmallVector<Operation *> dead;
    SmallVector<scf::ForOp> loops;
    SmallVector<scf::IfOp> branches;
    m_function.getFunctionBody().walk<WalkOrder::PostOrder>([&](Operation *op) {
      if (isForwardingYield(op))
        return;
      if (!m_live.contains(op))
        dead.push_back(op);
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        loops.push_back(loop);
      else if (auto branch = dyn_cast<scf::IfOp>(op))
        branches.push_back(branch);
    });
    for (scf::ForOp loop : loops)
      dropArguments(loop);
    for (scf::IfOp branch : branches)
      dropResults(branch);
    // Users first: references between the dead are cut before anything is erased.
    for (Operation *op : dead)
      op->dropAllUses();
    for (Operation *op : dead)
      op->erase();
  }

  void dropArguments(scf::ForOp loop) {
    SmallVector<Value> inits;
    BitVector dropped(loop.getNumResults());
    for (auto [index, init] : llvm::enumerate(loop.getInitArgs())) {
      if (m_needed.contains(loop.getResult(index)))
        inits.push_back(init);
      else
        dropped.set(index);
    }
    if (dropped.none())
      return;
    Block *body = loop.getBody();
    Operation *yield = body->getTerminator();
    for (unsigned index = dropped.size(); index-- > 0;) {
      if (!dropped.test(index))
        continue;
      yield->eraseOperand(index);
      BlockArgument argument = loop.getRegionIterArg(index);
      argument.dropAllUses();
      body->eraseArgument(argument.getArgNumber());
    }
    OpBuilder builder(loop);
    auto slim =
        scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
                           loop.getStep(), inits, nullptr, loop.getUnsignedCmp());
    slim->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    slim.getRegion().takeBody(loop.getRegion());
    replace(loop, slim, dropped);
  }

  void dropResults(scf::IfOp branch) {
    SmallVector<Type> types;
    BitVector dropped(branch.getNumResults());
    for (OpResult result : branch->getResults()) {
      if (m_needed.contains(result))
        types.push_back(result.getType());
      else
        dropped.set(result.getResultNumber());
    }
    if (dropped.none())
      return;
    for (Region *region : branch.getRegions())
      region->front().getTerminator()->eraseOperands(dropped);
    OpBuilder builder(branch);
    auto slim = scf::IfOp::create(builder, branch.getLoc(), types, branch.getCondition());
    slim->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
    slim.getThenRegion().takeBody(branch.getThenRegion());
    slim.getElseRegion().takeBody(branch.getElseRegion());
    replace(branch, slim, dropped);
  }

  /// Replaces an operation by one without the `dropped` results.
  static void replace(Operation *old, Operation *slim, const BitVector &dropped) {
    unsigned next = 0;
    for (OpResult result : old->getResults()) {
      if (dropped.test(result.getResultNumber()))
        result.dropAllUses();
      else
        result.replaceAllUsesWith(slim->getResult(next++));
    }
    old->erase();
  }

  FunctionOpInterface m_function;
  DenseSet<Operation *> m_live;
  DenseSet<Value> m_needed;
  SmallVector<Operation *> m_worklist;
};

} // namespace

void eraseDeadCode(FunctionOpInterface function) { Sweep(function).run(); }

} // namespace tilescope::ttg
