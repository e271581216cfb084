// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"

namespace tilescope::compiler {

void findUnusedArgument(const HintFacts &facts, std::vector<FoundHint> &hints) {
  for (const std::string &name : facts.kernel.unusedArguments) {
    FoundHint hint;
    hint.kind = HintKind::UnusedArgument;
    hint.range = facts.kernel.kernel;
    // Other constexprs do not use what the body does not name.
    const bool isNamed = !facts.names || facts.names->contains(name);
    hint.message = "`" + name + "` is not used" +
                   (facts.hasConstexprs && isNamed ? " with these constexprs" : "");
    hint.gain = "an argument of every launch, and a specialization for each of its kinds of values";
    hint.advice = "leave it out, or make it a `tl.constexpr` that is None";
    hints.push_back(std::move(hint));
  }
}

} // namespace tilescope::compiler
