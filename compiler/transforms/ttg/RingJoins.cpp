// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/RingJoins.h"

#include "compiler/dialects/ttg/ir/RingTurns.h"
#include "compiler/dialects/ttng/ir/JoinedProducts.h"

using namespace mlir;

namespace tilescope::ttg {

void joinRings(scf::ForOp loop, ValueRange allRings) {
  /// Buffers of factors begin at multiples of this.
  constexpr int64_t kAlignment = 1024;
  SmallVector<ttng::WarpGroupDotOp> dots;
  SmallVector<LocalAllocOp> rings;
  Value index;
  const auto finish = [&] {
    if (rings.size() > 1)
      takeTurns(rings);
    dots.clear();
    rings.clear();
  };
  for (auto dot : loop.getBody()->getOps<ttng::WarpGroupDotOp>()) {
    MemDescIndexOp slot = ttng::slotOf(dot.getB());
    auto ring = slot && llvm::is_contained(allRings, slot.getSrc())
                    ? slot.getSrc().getDefiningOp<LocalAllocOp>()
                    : LocalAllocOp();
    const bool fits = ring && !ringTurnOf(ring) && slotBytes(ring) % kAlignment == 0;
    if (!fits || dots.empty() || slot.getIndex() != index || llvm::is_contained(rings, ring) ||
        !ttng::canJoin(dots, dot))
      finish();
    if (!fits)
      continue;
    dots.push_back(dot);
    rings.push_back(ring);
    index = slot.getIndex();
  }
  finish();
}

} // namespace tilescope::ttg
