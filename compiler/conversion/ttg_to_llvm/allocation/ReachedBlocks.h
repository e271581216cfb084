// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/ttg/ir/Dialect.h"

#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"

namespace tilescope::compiler {

/// Marks for other data-flow analyses that control reaches every block of a function and of its groups
/// of warps, by every edge. What never runs has been removed before, so that nothing is gained from
/// propagating constants once more. The functions of scalars inside reductions count as parts of
/// their operations and are left out.
class ReachedBlocks : public mlir::DataFlowAnalysis {
public:
  explicit ReachedBlocks(mlir::DataFlowSolver &solver) : DataFlowAnalysis(solver) {
    registerAnchorKind<mlir::dataflow::CFGEdge>();
  }

  mlir::LogicalResult initialize(mlir::Operation *function) override {
    mark(function->getRegion(0));
    return mlir::success();
  }
  mlir::LogicalResult visit(mlir::ProgramPoint *) override { return mlir::success(); }

private:
  void mark(mlir::Region &region) {
    for (mlir::Block &block : region) {
      setToLive(getProgramPointBefore(&block));
      for (mlir::Block *next : block.getSuccessors())
        setToLive(getLatticeAnchor<mlir::dataflow::CFGEdge>(&block, next));
      for (auto groups : block.getOps<ttg::WarpSpecializeOp>())
        for (mlir::Region &group : groups->getRegions())
          mark(group);
    }
  }

  template <typename Anchor> void setToLive(Anchor *anchor) {
    auto *executable = getOrCreate<mlir::dataflow::Executable>(anchor);
    propagateIfChanged(executable, executable->setToLive());
  }
};

} // namespace tilescope::compiler
