// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

namespace tilescope::compiler {

/// Where every program has a multiprocessor of its own, and some multiprocessors have none.
static void explainFew(const HintFacts &facts, uint64_t programs, FoundHint &hint) {
  const auto all = static_cast<uint64_t>(facts.device->multiprocessors);
  hint.message = "the grid has " + countText(static_cast<int64_t>(programs), "program") + ", and " +
                 facts.device->name + " has " + std::to_string(all) + " multiprocessors";
  hint.evidence.push_back(std::to_string(all - programs) + " of " + std::to_string(all) +
                          " multiprocessors have nothing to do");
  hint.gain = "up to " + percentText(1 - double(programs) / double(all)) + " of the time";
  hint.advice = "smaller blocks, or several programs for what one loops over";
}

/// Where the last wave leaves most of the multiprocessors idle.
static void explainLastWave(const HintFacts &facts, uint64_t programs, FoundHint &hint) {
  const auto all = static_cast<uint64_t>(facts.device->multiprocessors);
  const uint64_t most = (programs + all - 1) / all;
  const uint64_t last = programs - (most - 1) * all;
  hint.message = "a last wave of " + countText(static_cast<int64_t>(last), "program") +
                 " leaves most multiprocessors idle";
  hint.evidence.push_back(std::to_string(programs) + " programs on the " + std::to_string(all) +
                          " multiprocessors of " + facts.device->name + ": " +
                          std::to_string(last) + " of them run " + std::to_string(most) +
                          ", the others " + std::to_string(most - 1));
  hint.gain = "up to " + percentText(1 - double(programs) / double(most * all)) + " of the time";
  hint.advice = "blocks of another size, or as many programs as fit at once, each of which loops "
                "over its share";
}

void findIdleMultiprocessors(const HintFacts &facts, std::vector<FoundHint> &hints) {
  // Programs of later waves begin one by one: behind several waves little is lost.
  constexpr double kMostWaves = 4, kLeastIdle = 0.25;
  const uint64_t programs = facts.memory.programs;
  if (!facts.device || facts.device->blocks == 0 || programs == 0 || facts.memory.program ||
      isQuickRun(facts))
    return;
  const auto all = static_cast<uint64_t>(facts.device->multiprocessors);
  FoundHint hint;
  hint.kind = HintKind::IdleMultiprocessors;
  hint.range = facts.kernel.kernel;
  const double waves = double(programs) / double(all);
  const double idle = 1 - waves / double((programs + all - 1) / all);
  if (idle < kLeastIdle)
    return;
  if (programs < all)
    explainFew(facts, programs, hint);
  else if (programs > facts.device->atOnce() && waves <= kMostWaves)
    explainLastWave(facts, programs, hint);
  else
    return;
  hints.push_back(std::move(hint));
}

} // namespace tilescope::compiler
