// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

namespace tilescope::compiler {

/// Of one end: "`tt.load` in line 12".
static std::string endText(const std::string &operation, const SourceRange &range) {
  return "`" + operation + "`" +
         (range.file == 0 && !range.empty() ? " in line " + std::to_string(range.begin.line + 1)
                                            : "");
}

/// What needs two layouts; empty where it is not known.
static std::string causeText(const ConversionEnds &ends) {
  if (ends.producer.empty() || ends.consumer.empty())
    return "";
  return endText(ends.producer, ends.producerRange) + " has the block in one layout, " +
         endText(ends.consumer, ends.consumerRange) + " needs it in another";
}

void findConversionInLoop(const HintFacts &facts, std::vector<FoundHint> &hints) {
  constexpr uint64_t kLeastIterations = 2;
  const uint64_t moved =
      facts.memory
          .total({MemoryAction::GlobalLoad, MemoryAction::GlobalStore, MemoryAction::AsyncCopy})
          .bytesAsked;
  for (size_t index = 0; index < facts.memory.conversions.size(); ++index) {
    const ConversionFacts &conversion = facts.memory.conversions[index];
    const uint64_t bytes = conversion.executions * static_cast<uint64_t>(conversion.bytes);
    if (!conversion.isInLoop || conversion.moves == ConversionMoves::Registers ||
        conversion.executions < kLeastIterations * facts.memory.programs || 4 * bytes < moved)
      continue;
    FoundHint hint;
    hint.kind = HintKind::ConversionInLoop;
    hint.rank = conversion.moves == ConversionMoves::Warps && bytes >= moved ? 2 : 3;
    hint.range = conversion.range;
    hint.message = "every iteration moves " + bytesText(static_cast<uint64_t>(conversion.bytes)) +
                   " between " + std::string(conversionMovesName(conversion.moves)) +
                   " to change a layout";
    if (index < facts.kernel.conversionEnds.size())
      if (std::string cause = causeText(facts.kernel.conversionEnds[index]); !cause.empty())
        hint.evidence.push_back(std::move(cause));
    if (conversion.wavefronts > 0)
      hint.evidence.push_back(std::to_string(conversion.wavefronts) +
                              " wavefronts of shared memory in all");
    if (conversion.shuffles > 0)
      hint.evidence.push_back(countText(conversion.shuffles, "shuffle") + " of each warp");
    hint.evidence.push_back(bytesText(bytes) + " in all; accesses to memory move " +
                            bytesText(moved));
    hint.gain = "the conversion, and two barriers an iteration where it goes between warps";
    hint.advice = "move what needs the other layout after the loop, or let both work along the "
                  "same dimension";
    hints.push_back(std::move(hint));
  }
}

} // namespace tilescope::compiler
