// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/allocation/BufferAliases.h"

#include "compiler/conversion/ttg_to_llvm/allocation/ReachedBlocks.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

#include "mlir/Analysis/DataFlow/SparseAnalysis.h"

using namespace mlir;

namespace tilescope::compiler {

static bool isBuffer(Value value) { return isa<ttg::MemDescType>(value.getType()); }

namespace {

/// The allocations that a value may be.
class RootsLattice : public dataflow::AbstractSparseLattice {
public:
  using AbstractSparseLattice::AbstractSparseLattice;

  ChangeResult insert(Operation *root) {
    return roots.insert(root) ? ChangeResult::Change : ChangeResult::NoChange;
  }
  ChangeResult join(const AbstractSparseLattice &other) override {
    ChangeResult result = ChangeResult::NoChange;
    for (Operation *root : static_cast<const RootsLattice &>(other).roots)
      result |= insert(root);
    return result;
  }
  void print(raw_ostream &os) const override {
    for (Operation *root : roots)
      os << root->getResult(0) << "\n";
  }

  BufferAliases::Roots roots;
};

class RootsAnalysis : public dataflow::SparseForwardDataFlowAnalysis<RootsLattice> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  LogicalResult visitOperation(Operation *op, ArrayRef<const RootsLattice *> operands,
                               ArrayRef<RootsLattice *> results) override {
    if (auto groups = dyn_cast<ttg::WarpSpecializeOp>(op))
      joinYields(groups, results);
    else if (ttg::allocatesBuffer(op))
      propagateIfChanged(results.front(), results.front()->insert(op));
    else if (isa<ttng::WarpGroupDotWaitOp>(op))
      // Hands each operand on by itself.
      for (auto [operand, result] : llvm::zip(operands, results))
        join(result, *operand);
    else
      joinAll(operands, results);
    return success();
  }

protected:
  /// Arguments of functions are allocated elsewhere.
  void setToEntryState(RootsLattice *) override {}

  void visitExternalCall(CallOpInterface, ArrayRef<const RootsLattice *> operands,
                         ArrayRef<RootsLattice *> results) override {
    joinAll(operands, results);
  }

  /// What groups of warps capture.
  void visitNonControlFlowArguments(Operation *op, const RegionSuccessor &successor,
                                    ArrayRef<RootsLattice *> arguments, unsigned) override {
    auto groups = dyn_cast<ttg::WarpSpecializeOp>(op);
    if (!groups || arguments.empty())
      return;
    ProgramPoint *begin = getProgramPointBefore(&successor.getSuccessor()->front());
    for (auto [capture, argument] : llvm::zip(groups.getCaptures(), arguments))
      join(argument, *getLatticeElementFor(begin, capture));
  }

private:
  void joinAll(ArrayRef<const RootsLattice *> operands, ArrayRef<RootsLattice *> results) {
    for (RootsLattice *result : results)
      if (isBuffer(result->getAnchor()))
        for (const RootsLattice *operand : operands)
          join(result, *operand);
  }

  void joinYields(ttg::WarpSpecializeOp groups, ArrayRef<RootsLattice *> results) {
    for (auto yield : groups.getDefaultRegion().getOps<ttg::WarpYieldOp>())
      for (auto [value, result] : llvm::zip(yield.getValues(), results))
        join(result, *getLatticeElementFor(getProgramPointAfter(groups), value));
  }
};

} // namespace

BufferAliases::BufferAliases(Operation *function) {
  SmallVector<Value> buffers;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::copy_if(op->getResults(), std::back_inserter(buffers), isBuffer);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::copy_if(block.getArguments(), std::back_inserter(buffers), isBuffer);
  });
  // Most kernels have none.
  if (buffers.empty())
    return;
  DataFlowSolver solver(DataFlowConfig().setInterprocedural(false));
  solver.load<ReachedBlocks>();
  solver.load<RootsAnalysis>();
  if (failed(solver.initializeAndRun(function)))
    return;
  for (Value buffer : buffers)
    if (const auto *lattice = solver.lookupState<RootsLattice>(buffer))
      m_roots[buffer] = lattice->roots;
}

const BufferAliases::Roots &BufferAliases::roots(Value value) const {
  auto it = m_roots.find(value);
  return it == m_roots.end() ? m_none : it->second;
}

} // namespace tilescope::compiler
