// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

namespace tilescope::compiler {

/// A block that stays in registers must leave room for others.
static bool isLarge(const HintFacts &facts, const RepeatedLoad &load) {
  constexpr int64_t kThreads = 32, kManyBytes = 256;
  return load.blockBytes > kManyBytes * kThreads * facts.numWarps;
}

static FoundHint hintFor(const HintFacts &facts, const RepeatedLoad &load,
                         const AccessFacts &access) {
  const bool isInLoop = load.first.empty();
  FoundHint hint;
  hint.kind = HintKind::RedundantLoad;
  hint.rank = isLarge(facts, load) ? 3 : 2;
  hint.range = load.range;
  hint.message = isInLoop ? "every iteration loads the same block of " +
                                bytesText(static_cast<uint64_t>(load.blockBytes))
                          : "the block of " + bytesText(static_cast<uint64_t>(load.blockBytes)) +
                                " that line " + std::to_string(load.first.begin.line + 1) +
                                " has loaded is loaded again";
  hint.evidence.push_back("each program executes the load " +
                          numberText(executionsPerProgram(facts, load.range)) +
                          " times, and nothing in the kernel writes there");
  hint.evidence.push_back(percentText(trafficShare(facts, access)) + " of the kernel's traffic");
  hint.gain = isInLoop ? "all of these loads but the first" : "these loads";
  hint.advice = isInLoop ? "load it before the loop" : "keep the block that is there";
  hint.change = isInLoop ? ProposedChange{.kind = ChangeKind::Hoist}
                         : ProposedChange{.kind = ChangeKind::ReuseResult, .place = load.first};
  return hint;
}

void findRedundantLoad(const HintFacts &facts, std::vector<FoundHint> &hints) {
  constexpr double kLeastTraffic = 0.05, kLeastIterations = 2;
  for (const RepeatedLoad &load : facts.kernel.repeatedLoads) {
    const AccessFacts *access = accessAt(facts, load.range);
    const bool isRepeated =
        !load.first.empty() || executionsPerProgram(facts, load.range) >= kLeastIterations;
    if (access && isRepeated && trafficShare(facts, *access) >= kLeastTraffic)
      hints.push_back(hintFor(facts, load, *access));
  }
}

} // namespace tilescope::compiler
