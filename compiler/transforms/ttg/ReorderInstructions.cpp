// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Shortens the lives of large values: what makes a value larger moves down to its first use, what
// makes it no larger stays up.
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/transforms/ttg/Passes.h"

#include "mlir/IR/Dominance.h"

using namespace mlir;

namespace tilescope::ttg {

#define GEN_PASS_DEF_REORDERINSTRUCTIONS
#include "compiler/transforms/ttg/Passes.h.inc"

namespace {

/// Whether the result takes more registers than the operand it is made from.
bool growsRegisters(Operation *op) {
  if (!isa<ConvertLayoutOp, tt::BroadcastOp, tt::SplatOp, tt::ExpandDimsOp, LocalLoadOp>(op))
    return false;
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!result || !result.getEncoding())
    return false;
  auto source = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  return !source || elementsPerThread(result) > elementsPerThread(source);
}

struct ReorderInstructions : impl::ReorderInstructionsBase<ReorderInstructions> {
  void runOnOperation() override {
    moveViewsUp();
    sinkGrowth();
  }

  /// A view costs nothing; next to its source it keeps nothing alive.
  void moveViewsUp() {
    getOperation().walk([](tt::TransOp trans) {
      if (Operation *source = trans.getSrc().getDefiningOp())
        trans->moveAfter(source);
    });
  }

  void sinkGrowth() {
    SmallVector<Operation *> growing;
    getOperation().walk([&](Operation *op) {
      // Memory that is read must be read where it is.
      if (growsRegisters(op) && isMemoryEffectFree(op))
        growing.push_back(op);
    });
    // Users before their operands, so that chains move as one.
    for (Operation *op : llvm::reverse(growing)) {
      Operation *place = firstUserInBlock(op);
      if (Operation *load = place ? exchangedLoad(op) : nullptr)
        place = behindLoads(load, place);
      if (place && place != op && place->getPrevNode() != op)
        op->moveBefore(place);
    }
  }

  /// The load of the same block whose elements threads exchange; null for others.
  static Operation *exchangedLoad(Operation *op) {
    if (!isa<ConvertLayoutOp>(op))
      return nullptr;
    auto load = op->getOperand(0).getDefiningOp<tt::LoadOp>();
    return load && load->getBlock() == op->getBlock() ? load : nullptr;
  }

  /// Right behind the last load before `user`: threads wait for each other to exchange elements,
  /// which costs least while they wait for memory anyway. Right before `user` where a product comes
  /// first: memory answers during the product.
  static Operation *behindLoads(Operation *load, Operation *user) {
    Operation *last = load;
    for (Operation *next = load; next != user; next = next->getNextNode()) {
      if (isa<tt::LoadOp>(next))
        last = next;
      if (isa<tt::DotOp, ttng::WarpGroupDotOp>(next))
        return user;
    }
    return last->getNextNode();
  }

  /// The first operation of op's own block that uses the result, itself or inside; null if there is
  /// none.
  static Operation *firstUserInBlock(Operation *op) {
    Operation *first = nullptr;
    for (Operation *user : op->getUsers()) {
      Operation *here = op->getBlock()->findAncestorOpInBlock(*user);
      if (!here)
        return nullptr;
      // Work must not move into a loop, nor right before one if it is used only there: it would
      // live as long.
      if (!first || here->isBeforeInBlock(first))
        first = here;
    }
    return first;
  }
};

} // namespace
} // namespace tilescope::ttg
