// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tilescope::compiler {
namespace {

/// Why, and what would help; the first is rank 1: one number changes it.
struct Words {
  int32_t rank = 2;
  const char *why, *advice;
};

} // namespace

static Words wordsFor(LoopObstacle obstacle) {
  switch (obstacle) {
  case LoopObstacle::Stages:
    return {1, "the loop has a single stage", "`num_stages = 3` loads two iterations ahead"};
  case LoopObstacle::Effects:
    return {2, "the loop holds another one, or something that must keep its order",
            "move what prints, asserts, waits or loops out of it"};
  case LoopObstacle::Stores:
    return {2, "the loop stores to the argument that it loads from",
            "store to another argument, or behind the loop"};
  case LoopObstacle::Narrow:
    return {2, "an asynchronous copy moves at least 4 bytes a lane",
            "let the address or the mask be known as a multiple of more elements"};
  case LoopObstacle::Other:
    return {2, "asynchronous copies fill what is masked off with zeros, and its `other` is not",
            "give it `other=0.0`, and replace the value behind the load with `tl.where`"};
  case LoopObstacle::Address:
    return {3, "its address depends on what the loop computes",
            "compute the address from the loop's counter"};
  case LoopObstacle::SharedMemory:
    return {3, "a second tile does not fit into shared memory", "choose smaller tiles"};
  }
  return {};
}

/// Threads that multiply take longer than their loads.
static bool hasTensorCores(const ComputeFacts &kernel) {
  return std::ranges::any_of(kernel.products, [](const ProductFacts &product) {
    return product.isInLoop && product.unit != ProductUnit::Threads;
  });
}

static FoundHint hintFor(const HintFacts &facts, LoopObstacle obstacle,
                         const std::vector<SourceRange> &places) {
  const Words words = wordsFor(obstacle);
  FoundHint hint;
  hint.kind = HintKind::LoopNotPipelined;
  hint.rank = words.rank;
  hint.range = places.front();
  hint.message = std::string("the product waits for this load in every iteration: ") + words.why;
  hint.evidence.push_back("each program loads and waits " +
                          numberText(executionsPerProgram(facts, places.front())) + " times");
  if (const std::string others = otherLinesText(places); !others.empty())
    hint.evidence.push_back(others);
  hint.gain = "up to the time that the loads take: they would run beside the products";
  hint.advice = words.advice;
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
