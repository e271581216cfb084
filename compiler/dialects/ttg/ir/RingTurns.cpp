// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/RingTurns.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilescope::ttg {

static constexpr llvm::StringLiteral kTurnAttr = "allocation.turn";

std::optional<RingTurn> ringTurnOf(LocalAllocOp ring) {
  auto turn = ring->getAttrOfType<DenseI64ArrayAttr>(kTurnAttr);
  if (!turn || turn.size() != 3)
    return std::nullopt;
  return RingTurn{turn[0], turn[1], turn[2]};
}

int64_t slotBytes(LocalAllocOp ring) {
  const MemDescType type = ring.getType();
  return ShapedType::getNumElements(type.getShape().drop_front()) * type.getElementTypeBitWidth() /
         8;
}

void takeTurns(LocalAllocOp first, LocalAllocOp second) {
  int64_t pair = 0;
  first->getParentOfType<tt::FuncOp>()->walk([&](LocalAllocOp other) {
    if (const auto turn = ringTurnOf(other))
      pair = std::max(pair, turn->pair + 1);
  });
  const int64_t begin = slotBytes(first), pitch = begin + slotBytes(second);
  Builder builder(first.getContext());
  first->setAttr(kTurnAttr, builder.getDenseI64ArrayAttr({pair, 0, pitch}));
  second->setAttr(kTurnAttr, builder.getDenseI64ArrayAttr({pair, begin, pitch}));
}

} // namespace tilescope::ttg
