// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"
#include "compiler/hints/Padding.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tilescope::compiler {
namespace {

/// Accesses that one argument keeps narrow.
struct Group {
  std::vector<const AccessFacts *> accesses;
  double traffic = 0;
};

} // namespace

/// 1 where the launch has what the kernel does not know, 2 where lanes get in each other's way. What
/// no argument decides may be as it has to be.
static int32_t rankOf(const HintFacts &facts, const AccessFacts &access) {
  constexpr double kWasteful = 0.5;
  if (access.limit->argument.empty())
    return 3;
  if (isSpecializationLost(facts, access.limit->argument))
    return 1;
  return usedShare(access) <= kWasteful || access.vectorBytes < 4 ? 2 : 3;
}

/// Whether there is something to be said against it. Nothing makes the elements of a mask alike that
/// do not end with an argument.
static bool isAdvised(const HintFacts &facts, const AccessFacts &access) {
  if (!isNarrow(facts, access))
    return false;
  return access.limit->argument.empty() ? access.limit->reason == WidthReason::Divisibility
                                        : paddedArgument(facts, access).has_value();
}

static FoundHint hintFor(const HintFacts &facts, const Group &group) {
  const AccessFacts &first = *group.accesses.front();
  std::vector<SourceRange> places;
  for (const AccessFacts *access : group.accesses)
    places.push_back(access->range);
  FoundHint hint;
  hint.kind = HintKind::NarrowAccess;
  hint.range = first.range;
  for (const AccessFacts *access : group.accesses)
    hint.rank = std::min(hint.rank, rankOf(facts, *access));
  hint.message = "a lane moves " + countText(first.vectorBytes, "byte") +
                 " at once: " + describe(*first.limit, first.elementBytes);
  hint.evidence.push_back("a request touches " +
                          numberText(double(first.counts.sectors) / double(first.counts.requests)) +
                          " sectors, of which it uses " + percentText(usedShare(first)));
  hint.evidence.push_back(percentText(group.traffic) + " of the kernel's traffic");
  if (const std::string others = otherLinesText(places); !others.empty())
    hint.evidence.push_back(others);
  if (first.limit->argument.empty()) {
    hint.gain = "fewer requests, where mask and block allow wider ones";
    hint.advice = "say what the address is a multiple of, where that is so: `tl.multiple_of`";
  } else if (std::optional<PaddedArgument> argument = paddedArgument(facts, first)) {
    hint.padding = Padding{std::move(places), {std::move(*argument)}};
  }
  return hint;
}

void findNarrowAccess(const HintFacts &facts, std::vector<FoundHint> &hints) {
  constexpr double kLeastTraffic = 0.1;
  std::map<std::pair<std::string, WidthReason>, Group> groups;
  for (const AccessFacts &access : facts.accesses)
    if (isAdvised(facts, access)) {
      Group &group = groups[{access.limit->argument, access.limit->reason}];
      group.accesses.push_back(&access);
      group.traffic += trafficShare(facts, access);
    }
  for (auto &[cause, group] : groups) {
    if (group.traffic < kLeastTraffic)
      continue;
    // The narrowest, then the most wasteful.
    std::ranges::stable_sort(group.accesses, {}, [](const AccessFacts *access) {
      return std::pair(access->vectorBytes, usedShare(*access));
    });
    hints.push_back(hintFor(facts, group));
  }
}

} // namespace tilescope::compiler
