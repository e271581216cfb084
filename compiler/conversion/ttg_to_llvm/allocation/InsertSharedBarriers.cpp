// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Barriers between accesses to the same bytes of shared memory.
//
// Going forward through the function, the pass keeps what was read and what was written since the
// last barrier. Before an operation that reads written bytes, or writes bytes that were read or
// written, it puts a barrier:
//
//     %a = ttg.local_alloc %x        write a                  pending: w(a)
//     %y = ttg.local_load %a         read a      barrier      pending: r(a)
//     %z = "tt.reduce"(%y)           scratch     disjoint: none; has its own barrier -> pending:
//     r(scratch)
//
// An asynchronous product reads its factors until it has been waited for. No barrier ends that, and
// no thread may write there before; after the wait, other warps may not be as far yet, so from then
// on the factors count as read. The same goes for bulk copies out of shared memory, for which one
// thread waits.
//
// Bulk copies into shared memory are waited for at barriers in shared memory, and need no barrier
// of the threads behind them, only one before, where threads still use the place. Such barriers are
// made, ended and armed by one thread, whose own accesses need nothing in between. What threads
// wrote reaches bulk copies through a fence only, which is put in where the program has none.
//
// Products in tensor memory are like bulk copies: one thread starts them, and who uses the result
// or overwrites a factor waits at a barrier in shared memory. What threads do in tensor memory is
// watched as what they do in shared memory.
#include "compiler/conversion/ttg_to_llvm/allocation/BufferAliases.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/conversion/ttg_to_llvm/memory/TensorMemory.h"
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilescope::compiler {

#define GEN_PASS_DEF_INSERTSHAREDBARRIERS
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h.inc"

namespace {
using Bytes = std::pair<int64_t, int64_t>;

using Ranges = llvm::SetVector<Bytes>;

bool overlap(const Ranges &x, const Ranges &y) {
  for (const Bytes &a : x)
    for (const Bytes &b : y)
      if (a.first < b.second && b.first < a.second)
        return true;
  return false;
}

/// Ranges of bytes that were used since the last barrier, and what barriers do not end.
struct Pending {
  Ranges reads, writes;
  /// Barriers that the first thread made or ended, and those that it armed.
  Ranges made, armed;
  /// Buffers that products and copies under way read.
  Ranges underWay, sent;
  /// Writes that bulk copies do not see yet.
  Ranges unfenced;

  /// What a barrier ends.
  void clear() {
    for (Ranges *ranges : {&reads, &writes, &made, &armed})
      ranges->clear();
  }
  /// Adds the other's; true when something was new.
  bool join(const Pending &other) {
    size_t before = size();
    for (Ranges Pending::*ranges : kAll)
      (this->*ranges).insert_range((other.*ranges));
    return size() != before;
  }
  bool conflictsWith(const Pending &next) const {
    return overlap(writes, next.reads) || overlap(reads, next.writes) ||
           overlap(writes, next.writes) || overlap(made, next.reads) ||
           overlap(made, next.writes) || overlap(reads, next.made) || overlap(writes, next.made) ||
           overlap(armed, next.writes) || overlap(reads, next.armed) || overlap(writes, next.armed);
  }
  bool isEmpty() const { return reads.empty() && writes.empty() && made.empty() && armed.empty(); }

private:
  static constexpr Ranges Pending::*kAll[] = {&Pending::reads,   &Pending::writes,   &Pending::made,
                                              &Pending::armed,   &Pending::underWay, &Pending::sent,
                                              &Pending::unfenced};
  size_t size() const {
    size_t count = 0;
    for (Ranges Pending::*ranges : kAll)
      count += (this->*ranges).size();
    return count;
  }
};

class BarrierInsertion {
public:
  explicit BarrierInsertion(tt::FuncOp function) : m_aliases(function) {
    run(function.getBody());
    // What groups of warps do begins and ends with a barrier of all.
    function.walk([&](ttg::WarpSpecializeOp op) {
      for (Region &region : op->getRegions())
        run(region);
    });
  }

private:
  void run(Region &region) {
    // Which blocks need barriers depends on what is pending when they begin; barriers only ever
    // take pending accesses away, so inserting them on the way is safe.
    SmallVector<Block *> work{&region.front()};
    llvm::SmallPtrSet<Block *, 8> seen;
    while (!work.empty()) {
      Block *block = work.pop_back_val();
      seen.insert(block);
      Pending pending = m_atStart[block];
      for (Operation &op : llvm::make_early_inc_range(*block))
        visit(&op, pending);
      for (Block *next : block->getSuccessors())
        if (m_atStart[next].join(pending) || !seen.contains(next))
          work.push_back(next);
    }
  }

  /// Columns of tensor memory count as bytes from here on.
  static constexpr int64_t kTensorMemory = int64_t(1) << 40;

  void addBuffer(Value value, Ranges &to) const {
    for (Operation *root : m_aliases.roots(value)) {
      int64_t offset = root->getAttrOfType<IntegerAttr>(ttg::kAllocationOffsetAttr).getInt();
      if (auto alloc = dyn_cast<ttng::TMEMAllocOp>(root)) {
        offset += kTensorMemory;
        to.insert({offset, offset + tensorColumns(alloc.getType())});
        continue;
      }
      to.insert({offset, offset + bufferBytes(cast<ttg::LocalAllocOp>(root).getType())});
    }
  }

  /// Whether one thread starts the operation, and barriers in shared memory tell of its end.
  static bool isTensorOperation(Operation *op) {
    return isa<ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp, ttng::TMEMCopyOp>(op);
  }
  /// Its buffers: what it writes is the one called `d` or `dst`, the others it reads.
  void addTensorAccesses(Operation *op, Pending &accesses) const {
    Value written = op->getOperand(1);
    if (auto product = dyn_cast<ttng::TCGen5MMAOp>(op))
      written = product.getD();
    else if (auto scaled = dyn_cast<ttng::TCGen5MMAScaledOp>(op))
      written = scaled.getD();
    for (Value operand : op->getOperands())
      if (isa<ttg::MemDescType>(operand.getType()))
        addBuffer(operand, operand == written ? accesses.writes : accesses.reads);
  }

  /// The buffer that a bulk copy fills, or sends; null for other operations.
  static Value filledBuffer(Operation *op) {
    if (auto load = dyn_cast<ttng::AsyncTMACopyGlobalToLocalOp>(op))
      return load.getResult();
    if (auto cancel = dyn_cast<ttng::CLCTryCancelOp>(op))
      return cancel.getResult();
    auto gather = dyn_cast<ttng::AsyncTMAGatherOp>(op);
    return gather ? gather.getResult() : Value();
  }
  static Value sentBuffer(Operation *op) {
    if (auto store = dyn_cast<ttng::AsyncTMACopyLocalToGlobalOp>(op))
      return store.getSrc();
    if (auto reduce = dyn_cast<ttng::AsyncTMAReduceOp>(op))
      return reduce.getSrc();
    auto scatter = dyn_cast<ttng::AsyncTMAScatterOp>(op);
    return scatter ? scatter.getSrc() : Value();
  }

  Pending accessesOf(Operation *op) const {
    Pending accesses;
    if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op)) {
      if (alloc.getSrc())
        addBuffer(alloc, accesses.writes);
    } else if (auto load = dyn_cast<ttg::LocalLoadOp>(op)) {
      addBuffer(load.getSrc(), accesses.reads);
    } else if (auto store = dyn_cast<ttg::LocalStoreOp>(op)) {
      addBuffer(store.getDst(), accesses.writes);
    } else if (auto gather = dyn_cast<ttg::LocalGatherOp>(op)) {
      addBuffer(gather.getSrc(), accesses.reads);
    } else if (auto scatter = dyn_cast<ttg::LocalScatterOp>(op)) {
      addBuffer(scatter.getDst(), accesses.writes);
    } else if (auto atomic = dyn_cast<ttg::LocalAtomicScatterRMWOp>(op)) {
      addBuffer(atomic.getDst(), accesses.writes);
    } else if (auto answer = dyn_cast<ttng::CLCLoadResultOp>(op)) {
      addBuffer(answer.getSrc(), accesses.reads);
    } else if (auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(op)) {
      addBuffer(copy.getResult(), accesses.writes);
    } else if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(op)) {
      for (Value factor : {Value(dot.getA()), Value(dot.getB())})
        addBuffer(factor, accesses.reads);
    } else if (auto init = dyn_cast<ttng::InitBarrierOp>(op)) {
      addBuffer(init.getAlloc(), accesses.made);
    } else if (auto inval = dyn_cast<ttng::InvalBarrierOp>(op)) {
      addBuffer(inval.getAlloc(), accesses.made);
    } else if (auto expect = dyn_cast<ttng::BarrierExpectOp>(op)) {
      addBuffer(expect.getAlloc(), accesses.armed);
    } else if (auto wait = dyn_cast<ttng::WaitBarrierOp>(op)) {
      addBuffer(wait.getAlloc(), accesses.reads);
    } else if (auto arrive = dyn_cast<ttng::AsyncCopyMbarrierArriveOp>(op)) {
      addBuffer(arrive.getBarrier(), accesses.reads);
    } else if (auto alloc = dyn_cast<ttng::TMEMAllocOp>(op)) {
      if (alloc.getSrc())
        addBuffer(alloc.getResult(), accesses.writes);
    } else if (auto load = dyn_cast<ttng::TMEMLoadOp>(op)) {
      addBuffer(load.getSrc(), accesses.reads);
    } else if (auto store = dyn_cast<ttng::TMEMStoreOp>(op)) {
      addBuffer(store.getDst(), accesses.writes);
    } else if (auto commit = dyn_cast<ttng::TCGen5CommitOp>(op)) {
      addBuffer(commit.getBarrier(), accesses.reads);
    } else if (isTensorOperation(op)) {
      addTensorAccesses(op, accesses);
    } else if (Value filled = filledBuffer(op)) {
      addBuffer(filled, accesses.writes);
      // Several threads gather.
      if (auto gather = dyn_cast<ttng::AsyncTMAGatherOp>(op))
        addBuffer(gather.getBarrier(), accesses.reads);
    } else if (Value sent = sentBuffer(op)) {
      addBuffer(sent, accesses.reads);
    } else if (auto call = dyn_cast<tt::CallOp>(op)) {
      for (Value operand : call.getOperands())
        if (isa<ttg::MemDescType>(operand.getType()))
          addBuffer(operand, accesses.reads), addBuffer(operand, accesses.writes);
    }
    return accesses;
  }

  void insertBarrier(Operation *before, Pending &pending) {
    OpBuilder builder(before);
    ttg::BarrierOp::create(builder, before->getLoc(), ttg::MemorySpaces::Local);
    pending.clear();
  }

  /// Bulk copies of one group may send what another one wrote.
  void visitGroups(ttg::WarpSpecializeOp specialize, Pending &pending) {
    for (Region &region : specialize->getRegions())
      m_atStart[&region.front()].unfenced.insert_range(pending.unfenced);
    specialize.walk([&](Operation *op) {
      if (!filledBuffer(op) && !isTensorOperation(op))
        addUnfenced(accessesOf(op), pending);
    });
  }

  static void addUnfenced(const Pending &accesses, Pending &pending) {
    for (const Bytes &bytes : accesses.writes)
      if (bytes.first < kTensorMemory)
        pending.unfenced.insert(bytes);
    pending.unfenced.insert_range(accesses.made);
  }

  void visit(Operation *op, Pending &pending) {
    if (isa<ttg::BarrierOp, ttng::ClusterBarrierOp, ttng::ClusterWaitOp>(op)) {
      pending.clear();
      return;
    }
    if (isa<ttg::AsyncWaitOp>(op)) {
      // What other threads copied is visible only after they, too, have waited.
      Operation *next = op->getNextNode();
      if (!isa<ttg::BarrierOp>(next))
        insertBarrier(next, pending);
      pending.clear();
      return;
    }
    if (auto specialize = dyn_cast<ttg::WarpSpecializeOp>(op)) {
      // All meet before and after; but one thread writes the captures before.
      if (!pending.isEmpty())
        insertBarrier(op, pending);
      visitGroups(specialize, pending);
      return;
    }
    if (isa<ttng::FenceAsyncSharedOp>(op)) {
      pending.unfenced.clear();
      return;
    }
    if (isa<ttng::ArriveBarrierOp>(op)) {
      // One thread arrives for all.
      if (!isa_and_present<ttg::BarrierOp>(op->getPrevNode()))
        insertBarrier(op, pending);
      return;
    }
    if (auto wait = dyn_cast<ttng::TMAStoreWaitOp>(op)) {
      // One thread waited.
      pending.reads.insert_range(pending.sent);
      if (wait.getPendings() == 0)
        pending.sent.clear();
      return;
    }
    Pending accesses = accessesOf(op);
    auto offset = op->getAttrOfType<IntegerAttr>(ttg::kAllocationOffsetAttr);
    bool isScratch = offset && !isa<ttg::LocalAllocOp, ttng::TMEMAllocOp>(op);
    if (isScratch) {
      int64_t size = isa<tt::CallOp>(op) ? INT64_MAX / 2 : scratchBytes(op);
      accesses.writes.insert({offset.getInt(), offset.getInt() + size});
    }
    const bool isAsynchronous = filledBuffer(op) || sentBuffer(op) || isTensorOperation(op);
    if (isAsynchronous &&
        (overlap(pending.unfenced, accesses.writes) || overlap(pending.unfenced, accesses.reads))) {
      OpBuilder builder(op);
      ttng::FenceAsyncSharedOp::create(builder, op->getLoc(), /*bCluster=*/false);
      pending.unfenced.clear();
      insertBarrier(op, pending);
    }
    if (pending.conflictsWith(accesses))
      insertBarrier(op, pending);
    if (!isAsynchronous)
      addUnfenced(accesses, pending);
    if (filledBuffer(op) || isTensorOperation(op))
      return;
    if (sentBuffer(op)) {
      pending.sent.insert_range(accesses.reads);
      return;
    }
    // Whoever reads an asynchronous copy waits for it first, and meets the others after that.
    if (isa<ttg::AsyncCopyGlobalToLocalOp>(op))
      return;
    if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(op); dot && dot.getIsAsync()) {
      pending.underWay.insert_range(accesses.reads);
      return;
    }
    if (auto wait = dyn_cast<ttng::WarpGroupDotWaitOp>(op)) {
      pending.reads.insert_range(pending.underWay);
      if (wait.getPendings() == 0)
        pending.underWay.clear();
      return;
    }
    pending.join(accesses);
    if (isScratch && !isa<tt::CallOp>(op)) {
      // The operation writes its scratch, meets at a barrier, and reads: only that read is left.
      pending.clear();
      pending.reads.insert({offset.getInt(), offset.getInt() + scratchBytes(op)});
    }
  }

  BufferAliases m_aliases;
  llvm::DenseMap<Block *, Pending> m_atStart;
};

struct InsertSharedBarriers : impl::InsertSharedBarriersBase<InsertSharedBarriers> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<tt::FuncOp>())
      if (!function.isDeclaration())
        BarrierInsertion insertion(function);
  }
};
} // namespace

} // namespace tilescope::compiler
