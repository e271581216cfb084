// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Assigns every buffer and every operation's scratch a place in shared memory, and says what takes
// most of it where it is not enough.
#include "compiler/analysis/DiagnosticMetadata.h"
#include "compiler/conversion/ttg_to_llvm/allocation/Allocation.h"
#include "compiler/conversion/ttg_to_llvm/allocation/BufferLives.h"
#include "compiler/conversion/ttg_to_llvm/common/BlockText.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/dialects/ttg/ir/ModuleAttributes.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilescope::compiler {

#define GEN_PASS_DEF_ALLOCATESHAREDMEMORY
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h.inc"

namespace {
struct Allocated {
  Operation *op;
  MemoryRequest request;
};
} // namespace

static int64_t sizeOf(tt::FuncOp function) {
  auto size = function->getAttrOfType<IntegerAttr>(ttg::kSharedAttr);
  return size ? size.getInt() : 0;
}

/// What an operation keeps in shared memory, for a reader who knows the kernel only.
static std::string describe(const Allocated &allocated) {
  Operation *op = allocated.op;
  std::string what = "scratch of `" + op->getName().getStringRef().str() + "`";
  if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op))
    what = "a buffer of " + blockText(alloc.getType());
  else if (isa<tt::FuncOp>(op))
    what = "what groups of warps do next";
  else if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op))
    what = "handing a block of " + blockText(cast<RankedTensorType>(convert.getType())) +
           " between threads";
  else if (auto call = dyn_cast<tt::CallOp>(op))
    what = "what `" + call.getCallee().str() + "` uses";
  return what + ": " + std::to_string(allocated.request.size) + " bytes";
}

/// The error names what is alive at the place that needs most, largest first.
static void reportTooLarge(tt::FuncOp function, ArrayRef<Allocated> all, const MemoryPlan &plan,
                           int64_t limit) {
  const auto endsAt = [&](size_t i) { return plan.offsets[i] + all[i].request.size; };
  size_t last = 0;
  for (size_t i = 1; i < all.size(); ++i)
    if (endsAt(i) > endsAt(last))
      last = i;
  const MemoryRequest &peak = all[last].request;
  SmallVector<Allocated> alive;
  llvm::copy_if(all, std::back_inserter(alive),
                [&](const Allocated &one) { return one.request.meets(peak); });
  llvm::stable_sort(alive, [](const Allocated &x, const Allocated &y) {
    return x.request.size > y.request.size;
  });
  auto target = function->getParentOfType<ModuleOp>()->getAttrOfType<StringAttr>(ttg::kTargetAttr);
  InFlightDiagnostic error = emitError(alive.front().op, DiagnosticKind::OutOfResources)
                             << "out of resource: the kernel needs " << plan.total
                             << " bytes of shared memory, `" << (target ? target.getValue() : "")
                             << "` has " << limit;
  constexpr size_t kNamed = 4;
  for (const Allocated &one : ArrayRef(alive).take_front(kNamed))
    error.attachNote(one.op->getLoc()) << describe(one);
  error.attachNote() << "smaller blocks or a smaller `num_stages` need less";
}

/// Everything that the function keeps in shared memory, in the order of its ends.
static SmallVector<Allocated> requestsOf(tt::FuncOp function, const Timeline &time,
                                         const BufferAliases &aliases, SymbolTable &symbols) {
  SmallVector<Allocated> all;
  for (auto &[op, interval] : bufferLives(function, time, aliases))
    if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op))
      all.push_back({op,
                     {bufferBytes(alloc.getType()), bufferAlignment(alloc), interval.begin,
                      interval.end, time.at(op).group}});
  bool splitsWarps = false;
  for (const auto &[op, moment] : time) {
    splitsWarps |= isa<ttg::WarpSpecializeOp>(op);
    int64_t size = scratchBytes(op);
    // A called function's memory is scratch of the call.
    if (auto call = dyn_cast<tt::CallOp>(op))
      if (auto callee = symbols.lookup<tt::FuncOp>(call.getCallee()))
        size = sizeOf(callee);
    if (size > 0)
      all.push_back({op, {size, kScratchAlignment, moment.begin, moment.end, moment.group}});
  }
  // The map's order is arbitrary; places must not be.
  llvm::stable_sort(all, [&](const Allocated &x, const Allocated &y) {
    return time.at(x.op).end < time.at(y.op).end;
  });
  // Waiting warps look there for what to do, at any time.
  if (splitsWarps)
    all.push_back({function, {kDispatchBytes, 16, 0, INT64_MAX}});
  return all;
}

/// Makes the largest operation need less that reaches beyond the limit; false when none can.
static bool reduceLargest(ArrayRef<Allocated> all, const MemoryPlan &plan, int64_t limit) {
  SmallVector<Allocated> beyond;
  for (size_t i = 0; i < all.size(); ++i)
    if (plan.offsets[i] + all[i].request.size > limit)
      for (const Allocated &one : all)
        if (one.request.meets(all[i].request))
          beyond.push_back(one);
  llvm::stable_sort(beyond, [](const Allocated &x, const Allocated &y) {
    return x.request.size > y.request.size;
  });
  return llvm::any_of(beyond, [](const Allocated &one) { return reduceScratch(one.op); });
}

/// Fails, with an error, where the function alone needs more than `limit` bytes.
static FailureOr<int64_t> allocate(tt::FuncOp function, const BufferAliases &aliases,
                                   SymbolTable &symbols, int64_t limit) {
  const Timeline time(function.getBody());
  SmallVector<Allocated> all;
  MemoryPlan plan;
  do {
    all = requestsOf(function, time, aliases, symbols);
    SmallVector<MemoryRequest> requests;
    for (const Allocated &allocated : all)
      requests.push_back(allocated.request);
    plan = planMemory(requests);
  } while (plan.total > limit && reduceLargest(all, plan, limit));
  Builder builder(function.getContext());
  for (auto [allocated, offset] : llvm::zip(all, plan.offsets))
    allocated.op->setAttr(ttg::kAllocationOffsetAttr, builder.getI32IntegerAttr(offset));
  if (plan.total > limit) {
    reportTooLarge(function, all, plan, limit);
    return failure();
  }
  return plan.total;
}

namespace {
struct AllocateSharedMemory : impl::AllocateSharedMemoryBase<AllocateSharedMemory> {
  using AllocateSharedMemoryBase::AllocateSharedMemoryBase;

  void runOnOperation() override {
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
      FailureOr<int64_t> size =
          allocate(function, getChildAnalysis<BufferAliases>(function), symbols, limit);
      if (failed(size))
        return signalPassFailure();
      function->setAttr(ttg::kSharedAttr, builder.getI32IntegerAttr(*size));
      if (function.isPublic())
        total = std::max(total, *size);
    };
    for (auto function : module.getOps<tt::FuncOp>())
      visit(function);
    for (auto function : module.getOps<tt::FuncOp>())
      function->removeAttr(ttg::kSharedAttr);
    module->setAttr(ttg::kSharedAttr, builder.getI32IntegerAttr(total));
    markAnalysesPreserved<BufferAliases>();
  }
};
} // namespace

} // namespace tilescope::compiler
