// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Moves out of a loop what is the same in every iteration, loads included:
//
//   for %i = %lo to %hi {                        %any = %lo < %hi
//     %v = load %p, %m                           %v = load %p, %m & splat(%any)
//     … %v …                                     for %i = %lo to %hi { … %v … }
//
// A load moves only when nothing in the loop writes memory, and must not run when the loop does
// not.
#include "compiler/transforms/ttg/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;

namespace tilescope::ttg {

#define GEN_PASS_DEF_HOISTINVARIANTS
#include "compiler/transforms/ttg/Passes.h.inc"

namespace {

bool writesMemory(scf::ForOp loop) {
  return loop.getBody()
      ->walk([](Operation *op) {
        if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isMemoryEffectFree(op) ||
            hasSingleEffect<MemoryEffects::Read>(op))
          return WalkResult::advance();
        return WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// The mask under which the load may run before the loop.
Value guardedMask(tt::LoadOp load, scf::ForOp loop, OpBuilder &builder) {
  Location loc = load.getLoc();
  auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Value guard =
      arith::CmpIOp::create(builder, loc, predicate, loop.getLowerBound(), loop.getUpperBound());
  Type maskType = tt::getI1SameShape(load.getType());
  if (isa<RankedTensorType>(maskType))
    guard = tt::SplatOp::create(builder, loc, maskType, guard);
  return load.getMask() ? arith::AndIOp::create(builder, loc, load.getMask(), guard).getResult()
                        : guard;
}

struct HoistInvariants : impl::HoistInvariantsBase<HoistInvariants> {
  void runOnOperation() override {
    // Inner loops first, so that what leaves them can leave the outer ones too.
    bool hasLoops = false;
    getOperation().walk([&](LoopLikeOpInterface loop) {
      hasLoops = true;
      moveLoopInvariantCode(loop);
      if (auto forLoop = dyn_cast<scf::ForOp>(loop.getOperation()))
        hoistLoads(forLoop);
    });
    if (!hasLoops)
      markAllAnalysesPreserved();
  }

  void hoistLoads(scf::ForOp loop) {
    if (writesMemory(loop))
      return;
    for (auto load : llvm::make_early_inc_range(loop.getBody()->getOps<tt::LoadOp>())) {
      bool isInvariant = llvm::all_of(load->getOperands(),
                                      [&](Value v) { return loop.isDefinedOutsideOfLoop(v); });
      // Block pointers have no mask.
      if (!isInvariant || load.getIsVolatile() || tt::isTensorPointerType(load.getPtr().getType()))
        continue;
      OpBuilder builder(loop);
      Value mask = guardedMask(load, loop, builder);
      load.getMaskMutable().assign(mask);
      load->moveBefore(loop);
    }
    moveLoopInvariantCode(cast<LoopLikeOpInterface>(loop.getOperation()));
  }
};

} // namespace
} // namespace tilescope::ttg
