// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

#include <algorithm>

namespace tilescope::compiler {

/// Bytes of a program that are on their way at the same time, at most: loads outside of loops, or
/// those of one iteration and the copies ahead of it.
static double bytesUnderWay(const HintFacts &facts) {
  double outside = 0, inside = 0;
  int32_t stages = 1;
  for (const PipelineFacts &pipeline : facts.memory.pipelines)
    stages = std::max(stages, pipeline.stages);
  for (const AccessFacts &access : facts.accesses) {
    if (!movesBlock(access) || access.action == MemoryAction::GlobalStore)
      continue;
    // Warps beyond the block's end load copies.
    const double block = double(facts.kernel.largestBlock * access.elementBytes);
    (access.isInLoop ? inside : outside) += std::min(block, bytesPerExecution(access));
  }
  return std::max(outside, inside * stages);
}

static std::optional<ProposedChange> fewerWarps(const HintFacts &facts) {
  constexpr int64_t kThreads = 32;
  const int64_t warps = facts.kernel.largestBlock / kThreads;
  if (warps < 1 || warps >= facts.numWarps)
    return std::nullopt;
  return ProposedChange{
      .kind = ChangeKind::Option, .name = "num_warps", .value = std::to_string(warps)};
}

void findSmallBlock(const HintFacts &facts, std::vector<FoundHint> &hints) {
  // A multiprocessor's share of the bandwidth, times the time that a load takes, is about 16 KiB;
  // with half of that it gets half of the bandwidth.
  constexpr double kEnough = 16 * 1024, kFew = kEnough / 2;
  if (!facts.device || facts.device->blocks == 0 || !facts.kernel.products.empty() ||
      facts.memory.programs < static_cast<uint64_t>(facts.device->multiprocessors))
    return;
  const double each = bytesUnderWay(facts);
  const double all = each * facts.device->blocks;
  if (each == 0 || all >= kFew)
    return;
  FoundHint hint;
  hint.kind = HintKind::SmallBlock;
  hint.rank = 2;
  hint.range = facts.kernel.kernel;
  hint.message = "a program has " + bytesText(static_cast<uint64_t>(each)) +
                 " under way at a time: too few to keep memory busy";
  hint.evidence.push_back(countText(facts.device->blocks, "program") + " of " +
                          countText(facts.numWarps, "warp") + " fit on a multiprocessor of " +
                          facts.device->name + ": " + bytesText(static_cast<uint64_t>(all)) +
                          " under way, and it takes about " +
                          bytesText(static_cast<uint64_t>(kEnough)));
  hint.gain = "up to " + numberText(kEnough / all) + " times the bandwidth";
  hint.change = fewerWarps(facts);
  hint.advice = hint.change ? "larger blocks, or fewer warps: some have no elements"
                            : "larger blocks, so that every thread loads several elements before "
                              "it waits";
  hints.push_back(std::move(hint));
}

} // namespace tilescope::compiler
