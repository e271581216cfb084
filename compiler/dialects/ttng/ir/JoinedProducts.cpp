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

/// Whether the last may be computed where the first one is; what is between them is computed there, too, or looks at no memory.
static bool isReadyAt(ArrayRef<WarpGroupDotOp> before, WarpGroupDotOp last) {
  WarpGroupDotOp first = before.front();
  if (first->getBlock() != last->getBlock() || !first->isBeforeInBlock(last))
    return false;
  for (Operation *op = first->getNextNode(); op != last; op = op->getNextNode())
    if (!isMemoryEffectFree(op) && !llvm::is_contained(before, op))
      return false;
  return llvm::all_of(last->getOperands(), [&](Value operand) {
    Operation *maker = operand.getDefiningOp();
    return !maker || maker->getBlock() != first->getBlock() || maker->isBeforeInBlock(first);
  });
}

static ArrayRef<unsigned> warpsOf(WarpGroupDotOp dot) {
  return cast<ttg::NvidiaMmaEncodingAttr>(cast<RankedTensorType>(dot.getType()).getEncoding())
      .getWarpsPerCTA();
}

bool canJoin(ArrayRef<WarpGroupDotOp> before, WarpGroupDotOp next) {
  WarpGroupDotOp first = before.front();
  int64_t columns = 0;
  const auto fits = [&](WarpGroupDotOp dot) {
    if (dot.getA() != first.getA() || !hasWholeRows(dot) || !liesColumnByColumn(dot.getB()) ||
        warpsOf(dot) != warpsOf(first))
      return false;
    columns += cast<RankedTensorType>(dot.getType()).getDimSize(1);
    return true;
  };
  return llvm::all_of(before, fits) && fits(next) &&
         ttg::numCtas(first->getParentOfType<ModuleOp>()) == 1 &&
         (columns <= kMostJoinedColumns || columns % 16 == 0) && isReadyAt(before, next);
}

ttg::MemDescIndexOp slotOf(Value factor) {
  while (auto trans = factor.getDefiningOp<ttg::MemDescTransOp>())
    factor = trans.getSrc();
  return factor.getDefiningOp<ttg::MemDescIndexOp>();
}

/// Where the right factor's ring takes its turns; `ring` becomes that ring.
static std::optional<ttg::RingTurn> turnOf(WarpGroupDotOp dot, ttg::LocalAllocOp &ring) {
  const ttg::MemDescIndexOp slot = slotOf(dot.getB());
  ring = slot ? ttg::MemDescIndexOp(slot).getSrc().getDefiningOp<ttg::LocalAllocOp>()
              : ttg::LocalAllocOp();
  return ring ? ttg::ringTurnOf(ring) : std::nullopt;
}

template <typename Step> static WarpGroupDotOp neighbor(WarpGroupDotOp dot, Step step) {
  for (Operation *op = step(dot); op; op = step(op))
    if (auto found = dyn_cast<WarpGroupDotOp>(op))
      return found;
  return {};
}

SmallVector<WarpGroupDotOp> joinedWith(WarpGroupDotOp first) {
  ttg::LocalAllocOp ring;
  const auto turn = turnOf(first, ring);
  if (!turn || turn->begin != 0 || !first.getIsAsync())
    return {};
  SmallVector<WarpGroupDotOp> all{first};
  int64_t end = ttg::slotBytes(ring);
  while (WarpGroupDotOp next =
             neighbor(all.back(), [](Operation *op) { return op->getNextNode(); })) {
    const auto other = turnOf(next, ring);
    if (!other || other->group != turn->group || other->begin != end || !next.getIsAsync() ||
        slotOf(first.getB()).getIndex() != slotOf(next.getB()).getIndex() || !canJoin(all, next))
      break;
    end += ttg::slotBytes(ring);
    all.push_back(next);
  }
  all.erase(all.begin());
  return all;
}

bool isJoined(WarpGroupDotOp later) {
  ttg::LocalAllocOp ring;
  const auto turn = turnOf(later, ring);
  if (!turn || turn->begin == 0)
    return false;
  WarpGroupDotOp before = later;
  while ((before = neighbor(before, [](Operation *op) { return op->getPrevNode(); }))) {
    const auto other = turnOf(before, ring);
    if (!other || other->group != turn->group)
      return false;
    if (other->begin == 0)
      return llvm::is_contained(joinedWith(before), later);
  }
  return false;
}

} // namespace tilescope::ttng
