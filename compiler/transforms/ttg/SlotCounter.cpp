// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/SlotCounter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace tilescope::ttg {

/// The slot behind this one, around the ring.
static Value following(OpBuilder &b, Location loc, Value slot, Value length,
                       SmallVector<Operation *> &made) {
  Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
  Value one = arith::ConstantIntOp::create(b, loc, 1, 32);
  Value sum = arith::AddIOp::create(b, loc, slot, one);
  Value isEnd = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, sum, length);
  Value wrapped = arith::SelectOp::create(b, loc, isEnd, zero, sum);
  for (Value value : {zero, one, sum, isEnd, wrapped})
    made.push_back(value.getDefiningOp());
  return wrapped;
}

SmallVector<SlotCounter> addSlotCounters(IRRewriter &rewriter, scf::ForOp &loop,
                                         ArrayRef<int> lengths) {
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  SmallVector<SlotCounter> counters(lengths.size());
  SmallVector<Value> ends;
  for (int length : lengths)
    ends.push_back(arith::ConstantIntOp::create(rewriter, loc, length, 32));
  SmallVector<Value> starts(2 * lengths.size(), arith::ConstantIntOp::create(rewriter, loc, 0, 32));
  auto yields = [&](OpBuilder &b, Location, ArrayRef<BlockArgument> slots) {
    SmallVector<Value> next;
    for (auto [i, counter] : llvm::enumerate(counters)) {
      next.push_back(following(b, loc, slots[2 * i], ends[i], counter.nextFilled));
      next.push_back(following(b, loc, slots[2 * i + 1], ends[i], counter.nextRead));
    }
    return next;
  };
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, starts, /*replaceInitOperandUses=*/false, yields));
  auto slots = loop.getRegionIterArgs().take_back(starts.size());
  for (auto [i, counter] : llvm::enumerate(counters)) {
    counter.length = lengths[i];
    counter.filled = slots[2 * i];
    counter.read = slots[2 * i + 1];
  }
  return counters;
}

} // namespace tilescope::ttg
