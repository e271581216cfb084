// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/FindHints.h"

#include "compiler/artifacts/MergedAccesses.h"
#include "compiler/hints/HintRules.h"

#include <algorithm>
#include <tuple>

namespace tilescope::compiler {

std::vector<FoundHint> findHints(HintFacts facts) {
  facts.accesses = mergeAccesses(facts.memory.accesses);
  std::vector<FoundHint> hints;
#define TILESCOPE_HINT(name, id) find##name(facts, hints);
#include "compiler/artifacts/HintKinds.def"
#undef TILESCOPE_HINT
  std::ranges::stable_sort(hints, {}, [](const FoundHint &hint) {
    return std::tuple(hint.rank, hint.kind, hint.range);
  });
  return hints;
}

} // namespace tilescope::compiler
