// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Groups of warps that execute different code at the same time.
//
// The thread block starts with all the warps that are ever needed. Those of the kernel proper go
// ahead; the others wait to be told what to do. `ttg.warp_specialize` number i writes what its
// partitions capture to shared memory, then i, and meets them:
//
//     kernel proper                              other warps
//     ...                                        wait:  meet
//     captures, i -> shared memory                      i <- shared memory
//     meet  . . . . . . . . . . . . . . . . . . . . .   partition of i for this warp
//     default region                                      captures <- shared memory, its code
//     meet  . . . . . . . . . . . . . . . . . . . . .   meet; back to wait
//     ...
//     "over" -> shared memory; meet . . . . . . . . . . over: return
//
// Registers are redivided where the operation requests it (`setmaxnreg`, by groups of 4 warps).
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Lowering.h"

namespace tilescope::compiler {

/// Where the warps of each partition begin, and how many there are in all.
struct WarpPlan {
  llvm::SmallVector<int> firstWarps;
  int totalWarps = 0;
};
/// Large partitions first, so that groups of 4 warps begin at multiples of 4.
WarpPlan planWarps(ttg::WarpSpecializeOp op, int defaultWarps);
/// The most warps that the module's kernel has at any time.
int totalWarps(mlir::ModuleOp module);
/// Registers per thread that all warps start with, where the kernel redivides them; 0 elsewhere.
int initialRegisters(mlir::ModuleOp module);

/// The waiting warps of one kernel.
class WarpDispatch {
public:
  /// `entry` holds the kernel's arguments and no code yet; the kernel proper goes to `main()`.
  WarpDispatch(Lowering &lowering, tt::FuncOp source, mlir::Block *entry);

  mlir::Block *main() { return m_main; }
  mlir::LogicalResult lower(ttg::WarpSpecializeOp op);
  /// Before the kernel returns.
  void release();
  /// Once everything is lowered.
  void finish();

private:
  mlir::Value stateAddress();
  void meet();
  void setRegisters(int count);
  /// Leaves what the partitions need, and which operation it is, where waiting warps read them.
  void handOver(ttg::WarpSpecializeOp op, int state);
  /// What a group of 4 waiting warps does from `task` on; returns where the warps behind it go on.
  /// `warp` is the number of each thread's warp.
  mlir::FailureOr<mlir::Block *> lowerGroup(ttg::WarpSpecializeOp op, const WarpPlan &plan,
                                            int group, int registers, mlir::Value warp,
                                            mlir::Block *task);
  mlir::LogicalResult lowerRegion(mlir::Region &region, mlir::Block *after);
  mlir::LogicalResult lowerPartition(ttg::WarpSpecializeOp op, unsigned index, int firstWarp,
                                     mlir::Block *begin, mlir::Block *end);

  Lowering &m_lowering;
  tt::FuncOp m_source;
  mlir::Block *m_entry, *m_main, *m_wait;
  /// What waiting warps do for each operation.
  llvm::SmallVector<mlir::Block *> m_tasks;
  /// One per partition; their addresses are kept by the lowering while it works on them.
  std::vector<std::unique_ptr<WarpGroup>> m_groups;
};

} // namespace tilescope::compiler
