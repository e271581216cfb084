// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

namespace tilescope::compiler {

/// The lanes leave gaps within sectors; larger ones are `uncoalesced-access`.
void findBytesUnused(const HintFacts &facts, std::vector<FoundHint> &hints) {
  constexpr double kLeastUsed = 0.25, kMostUsed = 0.6, kLeastTraffic = 0.1;
  for (const AccessFacts &access : facts.accesses) {
    if (!movesBlock(access) || access.limit->reason != WidthReason::Contiguity)
      continue;
    const double used = usedShare(access), traffic = trafficShare(facts, access);
    if (used <= kLeastUsed || used > kMostUsed || traffic < kLeastTraffic)
      continue;
    const bool isStore = access.action == MemoryAction::GlobalStore;
    FoundHint hint;
    hint.kind = HintKind::BytesUnused;
    hint.rank = facts.memory.dependsOnData ? 3 : 2;
    hint.range = access.range;
    hint.message = "requests move " + numberText(1 / used) + " times the bytes that they ask for" +
                   (access.argument.empty() ? "" : ": gaps in `" + access.argument + "`");
    hint.evidence.push_back(percentText(used) + " of the " + bytesText(access.counts.bytesFetched) +
                            " moved are used; " + percentText(traffic) +
                            " of the kernel's traffic is this access");
    hint.gain = percentText((1 - used) * traffic) + " of the kernel's traffic";
    hint.advice = isStore ? "store both halves together: `tl.join` puts neighbors side by side"
                          : "load the neighbors, too, and take them apart in registers: "
                            "`tl.split` after a reshape";
    hints.push_back(std::move(hint));
  }
}

} // namespace tilescope::compiler
