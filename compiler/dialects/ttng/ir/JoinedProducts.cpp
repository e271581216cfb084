// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttng/ir/JoinedProducts.h"

#include "compiler/dialects/ttg/ir/RingTurns.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilescope::ttng {

/// Columns of an instruction at most.
static constexpr int64_t kMostJoinedColumns = 256;

/// Whether each group of warps has all columns of its rows, of products in fp32 of 16-bit factors.
static bool hasWholeRows(WarpGroupDotOp dot) {
  auto type = cast<RankedTensorType>(dot.getType());
  auto mma = dyn_cast<ttg::NvidiaMmaEncodingAttr>(type.getEncoding());
  return mma && mma.getVersionMajor() == 3 && mma.getWarpsPerCTA().back() == 1 &&
         mma.getInstrShape().size() == 3 && int64_t(mma.getInstrShape()[1]) == type.getDimSize(1) &&
         type.getDimSize(1) <= kMostJoinedColumns && type.getElementType().isF32() &&
         !dot.getUseC() && isa<ttg::MemDescType>(dot.getA().getType()) &&
         getElementTypeOrSelf(dot.getB().getType()).getIntOrFloatBitWidth() == 16;
}

/// Whether its columns are rows of shared memory, one behind the other.
static bool liesColumnByColumn(Value factor) {
  auto type = cast<ttg::MemDescType>(factor.getType());
  auto encoding = dyn_cast<ttg::NvmmaSharedEncodingAttr>(type.getEncoding());
  return encoding && encoding.getTransposed() && !encoding.getFp4Padded() &&
         int64_t(encoding.getSwizzlingByteWidth()) ==
             type.getDimSize(0) * type.getElementTypeBitWidth() / 8;
}

/// Whether the second may be computed where the first one is.
static bool isReadyAt(WarpGroupDotOp first, WarpGroupDotOp second) {
  if (first->getBlock() != second->getBlock() || !first->isBeforeInBlock(second))
    return false;
  for (Operation *op = first->getNextNode(); op != second; op = op->getNextNode())
    if (!isMemoryEffectFree(op))
      return false;
  return llvm::all_of(second->getOperands(), [&](Value operand) {
    Operation *maker = operand.getDefiningOp();
    return !maker || maker->getBlock() != first->getBlock() || maker->isBeforeInBlock(first);
  });
}

bool canJoin(WarpGroupDotOp first, WarpGroupDotOp second) {
  if (first.getA() != second.getA() || !hasWholeRows(first) || !hasWholeRows(second) ||
      !liesColumnByColumn(first.getB()) || !liesColumnByColumn(second.getB()) ||
      ttg::numCtas(first->getParentOfType<ModuleOp>()) != 1)
    return false;
  auto type = cast<RankedTensorType>(first.getType()),
       other = cast<RankedTensorType>(second.getType());
  const auto warps = [](RankedTensorType each) {
    return cast<ttg::NvidiaMmaEncodingAttr>(each.getEncoding()).getWarpsPerCTA();
  };
  const int64_t columns = type.getDimSize(1) + other.getDimSize(1);
  return llvm::equal(warps(type), warps(other)) &&
         (columns <= kMostJoinedColumns || columns % 16 == 0) && isReadyAt(first, second);
}

static std::pair<ttg::LocalAllocOp, Value> slotOf(Value factor) {
  auto slot = factor.getDefiningOp<ttg::MemDescIndexOp>();
  if (!slot)
    return {};
  return {slot.getSrc().getDefiningOp<ttg::LocalAllocOp>(), slot.getIndex()};
}

template <typename Step> static WarpGroupDotOp neighbor(WarpGroupDotOp dot, Step step) {
  for (Operation *op = step(dot); op; op = step(op))
    if (auto found = dyn_cast<WarpGroupDotOp>(op))
      return found;
  return {};
}

WarpGroupDotOp joinedWith(WarpGroupDotOp first) {
  const auto [ring, slot] = slotOf(first.getB());
  const auto turn = ring ? ttg::ringTurnOf(ring) : std::nullopt;
  if (!turn || turn->begin != 0 || !first.getIsAsync())
    return {};
  WarpGroupDotOp second = neighbor(first, [](Operation *op) { return op->getNextNode(); });
  if (!second || !second.getIsAsync() || !canJoin(first, second))
    return {};
  const auto [otherRing, otherSlot] = slotOf(second.getB());
  const auto other = otherRing ? ttg::ringTurnOf(otherRing) : std::nullopt;
  const bool follows = other && other->pair == turn->pair && other->begin == ttg::slotBytes(ring);
  return follows && slot == otherSlot ? second : WarpGroupDotOp();
}

bool isJoined(WarpGroupDotOp second) {
  WarpGroupDotOp first = neighbor(second, [](Operation *op) { return op->getPrevNode(); });
  return first && joinedWith(first) == second;
}

} // namespace tilescope::ttng
