// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where threads must meet. Going forward through the function, the analysis keeps what was read and
// what was written since all threads have met. Before an operation that reads written bytes, or
// writes bytes that were read or written, they must meet again:
//
//     %a = ttg.local_alloc %x        write a                  pending: w(a)
//     %y = ttg.local_load %a         read a      meet         pending: r(a)
//     %z = "tt.reduce"(%y)           scratch     disjoint     pending: r(scratch)
//                                    has a barrier of its own
//
// An operation's effects say what it accesses (`BufferAccess.h`). What goes on behind an
// operation is seen to by how it ends:
//
// - Copies of groups: a reader waits for its own, then at a barrier for the others.
// - Products of warp groups read their factors until they have been waited for. No barrier ends
//   that, and no thread may write there before; after the wait, other warps may not be as far yet,
//   so from then on the factors count as read. The same goes for bulk copies out of shared memory,
//   for which one thread waits.
// - Bulk copies into shared memory, and products in tensor memory, end at barrier objects, where
//   those wait who use the result. A barrier is needed only before, where threads still use the
//   place. Barrier objects are made, ended and armed by one thread, whose own accesses need nothing
//   in between. What threads wrote reaches these copies and products through a fence only, which is
//   put in where the program has none.
//
// What threads do in tensor memory is watched as what they do in shared memory.
#pragma once

#include "compiler/conversion/ttg_to_llvm/allocation/OperationAccesses.h"
#include "compiler/dialects/ttg/ir/Dialect.h"

#include "mlir/Analysis/DataFlow/DenseAnalysis.h"

namespace tilescope::compiler {

/// The barriers that an operation needs around it.
struct OperationOrder {
  /// Before it, in this order: what threads wrote becomes visible to bulk copies; all threads meet.
  bool fence = false, meetBefore = false;
  /// All threads meet after it.
  bool meetAfter = false;
  bool operator==(const OperationOrder &) const = default;
};

/// What is pending at a place of the program, and what the operation in front of it needs. Needs
/// only ever grow, and take pending accesses away; so the analysis ends.
class BarrierState : public mlir::dataflow::AbstractDenseLattice {
public:
  using AbstractDenseLattice::AbstractDenseLattice;

  mlir::ChangeResult join(const mlir::dataflow::AbstractDenseLattice &other) override;
  mlir::ChangeResult join(const PendingAccesses &other);
  mlir::ChangeResult set(PendingAccesses pending, OperationOrder order);
  void print(llvm::raw_ostream &os) const override;

  const PendingAccesses &pending() const { return m_pending; }
  const OperationOrder &order() const { return m_order; }

private:
  PendingAccesses m_pending;
  OperationOrder m_order;
};

class BarrierAnalysis : public mlir::dataflow::DenseForwardDataFlowAnalysis<BarrierState> {
public:
  BarrierAnalysis(mlir::DataFlowSolver &solver, const OperationAccesses &accesses)
      : DenseForwardDataFlowAnalysis(solver), m_accesses(accesses) {}

  mlir::LogicalResult visitOperation(mlir::Operation *op, const BarrierState &before,
                                     BarrierState *after) override;
  void visitCallControlFlowTransfer(mlir::CallOpInterface call,
                                    mlir::dataflow::CallControlFlowAction action,
                                    const BarrierState &before, BarrierState *after) override;

protected:
  /// Nothing is pending where a function begins.
  void setToEntryState(BarrierState *) override {}

private:
  /// Bulk copies of one group of warps may send what another one wrote.
  void enterGroups(ttg::WarpSpecializeOp groups, PendingAccesses &pending);

  const OperationAccesses &m_accesses;
};

} // namespace tilescope::compiler
