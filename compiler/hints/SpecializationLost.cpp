// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

#include <algorithm>

namespace tilescope::compiler {

static bool isStride(const HintFacts &facts, const AccessFacts &access,
                     const std::string &argument) {
  return std::ranges::any_of(facts.kernel.strides, [&](const StrideArgument &stride) {
    return stride.access == access.range && stride.argument == argument;
  });
}

/// Whether a lane moves one element at once because of what its address is not known to be.
static bool isUnknown(const AccessFacts &access) {
  return movesBlock(access) && access.vectorBytes <= access.elementBytes &&
         (access.limit->reason == WidthReason::Contiguity ||
          access.limit->reason == WidthReason::Divisibility);
}

void findSpecializationLost(const HintFacts &facts, std::vector<FoundHint> &hints) {
  for (const auto &[argument, value] : facts.integers) {
    const auto type = facts.signature.find(argument);
    // A 1 that the kernel was compiled for is a constant.
    if (value != 1 || type == facts.signature.end() || type->second == "constexpr")
      continue;
    double traffic = 0;
    const AccessFacts *first = nullptr;
    for (const AccessFacts &access : facts.accesses)
      if (isStride(facts, access, argument) && isUnknown(access)) {
        traffic += trafficShare(facts, access);
        first = first ? first : &access;
      }
    if (!first)
      continue;
    FoundHint hint;
    hint.kind = HintKind::SpecializationLost;
    hint.rank = 1;
    hint.range = first->range;
    hint.message = "`" + argument + "` is 1, and the kernel is compiled for any value: neighbors " +
                   "in the block are not known to be neighbors in memory";
    hint.evidence.push_back("a lane moves " + countText(first->vectorBytes, "byte") +
                            " at once; accesses through `" + argument + "` are " +
                            percentText(traffic) + " of the kernel's traffic");
    hint.gain = "accesses of up to 16 bytes a lane, in the order of memory";
    hint.advice = "take `" + argument +
                  "` out of `do_not_specialize`, and let the launch determine " +
                  "its type, which is `" + type->second + "` now";
    hint.change = ProposedChange{.kind = ChangeKind::Specialize, .name = argument};
    hints.push_back(std::move(hint));
  }
}

} // namespace tilescope::compiler
