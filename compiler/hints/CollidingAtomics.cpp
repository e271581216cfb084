// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

namespace tilescope::compiler {

void findCollidingAtomics(const HintFacts &facts, std::vector<FoundHint> &hints) {
  constexpr double kFewLanes = 2;
  for (const AccessFacts &access : facts.accesses) {
    const bool isAtomic = access.action == MemoryAction::GlobalAtomic ||
                          access.action == MemoryAction::GlobalReduction;
    const AccessCounts &counts = access.counts;
    if (!isAtomic || counts.bytesUsed == 0)
      continue;
    const double lanes = double(counts.bytesAsked) / double(counts.bytesUsed);
    if (lanes < kFewLanes)
      continue;
    FoundHint hint;
    hint.kind = HintKind::CollidingAtomics;
    hint.rank = 2;
    hint.range = access.range;
    hint.message = "lanes of one request update the same element" +
                   (access.argument.empty() ? "" : " of `" + access.argument + "`");
    hint.evidence.push_back("on average " + numberText(lanes) + " lanes meet in an element, in " +
                            countText(static_cast<int64_t>(counts.requests), "request"));
    hint.gain = "up to " + numberText(lanes) + " times fewer updates";
    hint.advice = "reduce within the block first: `tl.sum`, or `tl.histogram` where elements are "
                  "counted";
    hints.push_back(std::move(hint));
  }
}

} // namespace tilescope::compiler
