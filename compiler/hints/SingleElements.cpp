// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

#include <algorithm>

namespace tilescope::compiler {

static bool isOfOneElement(const AccessFacts &access) {
  return access.limit && access.limit->reason == WidthReason::Scalar && access.isInLoop;
}

void findSingleElements(const HintFacts &facts, std::vector<FoundHint> &hints) {
  // A loop over a few numbers, such as the sizes of groups, is no loop over data.
  constexpr uint64_t kMany = 64;
  // A kernel without blocks, in a grid of one program.
  if (facts.kernel.largestBlock > 1 || facts.memory.programs != 1 || facts.memory.program)
    return;
  const AccessFacts *most = nullptr;
  for (const AccessFacts &access : facts.accesses)
    if (isOfOneElement(access) && (!most || most->executions < access.executions))
      most = &access;
  if (!most || most->executions < kMany)
    return;
  FoundHint hint;
  hint.kind = HintKind::SingleElements;
  hint.rank = 1;
  hint.range = most->range;
  hint.message = "one program goes over the data, one element at a time";
  hint.evidence.push_back("it executes this " + std::to_string(most->executions) +
                          " times, one behind the other: a GPU has thousands of threads");
  hint.gain = "nearly all of the time";
  hint.advice = "a block of elements for each program: `i = tl.program_id(0) * BLOCK + "
                "tl.arange(0, BLOCK)`, with `mask=i < n` for loads and stores, and a grid of "
                "`cdiv(n, BLOCK)` programs";
  hints.push_back(std::move(hint));
}

} // namespace tilescope::compiler
