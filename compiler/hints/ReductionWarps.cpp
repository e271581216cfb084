// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace tilescope::compiler {

static int64_t elementsOf(const ReductionFacts &reduction) {
  return std::accumulate(reduction.shape.begin(), reduction.shape.end(), int64_t{1},
                         std::multiplies());
}

void findReductionWarps(const HintFacts &facts, std::vector<FoundHint> &hints) {
  // Elements of a thread: with fewer it waits longer for the others than it works.
  constexpr int64_t kLanes = 32, kFew = 1, kEnough = 4;
  std::vector<SourceRange> places;
  const ReductionFacts *first = nullptr;
  for (const ReductionFacts &reduction : facts.kernel.reductions) {
    const int64_t warps = reduction.shares[static_cast<size_t>(reduction.axis)].warps;
    const int64_t elements = elementsOf(reduction);
    // Other blocks may need the warps.
    if (warps < facts.numWarps || warps < 2 || elements < facts.kernel.largestBlock ||
        elements > kFew * kLanes * facts.numWarps)
      continue;
    first = first ? first : &reduction;
    places.push_back(reduction.range);
  }
  if (!first)
    return;
  const int64_t elements = elementsOf(*first);
  const int64_t enough = std::max<int64_t>(1, elements / (kLanes * kEnough));
  FoundHint hint;
  hint.kind = HintKind::ReductionWarps;
  hint.range = first->range;
  hint.message = countText(facts.numWarps, "warp") + " reduce a block of " +
                 countText(elements, "element") + " together";
  hint.evidence.push_back(
      std::string(elements < kLanes * facts.numWarps ? "some threads have no element"
                                                     : "a thread has one element") +
      ", and warps exchange their results through shared memory, with a barrier");
  if (const std::string others = otherLinesText(places); !others.empty())
    hint.evidence.push_back(others);
  hint.gain = enough == 1 ? "the barriers: one warp reduces by exchanges between its lanes"
                          : "waiting at barriers";
  hint.advice = "`num_warps = " + std::to_string(enough) + "`";
  hint.change = ProposedChange{
      .kind = ChangeKind::Option, .name = "num_warps", .value = std::to_string(enough)};
  hints.push_back(std::move(hint));
}

} // namespace tilescope::compiler
