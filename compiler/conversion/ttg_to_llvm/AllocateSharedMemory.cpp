// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Gives every buffer and every operation's scratch its place in shared memory.
#include "compiler/conversion/ttg_to_llvm/Allocation.h"
#include "compiler/conversion/ttg_to_llvm/BufferAliases.h"
#include "compiler/conversion/ttg_to_llvm/Passes.h"
#include "compiler/conversion/ttg_to_llvm/Scratch.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Analysis/Liveness.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilescope::compiler {

namespace {
/// From the first to the last moment at which a buffer is needed.
struct Interval {
  int64_t begin = INT64_MAX;
  int64_t end = 0;
  void include(int64_t from, int64_t to) {
    begin = std::min(begin, from);
    end = std::max(end, to);
  }
};

struct Allocated {
  Operation *op;
  MemoryRequest request;
};
} // namespace

/// When each allocation is alive, in numbers of operations. Blocks in which any of its views is
/// live count from where it enters to where it leaves, so loops are covered by their live-in
/// blocks.
static llvm::MapVector<Operation *, Interval>
liveIntervals(tt::FuncOp function, const llvm::DenseMap<Operation *, int64_t> &time) {
  BufferAliases aliases(function);
  Liveness liveness(function);
  llvm::MapVector<Operation *, Interval> intervals;
  auto include = [&](Value value, int64_t from, int64_t to) {
    for (Operation *root : aliases.roots(value))
      intervals[root].include(from, to);
  };
  for (Block &block : function.getBody()) {
    int64_t first = time.at(&block.front()), last = time.at(&block.back());
    const LivenessBlockInfo *info = liveness.getLiveness(&block);
    for (Value value : info->in())
      include(value, first, first);
    for (Value argument : block.getArguments())
      include(argument, first, first);
    for (Value value : info->out())
      include(value, last, last + 1);
    for (Operation &op : block) {
      for (Value operand : op.getOperands())
        include(operand, time.at(&op), time.at(&op) + 1);
      for (Value result : op.getResults())
        include(result, time.at(&op), time.at(&op) + 1);
    }
  }
  return intervals;
}

static int64_t sizeOf(tt::FuncOp function) {
  auto size = function->getAttrOfType<IntegerAttr>(ttg::kSharedAttr);
  return size ? size.getInt() : 0;
}

static int64_t allocate(tt::FuncOp function, SymbolTable &symbols) {
  llvm::DenseMap<Operation *, int64_t> time;
  int64_t now = 0;
  for (Block &block : function.getBody())
    for (Operation &op : block)
      time[&op] = now++;
  SmallVector<Allocated> all;
  for (auto &[op, interval] : liveIntervals(function, time)) {
    auto alloc = cast<ttg::LocalAllocOp>(op);
    all.push_back(
        {op, {bufferBytes(alloc.getType()), bufferAlignment(alloc), interval.begin, interval.end}});
  }
  for (auto [op, at] : time) {
    int64_t size = scratchBytes(op);
    // A called function's memory is scratch of the call.
    if (auto call = dyn_cast<tt::CallOp>(op))
      if (auto callee = symbols.lookup<tt::FuncOp>(call.getCallee()))
        size = sizeOf(callee);
    if (size > 0)
      all.push_back({op, {size, kScratchAlignment, at, at + 1}});
  }
  // The map's order is arbitrary; places must not be.
  llvm::stable_sort(
      all, [&](const Allocated &x, const Allocated &y) { return time[x.op] < time[y.op]; });
  SmallVector<MemoryRequest> requests;
  for (const Allocated &allocated : all)
    requests.push_back(allocated.request);
  MemoryPlan plan = planMemory(requests);
  Builder builder(function.getContext());
  for (auto [allocated, offset] : llvm::zip(all, plan.offsets))
    allocated.op->setAttr(ttg::kAllocationOffsetAttr, builder.getI32IntegerAttr(offset));
  return plan.total;
}

namespace {
struct AllocateSharedMemory : public PassWrapper<AllocateSharedMemory, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AllocateSharedMemory)

  StringRef getArgument() const final { return "allocate-shared-memory"; }
  StringRef getDescription() const final {
    return "Place buffers and scratch in shared memory, by their lives";
  }

  void runOnOperation() final {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    Builder builder(&getContext());
    int64_t total = 0;
    llvm::SetVector<tt::FuncOp> done;
    // Callees first: a call needs as much as its callee.
    std::function<void(tt::FuncOp)> visit = [&](tt::FuncOp function) {
      if (!done.insert(function))
        return;
      function.walk([&](tt::CallOp call) {
        if (auto callee = symbols.lookup<tt::FuncOp>(call.getCallee()))
          visit(callee);
      });
      if (function.isDeclaration())
        return;
      int64_t size = allocate(function, symbols);
      function->setAttr(ttg::kSharedAttr, builder.getI32IntegerAttr(size));
      if (function.isPublic())
        total = std::max(total, size);
    };
    for (auto function : module.getOps<tt::FuncOp>())
      visit(function);
    for (auto function : module.getOps<tt::FuncOp>())
      function->removeAttr(ttg::kSharedAttr);
    module->setAttr(ttg::kSharedAttr, builder.getI32IntegerAttr(total));
  }
};
} // namespace

std::unique_ptr<Pass> createAllocateSharedMemoryPass() {
  return std::make_unique<AllocateSharedMemory>();
}

} // namespace tilescope::compiler
