// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/LoopFacts.h"
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"
#include "compiler/hints/Padding.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tilescope::compiler {

/// The first is certain to pay: one number changes it.
static int32_t rankOf(LoopObstacle obstacle) {
  switch (obstacle) {
  case LoopObstacle::Stages:
    return 1;
  case LoopObstacle::Address:
  case LoopObstacle::SharedMemory:
    return 3;
  default:
    return 2;
  }
}

/// Threads that multiply take longer than their loads.
static bool hasTensorCores(const ComputeFacts &kernel) {
  return std::ranges::any_of(kernel.products, [](const ProductFacts &product) {
    return product.isInLoop && product.unit != ProductUnit::Threads;
  });
}

/// What makes the load narrow, and the argument that would change it.
static void addNarrowness(const HintFacts &facts, const std::vector<SourceRange> &places,
                          FoundHint &hint) {
  const AccessFacts *access = accessAt(facts, places.front());
  if (!access)
    return;
  hint.message += ", and this load " + std::to_string(access->vectorBytes) + ": " +
                  describe(*access->limit, access->elementBytes);
  if (!isNarrow(facts, *access))
    return;
  if (std::optional<PaddedArgument> argument = paddedArgument(facts, *access))
    hint.padding = Padding{places, {std::move(*argument)}};
}

static FoundHint hintFor(const HintFacts &facts, LoopObstacle obstacle,
                         const std::vector<SourceRange> &places) {
  FoundHint hint;
  hint.kind = HintKind::LoopNotPipelined;
  hint.rank = rankOf(obstacle);
  hint.range = places.front();
  hint.message = "the product waits for this load in every iteration: ";
  hint.message += loopObstacleText(obstacle);
  if (obstacle == LoopObstacle::Narrow)
    addNarrowness(facts, places, hint);
  hint.evidence.push_back("each program loads and waits " +
                          numberText(executionsPerProgram(facts, places.front())) + " times");
  if (const std::string others = otherLinesText(places); !others.empty())
    hint.evidence.push_back(others);
  hint.gain = "up to the time that the loads take: they would run beside the products";
  hint.advice = loopObstacleAdvice(obstacle);
  if (obstacle == LoopObstacle::Stages)
    hint.change = ProposedChange{.kind = ChangeKind::Option, .name = "num_stages", .value = "3"};
  return hint;
}

void findLoopNotPipelined(const HintFacts &facts, std::vector<FoundHint> &hints) {
  // A shorter loop ends before loading ahead has begun.
  constexpr double kLeastIterations = 4;
  if (!hasTensorCores(facts.kernel))
    return;
  // By loop and cause.
  std::map<std::pair<SourceRange, LoopObstacle>, std::vector<SourceRange>> loads;
  for (const WaitingLoad &load : facts.kernel.waitingLoads)
    if (executionsPerProgram(facts, load.range) >= kLeastIterations)
      loads[{load.loop, load.obstacle}].push_back(load.range);
  for (auto &[loop, places] : loads) {
    std::ranges::sort(places);
    hints.push_back(hintFor(facts, loop.second, places));
  }
}

} // namespace tilescope::compiler
