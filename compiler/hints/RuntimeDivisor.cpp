// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

#include <algorithm>
#include <map>

namespace tilescope::compiler {
namespace {

/// The divisions by one argument.
struct Group {
  std::vector<SourceRange> places;
  int64_t elements = 1;
  bool isInLoop = false;
  /// Of a thread, in one execution of each place.
  int64_t divisions = 0;
};

} // namespace

/// An access of which the division hides what are neighbors; null: there is none.
static const AccessFacts *hiddenAccess(const HintFacts &facts, const Group &group) {
  const auto found = std::ranges::find_if(facts.accesses, [&](const AccessFacts &access) {
    return access.limit && !access.limit->hiddenBy.empty() &&
           std::ranges::find(group.places, access.limit->hiddenIn) != group.places.end();
  });
  return found == facts.accesses.end() ? nullptr : &*found;
}

void findRuntimeDivisor(const HintFacts &facts, std::vector<FoundHint> &hints) {
  // Of a thread outside of loops: fewer are a small part of any kernel.
  constexpr int64_t kThreads = 32, kFew = 4;
  std::map<std::string, Group> groups;
  for (const RuntimeDivision &division : facts.kernel.runtimeDivisions) {
    Group &group = groups[division.argument];
    group.places.push_back(division.range);
    group.elements = std::max(group.elements, division.elements);
    group.isInLoop |= division.isInLoop;
    if (division.elements > 1)
      group.divisions += std::max<int64_t>(1, division.elements / (kThreads * facts.numWarps));
  }
  for (const auto &[argument, group] : groups) {
    if (!group.isInLoop && group.divisions < kFew)
      continue;
    FoundHint hint;
    hint.kind = HintKind::RuntimeDivisor;
    hint.range = group.places.front();
    hint.message = "divides by `" + argument + "`, which is known only when the kernel runs";
    hint.evidence.push_back(countText(static_cast<int64_t>(group.places.size()), "division") +
                            (group.elements > 1
                                 ? " of blocks of up to " + countText(group.elements, "element")
                                 : " of a number") +
                            (group.isInLoop ? ", in a loop" : ""));
    if (const std::string others = otherLinesText(group.places); !others.empty())
      hint.evidence.push_back(others);
    if (const AccessFacts *access = hiddenAccess(facts, group))
      hint.evidence.push_back("hides from the compiler which elements the access in line " +
                              std::to_string(access->range.begin.line + 1) +
                              " has as neighbors: a lane moves " +
                              countText(access->vectorBytes, "byte") + " at once");
    hint.gain = "about 20 instructions for each element: by a constant it takes a few, by a power "
                "of two one";
    hint.advice = "make `" + argument + "` a `tl.constexpr`, where it has few values";
    hint.change = ProposedChange{.kind = ChangeKind::Constexpr, .name = argument};
    hints.push_back(std::move(hint));
  }
}

} // namespace tilescope::compiler
