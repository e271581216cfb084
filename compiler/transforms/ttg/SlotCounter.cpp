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

/// The parity for the slot behind this one, which `made` has been computed with: it changes where the ring begins anew.
static Value followingParity(OpBuilder &b, Location loc, Value parity,
                             SmallVector<Operation *> &made) {
  auto wrapped = cast<arith::SelectOp>(made.back());
  Value one = arith::ConstantIntOp::create(b, loc, 1, 32);
  Value other = arith::XOrIOp::create(b, loc, parity, one);
  Value next = arith::SelectOp::create(b, loc, wrapped.getCondition(), other, parity);
  for (Value value : {one, other, next})
    made.push_back(value.getDefiningOp());
  return next;
}

SmallVector<SlotCounter> addSlotCounters(IRRewriter &rewriter, scf::ForOp &loop,
                                         ArrayRef<int> lengths, bool withParity) {
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  SmallVector<SlotCounter> counters(lengths.size());
  SmallVector<Value> ends;
  for (int length : lengths)
    ends.push_back(arith::ConstantIntOp::create(rewriter, loc, length, 32));
  const size_t each = withParity ? 3 : 2;
  SmallVector<Value> starts(each * lengths.size(),
                            arith::ConstantIntOp::create(rewriter, loc, 0, 32));
  auto yields = [&](OpBuilder &b, Location, ArrayRef<BlockArgument> slots) {
    SmallVector<Value> next;
    for (auto [i, counter] : llvm::enumerate(counters)) {
      next.push_back(following(b, loc, slots[each * i], ends[i], counter.nextFilled));
      next.push_back(following(b, loc, slots[each * i + 1], ends[i], counter.nextRead));
      if (withParity)
        next.push_back(followingParity(b, loc, slots[each * i + 2], counter.nextRead));
    }
    return next;
  };
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, starts, /*replaceInitOperandUses=*/false, yields));
  auto slots = loop.getRegionIterArgs().take_back(starts.size());
  for (auto [i, counter] : llvm::enumerate(counters)) {
    counter.length = lengths[i];
    counter.filled = slots[each * i];
    counter.read = slots[each * i + 1];
    if (withParity)
      counter.parity = slots[each * i + 2];
  }
  return counters;
}

} // namespace tilescope::ttg
