// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

namespace tilescope::compiler {

/// Passes through shared memory and, at four sectors each, through the first cache.
static uint64_t passesOf(const HintFacts &facts) {
  uint64_t passes = 0;
  for (const AccessFacts &access : facts.accesses)
    passes += isShared(access.action) ? access.counts.wavefronts : access.counts.sectors / 4;
  return passes;
}

void findBankConflicts(const HintFacts &facts, std::vector<FoundHint> &hints) {
  // A load of 16 bytes at one address for all lanes takes two passes, and cannot take fewer.
  constexpr uint64_t kMostWays = 2;
  constexpr double kLeastShare = 0.1;
  const uint64_t all = passesOf(facts);
  for (const AccessFacts &access : facts.accesses) {
    const AccessCounts &counts = access.counts;
    if (!isShared(access.action) || counts.minimumWavefronts == 0 ||
        counts.wavefronts <= kMostWays * counts.minimumWavefronts)
      continue;
    const uint64_t lost = counts.wavefronts - counts.minimumWavefronts;
    const double share = double(lost) / double(all);
    if (share < kLeastShare)
      continue;
    FoundHint hint;
    hint.kind = HintKind::BankConflicts;
    // Of how its warps share a reduction, a kernel decides less.
    const bool isReduction = access.operation == "tt.reduce" || access.operation == "tt.scan";
    hint.rank = isReduction ? 3 : 2;
    hint.range = access.range;
    hint.message = "banks conflict: this " + std::string(memoryActionName(access.action)) +
                   " takes " +
                   numberText(double(counts.wavefronts) / double(counts.minimumWavefronts)) +
                   " times as many passes as its bytes need";
    hint.evidence.push_back(std::to_string(counts.wavefronts) + " wavefronts, at least " +
                            std::to_string(counts.minimumWavefronts) + ", for `" +
                            access.operation + "`");
    hint.gain = percentText(share) + " of the passes through shared memory and the first cache";
    hint.advice = isReduction
                      ? "fewer warps along what is reduced: a smaller `num_warps`, or a block "
                        "that is longer along the rest"
                      : "the Layout view shows the change of layout that leads to it; hints on "
                        "conversions say where it comes from";
    hints.push_back(std::move(hint));
  }
}

} // namespace tilescope::compiler
