// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

namespace tilescope::compiler {

void findInvariantScalarLoad(const HintFacts &facts, std::vector<FoundHint> &hints) {
  constexpr double kLeastIterations = 2;
  for (const SourceRange &place : facts.kernel.invariantLoads) {
    const double iterations = executionsPerProgram(facts, place);
    if (iterations < kLeastIterations)
      continue;
    FoundHint hint;
    hint.kind = HintKind::InvariantScalarLoad;
    hint.range = place;
    hint.message = "every iteration loads the same element";
    hint.evidence.push_back("each program executes the load " + numberText(iterations) + " times");
    hint.gain = "a wait for memory in every iteration";
    hint.advice = "load it before the loop";
    hints.push_back(std::move(hint));
  }
}

} // namespace tilescope::compiler
