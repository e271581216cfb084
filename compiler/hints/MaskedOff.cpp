// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

#include <algorithm>
#include <bit>
#include <map>

namespace tilescope::compiler {
namespace {

/// Masked accesses to blocks of one size.
struct Group {
  std::vector<SourceRange> places;
  uint64_t elements = 0, on = 0;
};

} // namespace

/// The access of a mask, if all its executions are the kernel's own: copies of pipelined loops are
/// also masked where there is nothing left to load.
static const AccessFacts *accessOf(const HintFacts &facts, const MaskFacts &mask) {
  const auto found = std::ranges::find_if(facts.accesses, [&](const AccessFacts &access) {
    return access.range == mask.range && access.operation == mask.operation && movesBlock(access);
  });
  return found == facts.accesses.end() || found->elementBytes == 0 ? nullptr : &*found;
}

/// How many threads load the same element: a block of fewer elements than threads is in several of them. Of
/// a store, one of them does it.
static uint64_t numCopies(const HintFacts &facts, const AccessFacts &access, int64_t elements) {
  const int64_t threads = int64_t(32) * facts.numWarps;
  return access.action == MemoryAction::GlobalLoad && elements < threads
             ? static_cast<uint64_t>(threads / elements)
             : 1;
}

void findMaskedOff(const HintFacts &facts, std::vector<FoundHint> &hints) {
  constexpr double kMostOff = 0.25;
  constexpr int64_t kSmallBlock = 32;
  std::map<int64_t, Group> groups;
  for (const MaskFacts &mask : facts.kernel.masks) {
    const AccessFacts *access = accessOf(facts, mask);
    if (!access || mask.elements < kSmallBlock)
      continue;
    Group &group = groups[mask.elements];
    group.places.push_back(mask.range);
    group.elements += access->executions * static_cast<uint64_t>(mask.elements);
    group.on += access->counts.bytesAsked / static_cast<uint64_t>(access->elementBytes) /
                numCopies(facts, *access, mask.elements);
  }
  for (const auto &[elements, group] : groups) {
    const double on = std::min(1.0, double(group.on) / double(group.elements));
    if (1 - on <= kMostOff)
      continue;
    FoundHint hint;
    hint.kind = HintKind::MaskedOff;
    hint.rank = 2;
    hint.range = group.places.front();
    hint.message = "masks leave out " + percentText(1 - on) + " of the blocks of " +
                   countText(elements, "element");
    hint.evidence.push_back(std::to_string(group.on) + " of " + std::to_string(group.elements) +
                            " elements are on, in all programs");
    if (const std::string others = otherLinesText(group.places); !others.empty())
      hint.evidence.push_back(others);
    hint.gain = "lanes compute all elements, those that are off, too: up to " +
                percentText(1 - on) + " of the work on these blocks";
    // Of one block, rounded up.
    const uint64_t onEach =
        (group.on * static_cast<uint64_t>(elements) + group.elements - 1) / group.elements;
    const uint64_t enough = std::bit_ceil(onEach);
    hint.advice =
        enough < static_cast<uint64_t>(elements)
            ? "choose smaller blocks: " + countText(static_cast<int64_t>(enough), "element") +
                  (enough == 1 ? " holds the " : " hold the ") + std::to_string(onEach) +
                  " that are on in each, on average"
            : "choose blocks that divide the size, or loop over smaller ones";
    hints.push_back(std::move(hint));
  }
}

} // namespace tilescope::compiler
