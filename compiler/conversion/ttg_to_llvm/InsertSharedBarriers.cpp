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
// nobody may write there before; after the wait, other warps may not be as far yet, so from then on
// the factors count as read.
#include "compiler/conversion/ttg_to_llvm/BufferAliases.h"
#include "compiler/conversion/ttg_to_llvm/Passes.h"
#include "compiler/conversion/ttg_to_llvm/Scratch.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilescope::compiler {

namespace {
using Bytes = std::pair<int64_t, int64_t>;

/// Ranges of bytes that were read and written since the last barrier, and those that products under
/// way read.
struct Pending {
  llvm::SetVector<Bytes> reads, writes, underWay;

  /// What a barrier ends.
  void clear() { reads.clear(), writes.clear(); }
  /// Adds the other's; true when something was new.
  bool join(const Pending &other) {
    size_t before = size();
    reads.insert_range(other.reads);
    writes.insert_range(other.writes);
    underWay.insert_range(other.underWay);
    return size() != before;
  }
  bool conflictsWith(const Pending &next) const {
    return overlap(writes, next.reads) || overlap(reads, next.writes) ||
           overlap(writes, next.writes);
  }

private:
  size_t size() const { return reads.size() + writes.size() + underWay.size(); }
  static bool overlap(const llvm::SetVector<Bytes> &x, const llvm::SetVector<Bytes> &y) {
    for (const Bytes &a : x)
      for (const Bytes &b : y)
        if (a.first < b.second && b.first < a.second)
          return true;
    return false;
  }
};

class BarrierInsertion {
public:
  explicit BarrierInsertion(tt::FuncOp function) : m_function(function), m_aliases(function) {}

  void run() {
    // Which blocks need barriers depends on what is pending when they begin; barriers only ever
    // take pending accesses away, so inserting them on the way is safe.
    SmallVector<Block *> work{&m_function.getBody().front()};
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

private:
  void addBuffer(Value value, llvm::SetVector<Bytes> &to) const {
    for (Operation *root : m_aliases.roots(value)) {
      auto alloc = cast<ttg::LocalAllocOp>(root);
      int64_t offset = root->getAttrOfType<IntegerAttr>(ttg::kAllocationOffsetAttr).getInt();
      to.insert({offset, offset + bufferBytes(alloc.getType())});
    }
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
    } else if (auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(op)) {
      addBuffer(copy.getResult(), accesses.writes);
    } else if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(op)) {
      for (Value factor : {Value(dot.getA()), Value(dot.getB())})
        addBuffer(factor, accesses.reads);
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

  void visit(Operation *op, Pending &pending) {
    if (isa<ttg::BarrierOp>(op)) {
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
    Pending accesses = accessesOf(op);
    auto offset = op->getAttrOfType<IntegerAttr>(ttg::kAllocationOffsetAttr);
    bool isScratch = offset && !isa<ttg::LocalAllocOp>(op);
    if (isScratch) {
      int64_t size = isa<tt::CallOp>(op) ? INT64_MAX / 2 : scratchBytes(op);
      accesses.writes.insert({offset.getInt(), offset.getInt() + size});
    }
    if (pending.conflictsWith(accesses))
      insertBarrier(op, pending);
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

  tt::FuncOp m_function;
  BufferAliases m_aliases;
  llvm::DenseMap<Block *, Pending> m_atStart;
};

struct InsertSharedBarriers : public PassWrapper<InsertSharedBarriers, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InsertSharedBarriers)

  StringRef getArgument() const final { return "insert-shared-barriers"; }
  StringRef getDescription() const final {
    return "Put barriers between conflicting accesses to shared memory";
  }

  void runOnOperation() final {
    for (auto function : getOperation().getOps<tt::FuncOp>())
      if (!function.isDeclaration())
        BarrierInsertion(function).run();
  }
};
} // namespace

std::unique_ptr<Pass> createInsertSharedBarriersPass() {
  return std::make_unique<InsertSharedBarriers>();
}

} // namespace tilescope::compiler
