// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"

namespace tilescope::compiler {

void findUnusedArgument(const HintFacts &facts, std::vector<FoundHint> &hints) {
  for (const std::string &name : facts.kernel.unusedArguments) {
    FoundHint hint;
    hint.kind = HintKind::UnusedArgument;
    hint.range = facts.kernel.kernel;
    const bool isNamed = !facts.names || facts.names->contains(name);
    // Other constexprs may use what stands in a branch.
    const bool isChosen = !facts.chosenNames || facts.chosenNames->contains(name);
    hint.message = "`" + name + "` is not used";
    if (isNamed && isChosen && facts.hasConstexprs)
      hint.message += " with these constexprs";
    else if (isNamed && !isChosen)
      hint.message += ": the kernel names it, but nothing that it does depends on it";
    hint.gain = "an argument of every launch, and a specialization for each of its kinds of values";
    hint.advice = "leave it out, or make it a `tl.constexpr` that is None";
    hints.push_back(std::move(hint));
  }
}

} // namespace tilescope::compiler
