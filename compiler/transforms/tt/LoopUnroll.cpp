// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Unrolls the loops that ask for it. A loop of 7 iterations with factor 2:
//
//   for i = 0 to 7 step 1 { f(i) }   ==>   for i = 0 to 6 step 2 { f(i); f(i + 1) }
//                                          for i = 6 to 7 step 1 { f(i) }
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/transforms/tt/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"

using namespace mlir;

namespace tilescope::tt {

#define GEN_PASS_DEF_LOOPUNROLL
#include "compiler/transforms/tt/Passes.h.inc"

namespace {

struct LoopUnroll : public impl::LoopUnrollBase<LoopUnroll> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    // Inner loops first: unrolling an outer loop copies what is inside.
    getOperation().walk<WalkOrder::PostOrder>([&](scf::ForOp loop) {
      if (loop->hasAttr(kLoopUnrollFactorAttr))
        loops.push_back(loop);
    });
    if (loops.empty())
      return markAllAnalysesPreserved();
    for (scf::ForOp loop : loops)
      unroll(loop);
  }

  void unroll(scf::ForOp loop) {
    auto factor = dyn_cast<IntegerAttr>(loop->removeAttr(kLoopUnrollFactorAttr));
    if (!factor || factor.getInt() <= 1)
      return;
    auto numStages = loop->getAttr(kNumStagesAttr);
    FailureOr<UnrolledLoopInfo> unrolled = loopUnrollByFactor(loop, factor.getInt());
    if (failed(unrolled) || !unrolled->epilogueLoopOp)
      return;
    if (numStages)
      (*unrolled->epilogueLoopOp)
          ->setAttr(kNumStagesAttr, Builder(&getContext()).getI32IntegerAttr(1));
  }
};

} // namespace
} // namespace tilescope::tt
