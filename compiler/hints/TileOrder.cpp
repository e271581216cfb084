// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"
#include "compiler/hints/TileSets.h"

#include <algorithm>
#include <numeric>

namespace tilescope::compiler {

/// What the programs of a full wave load, on average, counted once.
static uint64_t bytesOfWave(const std::vector<ProgramFacts> &programs, uint64_t atOnce) {
  const uint64_t waves = programs.size() / atOnce;
  uint64_t sum = 0;
  std::vector<uint64_t> numbers(atOnce);
  for (uint64_t wave = 0; wave < waves; ++wave) {
    std::iota(numbers.begin(), numbers.end(), wave * atOnce);
    sum += differentBytes(programs, numbers);
  }
  return sum / waves;
}

/// The load that brings most of what programs load.
static SourceRange largestLoad(const HintFacts &facts) {
  const auto asked = [](const AccessFacts &access) {
    const bool isLoad =
        access.action == MemoryAction::GlobalLoad || access.action == MemoryAction::AsyncCopy;
    return isLoad ? access.counts.bytesAsked : 0;
  };
  return std::ranges::max_element(facts.accesses, {}, asked)->range;
}

void findTileOrder(const HintFacts &facts, std::vector<FoundHint> &hints) {
  constexpr double kLeastRatio = 1.5;
  const std::vector<ProgramFacts> &programs = facts.kernel.programs;
  if (!facts.device || facts.memory.dependsOnData || facts.accesses.empty())
    return;
  const uint64_t atOnce = facts.device->atOnce();
  if (atOnce == 0 || programs.size() <= atOnce)
    return;
  // What fits into the cache is read from memory once, in any order.
  if (facts.arrayBytes <= facts.device->cacheBytes ||
      bytesFetched(facts) <= facts.device->cacheBytes)
    return;
  const uint64_t bytes = bytesOfWave(programs, atOnce);
  if (bytes <= facts.device->cacheBytes)
    return;
  const std::optional<uint64_t> columns = rowLength(programs);
  const auto best = columns ? bestRectangle(programs, *columns, atOnce) : std::nullopt;
  if (!best || double(bytes) < kLeastRatio * double(best->bytes))
    return;
  FoundHint hint;
  hint.kind = HintKind::TileOrder;

  hint.range = largestLoad(facts);
  hint.message = "programs that run at the same time share few tiles: what they load does not fit "
                 "into the L2 cache";
  hint.evidence.push_back("the " + std::to_string(atOnce) + " programs that " + facts.device->name +
                          " runs at once load " + bytesText(bytes) +
                          " that differ; its cache holds " + bytesText(facts.device->cacheBytes));
  hint.evidence.push_back("as " + countText(static_cast<int64_t>(best->rows), "row") + " of " +
                          std::to_string(best->columns) + " tiles they would load " +
                          bytesText(best->bytes));
  hint.gain =
      "up to " + numberText(double(bytes) / double(best->bytes)) + " times less from memory";
  hint.advice = "visit tiles in bands of " + countText(static_cast<int64_t>(best->rows), "row") +
                ": `tl.swizzle2d`; the Programs view shows the order";
  hints.push_back(std::move(hint));
}

} // namespace tilescope::compiler
