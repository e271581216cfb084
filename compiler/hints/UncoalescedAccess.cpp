// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/AccessFacts.h"
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

#include <algorithm>

namespace tilescope::compiler {

/// How many times fewer sectors hold the same bytes: a request touches one at least, of however few
/// lanes it is.
static double gainOf(const AccessCounts &counts) {
  const double fewest = std::max(double(counts.requests), double(counts.bytesUsed) / 32);
  return fewest > 0 ? double(counts.sectors) / fewest : 0;
}

/// Neighboring lanes are neighbors in no part of a sector, and the access matters. Backwards they are
/// neighbors all the same.
static bool isUncoalesced(const HintFacts &facts, const AccessFacts &access) {
  constexpr double kMostUsed = 0.25, kLeastTraffic = 0.1, kLeastGain = 2;
  return movesBlock(access) && access.limit->reason == WidthReason::Contiguity &&
         !access.limit->isReversed && usedShare(access) <= kMostUsed &&
         gainOf(access.counts) >= kLeastGain && trafficShare(facts, access) >= kLeastTraffic;
}

static FoundHint hintFor(const HintFacts &facts, const AccessFacts &access) {
  const AccessCounts &counts = access.counts;
  const bool isStore = access.action == MemoryAction::GlobalStore;
  const std::string what =
      access.argument.empty() ? "elements" : "elements of `" + access.argument + "`";
  FoundHint hint;
  hint.kind = HintKind::UncoalescedAccess;
  // Which elements data selects is not the kernel's choice.
  hint.rank = facts.memory.dependsOnData ? 3 : 1;
  hint.range = access.range;
  hint.message = std::string("the lanes of a warp ") + (isStore ? "store " : "load ") + what +
                 " that lie apart in memory";
  hint.evidence.push_back("a request touches " +
                          numberText(double(counts.sectors) / double(counts.requests)) +
                          " sectors of 32 bytes, and the bytes that it asks for would fill " +
                          numberText(double(counts.bytesUsed) / 32 / double(counts.requests)));
  hint.evidence.push_back(percentText(usedShare(access)) + " of the " +
                          bytesText(counts.bytesFetched) + " moved are used; " +
                          percentText(trafficShare(facts, access)) +
                          " of the kernel's traffic is this access");
  hint.gain = "up to " + numberText(gainOf(counts)) + " times fewer sectors";
  if (!access.limit->hiddenBy.empty()) {
    hint.evidence.push_back(describe(*access.limit, access.elementBytes));
    hint.advice = "give rows and columns a dimension of the block each, in place of " +
                  hidingText(*access.limit);
    return hint;
  }
  if (access.limit->rank == 1 && !isStore) {
    hint.advice =
        "let a block be of elements that are neighbors in memory; if the kernel needs what lies "
        "between, too, load it all and take it apart in registers: `tl.split` after a reshape";
    return hint;
  }
  hint.advice = "let the dimension along which elements are neighbors in memory be one along which "
                "the block is wide";
  return hint;
}

void findUncoalescedAccess(const HintFacts &facts, std::vector<FoundHint> &hints) {
  for (const AccessFacts &access : facts.accesses)
    if (isUncoalesced(facts, access))
      hints.push_back(hintFor(facts, access));
}

} // namespace tilescope::compiler
