// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

#include <algorithm>

namespace tilescope::compiler {

void findMaskAlwaysTrue(const HintFacts &facts, std::vector<FoundHint> &hints) {
  std::vector<SourceRange> seen;
  for (const MaskFacts &mask : facts.kernel.masks) {
    if (!mask.isAlwaysTrue || std::ranges::find(seen, mask.range) != seen.end())
      continue;
    seen.push_back(mask.range);
    FoundHint hint;
    hint.kind = HintKind::MaskAlwaysTrue;
    hint.rank = 3;
    hint.range = mask.range;
    hint.message = "the mask is true for every element, whatever the arguments are";
    hint.evidence.push_back("its index never reaches its bound for these constexprs; " +
                            countText(mask.elements, "element") + " a block");
    hint.gain = "a comparison for each element, and the registers of the mask";
    hint.advice = "leave the mask out";
    hint.change = ProposedChange{.kind = ChangeKind::DropArguments, .names = {"mask", "other"}};
    hints.push_back(std::move(hint));
  }
}

} // namespace tilescope::compiler
