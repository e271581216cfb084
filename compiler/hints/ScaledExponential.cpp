// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

namespace tilescope::compiler {

void findScaledExponential(const HintFacts &facts, std::vector<FoundHint> &hints) {
  for (const ScaledExponential &found : facts.kernel.scaledExponentials) {
    FoundHint hint;
    hint.kind = HintKind::ScaledExponential;
    hint.range = found.range;
    hint.message = "each `exp` multiplies by log2(e) what line " +
                   std::to_string(found.factor.begin.line + 1) + " has already scaled";
    hint.evidence.push_back("the GPU has an instruction for powers of 2 alone; " +
                            countText(found.elements, "element") +
                            " in every iteration, beside products");
    hint.gain = "a multiplication for each element";
    hint.advice = "`tl.exp2`, with 1.4426950408889634 as a part of the factor";
    hints.push_back(std::move(hint));
  }
}

} // namespace tilescope::compiler
