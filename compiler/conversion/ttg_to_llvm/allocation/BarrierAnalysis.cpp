// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/allocation/BarrierAnalysis.h"

#include "compiler/dialects/ttng/ir/Dialect.h"

using namespace mlir;

namespace tilescope::compiler {

ChangeResult BarrierState::join(const dataflow::AbstractDenseLattice &other) {
  return join(static_cast<const BarrierState &>(other).m_pending);
}

ChangeResult BarrierState::join(const PendingAccesses &other) {
  return m_pending.join(other) ? ChangeResult::Change : ChangeResult::NoChange;
}

ChangeResult BarrierState::set(PendingAccesses pending, OperationOrder order) {
  if (pending == m_pending && order == m_order)
    return ChangeResult::NoChange;
  m_pending = std::move(pending);
  m_order = order;
  return ChangeResult::Change;
}

void BarrierState::print(raw_ostream &os) const {
  os << (m_order.fence ? "fence " : "") << (m_order.meetBefore ? "meet before " : "")
     << (m_order.meetAfter ? "meet after" : "");
}

/// What is read while accesses of this kind go on; none where nothing has to be kept.
static std::optional<AccessKind> underWay(ttg::Completion completion) {
  if (completion == ttg::Completion::ProductGroup)
    return kReadByProducts;
  if (completion == ttg::Completion::BulkGroup)
    return kReadByBulkCopies;
  return std::nullopt;
}

namespace {
/// How one operation changes what is pending.
class Transfer {
public:
  Transfer(Operation *op, const OperationAccesses &accesses, PendingAccesses &pending,
           OperationOrder &order)
      : m_op(op), m_accesses(accesses), m_pending(pending), m_order(order) {
    // What was needed once stays.
    if (order.fence)
      pending.drop(kUnfenced);
    if (order.meetBefore)
      meet();
  }

  void meetBefore() {
    m_order.meetBefore = true;
    meet();
  }
  /// What barriers end.
  void meet() { m_pending.drop(kEndedByMeeting); }

  void access() {
    const ttg::AccessMode mode = ttg::accessModeOf(m_op);
    PendingAccesses accesses = m_accesses.of(m_op);
    const std::optional<ByteRange> scratch = OperationAccesses::scratchOf(m_op);
    if (scratch)
      accesses.add(*scratch, kWritten);
    if (mode.proxy == ttg::MemoryProxy::Async &&
        m_pending.overlaps(kUnfenced, accesses, kRead | kWritten)) {
      m_order.fence = true;
      m_pending.drop(kUnfenced);
      meetBefore();
    }
    if (m_pending.conflictsWith(accesses))
      meetBefore();
    if (mode.proxy != ttg::MemoryProxy::Async)
      m_pending.addUnfenced(accesses);
    if (mode.completion == ttg::Completion::Immediate)
      m_pending.join(accesses);
    else if (std::optional<AccessKind> kind = underWay(mode.completion))
      m_pending.joinAs(accesses, kRead, *kind);
    // The operation writes its scratch, waits at a barrier, and reads: only that read is left.
    if (scratch && !isa<CallOpInterface>(m_op)) {
      meet();
      m_pending.add(*scratch, kRead);
    }
  }

  void wait(ttg::AsyncWait wait) {
    if (wait.completion == ttg::Completion::CopyGroup) {
      // What other threads copied is visible only after they, too, have waited.
      Operation *next = m_op->getNextNode();
      m_order.meetAfter = !next->hasTrait<ttg::ThreadsMeetTrait>();
      meet();
    }
    std::optional<AccessKind> kind = underWay(wait.completion);
    if (!kind)
      return;
    m_pending.joinAs(m_pending, *kind, kRead);
    if (wait.numPending == 0)
      m_pending.drop(*kind);
  }

private:
  Operation *m_op;
  const OperationAccesses &m_accesses;
  PendingAccesses &m_pending;
  OperationOrder &m_order;
};
} // namespace

/// Whether nothing happens between a barrier and the operation.
static bool haveJustMet(Operation *op, const OperationOrder &previous) {
  Operation *before = op->getPrevNode();
  return previous.meetAfter || (before && before->hasTrait<ttg::ThreadsMeetTrait>());
}

LogicalResult BarrierAnalysis::visitOperation(Operation *op, const BarrierState &before,
                                              BarrierState *after) {
  PendingAccesses pending = before.pending();
  OperationOrder order = after->order();
  Transfer transfer(op, m_accesses, pending, order);
  if (op->hasTrait<ttg::ThreadsMeetTrait>()) {
    transfer.meet();
  } else if (auto groups = dyn_cast<ttg::WarpSpecializeOp>(op)) {
    // All meet before and after; but one thread writes the captures before.
    if (pending.has(kEndedByMeeting))
      transfer.meetBefore();
    enterGroups(groups, pending);
  } else if (isa<ttng::FenceAsyncSharedOp>(op)) {
    // Each thread's fence is for what it wrote itself: threads that met before it meet again.
    pending.joinAs(pending, kUnfenced, kWritten);
    pending.drop(kUnfenced);
  } else if (ttg::accessModeOf(op).performer == ttg::Performer::FirstThreadForAll) {
    if (!haveJustMet(op, before.order()))
      transfer.meetBefore();
  } else {
    transfer.access();
    if (auto wait = dyn_cast<ttg::AsyncWaitOpInterface>(op))
      transfer.wait(wait.getAsyncWait());
    // A product that ends at once waits for those before it, too.
    if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(op); dot && !dot.getIsAsync())
      transfer.wait({ttg::Completion::ProductGroup, 0});
  }
  propagateIfChanged(after, after->set(std::move(pending), order));
  return success();
}

void BarrierAnalysis::visitCallControlFlowTransfer(CallOpInterface call,
                                                   dataflow::CallControlFlowAction,
                                                   const BarrierState &before,
                                                   BarrierState *after) {
  (void)visitOperation(call, before, after);
}

void BarrierAnalysis::enterGroups(ttg::WarpSpecializeOp groups, PendingAccesses &pending) {
  PendingAccesses unfenced;
  unfenced.joinAs(pending, kUnfenced, kUnfenced);
  for (Region &region : groups->getRegions()) {
    auto *entry = getOrCreate<BarrierState>(getProgramPointBefore(&region.front()));
    propagateIfChanged(entry, entry->join(unfenced));
  }
  groups.walk([&](Operation *op) {
    if (op != groups && ttg::accessModeOf(op).proxy != ttg::MemoryProxy::Async)
      pending.addUnfenced(m_accesses.of(op));
  });
}

} // namespace tilescope::compiler
