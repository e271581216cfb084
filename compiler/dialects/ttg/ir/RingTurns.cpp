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

void takeTurns(ArrayRef<LocalAllocOp> rings) {
  LocalAllocOp first = rings.front();
  int64_t group = 0, pitch = 0, begin = 0;
  first->getParentOfType<tt::FuncOp>()->walk([&](LocalAllocOp other) {
    if (const auto turn = ringTurnOf(other))
      group = std::max(group, turn->group + 1);
  });
  for (LocalAllocOp ring : rings)
    pitch += slotBytes(ring);
  Builder builder(first.getContext());
  for (LocalAllocOp ring : rings) {
    ring->setAttr(kTurnAttr, builder.getDenseI64ArrayAttr({group, begin, pitch}));
    begin += slotBytes(ring);
  }
}

} // namespace tilescope::ttg
