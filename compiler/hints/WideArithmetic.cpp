// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

#include <algorithm>

namespace tilescope::compiler {

/// Whether an argument has elements of the type: the kernel then means it.
static bool isOfArguments(const HintFacts &facts, const std::string &type) {
  const std::string scalar = type == "int64" ? "i64" : type;
  return std::ranges::any_of(facts.signature, [&](const auto &argument) {
    return argument.second.find(scalar) != std::string::npos;
  });
}

void findWideArithmetic(const HintFacts &facts, std::vector<FoundHint> &hints) {
  for (const std::string type : {"fp64", "int64"}) {
    std::vector<SourceRange> places;
    int64_t elements = 0;
    for (const WideArithmetic &found : facts.kernel.wideArithmetic)
      if (found.type == type) {
        places.push_back(found.range);
        elements = std::max(elements, found.elements);
      }
    if (places.empty() || isOfArguments(facts, type))
      continue;
    const bool isFloat = type == "fp64";
    FoundHint hint;
    hint.kind = HintKind::WideArithmetic;
    hint.rank = isFloat && elements > 1 ? 1 : 3;
    hint.range = places.front();
    hint.message = "a loop computes in `" + type + "`, which no argument has";
    hint.evidence.push_back(countText(static_cast<int64_t>(places.size()), "operation") +
                            " on blocks of " + countText(elements, "element"));
    if (const std::string others = otherLinesText(places); !others.empty())
      hint.evidence.push_back(others);
    hint.gain = isFloat ? "at least half of the time of this arithmetic: `fp64` runs at half the "
                          "rate of `fp32` at best"
                        : "a product of 64 bits takes several instructions of 32 bits";
    hint.advice = isFloat
                      ? "convert to `tl.float32` before the loop"
                      : "keep indices within a block in 32 bits, and only what the block begins "
                        "at in 64";
    hints.push_back(std::move(hint));
  }
}

} // namespace tilescope::compiler
