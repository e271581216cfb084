// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

namespace tilescope::compiler {

static int64_t log2Of(int64_t power) {
  int64_t bits = 0;
  for (; power > 1; power /= 2)
    ++bits;
  return bits;
}

/// Values that each thread passes on when the block is reduced along `axis` and then along the
/// other dimension: between lanes in steps, between warps by a store and a load.
static int64_t exchanges(const std::vector<DimensionShare> &shares, size_t axis) {
  const DimensionShare &first = shares[axis], &second = shares[1 - axis];
  const auto along = [](const DimensionShare &share, int64_t values) {
    return values * (log2Of(share.lanes) + (share.warps > 1 ? 2 : 0));
  };
  return along(first, second.registers) + along(second, 1);
}

void findReductionOrder(const HintFacts &facts, std::vector<FoundHint> &hints) {
  constexpr int64_t kLeastRatio = 2, kFewExchanges = 16;
  for (const ReductionFacts &reduction : facts.kernel.reductions) {
    if (!reduction.isReducedFurther || reduction.shares.size() != 2)
      continue;
    const auto axis = static_cast<size_t>(reduction.axis);
    // Between warps many values take longer than these numbers say.
    if (reduction.shares[1 - axis].warps > 1)
      continue;
    const int64_t now = exchanges(reduction.shares, axis);
    const int64_t other = exchanges(reduction.shares, 1 - axis);
    if (now < kFewExchanges || now <= kLeastRatio * other)
      continue;
    const std::string better = std::to_string(1 - axis);
    FoundHint hint;
    hint.kind = HintKind::ReductionOrder;
    hint.range = reduction.range;
    hint.message = "the block is reduced along dimension " + std::to_string(axis) +
                   " first, which threads share: dimension " + better + " is in registers";
    hint.evidence.push_back("each thread exchanges " + countText(now, "value") +
                            " with others; in the other order " + std::to_string(other));
    hint.gain = countText(now - other, "exchange") + " at each execution";
    hint.advice = "reduce along dimension " + better + " first";
    hint.change = ProposedChange{.kind = ChangeKind::SetArgument, .name = "axis", .value = better};
    hints.push_back(std::move(hint));
  }
}

} // namespace tilescope::compiler
