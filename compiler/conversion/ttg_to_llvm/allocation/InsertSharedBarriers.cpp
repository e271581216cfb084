// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Puts the barriers and fences in that `BarrierAnalysis` finds missing.
#include "compiler/conversion/ttg_to_llvm/allocation/BarrierAnalysis.h"
#include "compiler/conversion/ttg_to_llvm/allocation/ReachedBlocks.h"
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilescope::compiler {

#define GEN_PASS_DEF_INSERTSHAREDBARRIERS
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h.inc"

static void insertBarrier(Operation *before) {
  OpBuilder builder(before);
  ttg::BarrierOp::create(builder, before->getLoc(), ttg::MemorySpaces::Local);
}

static void insert(Operation *op, const OperationOrder &order) {
  if (order.fence) {
    OpBuilder builder(op);
    ttng::FenceAsyncSharedOp::create(builder, op->getLoc(), /*bCluster=*/false);
  }
  if (order.meetBefore)
    insertBarrier(op);
  if (order.meetAfter)
    insertBarrier(op->getNextNode());
}

static LogicalResult insertBarriers(tt::FuncOp function, const BufferAliases &aliases) {
  const OperationAccesses accesses(aliases);
  DataFlowSolver solver(DataFlowConfig().setInterprocedural(false));
  solver.load<ReachedBlocks>();
  solver.load<BarrierAnalysis>(accesses);
  if (failed(solver.initializeAndRun(function)))
    return failure();
  SmallVector<std::pair<Operation *, OperationOrder>> found;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    const auto *state = solver.lookupState<BarrierState>(solver.getProgramPointAfter(op));
    if (state && state->order() != OperationOrder{})
      found.emplace_back(op, state->order());
  });
  for (auto &[op, order] : found)
    insert(op, order);
  return success();
}

namespace {
struct InsertSharedBarriers : impl::InsertSharedBarriersBase<InsertSharedBarriers> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<tt::FuncOp>())
      if (!function.isDeclaration() &&
          failed(insertBarriers(function, getChildAnalysis<BufferAliases>(function))))
        return signalPassFailure();
  }
};
} // namespace

} // namespace tilescope::compiler
