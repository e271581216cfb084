// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"

namespace tilescope::compiler {

void findHalfAccumulator(const HintFacts &facts, std::vector<FoundHint> &hints) {
  for (const ProductFacts &product : facts.kernel.products) {
    if (!product.isInLoop || product.resultType != "fp16")
      continue;
    FoundHint hint;
    hint.kind = HintKind::HalfAccumulator;
    hint.rank = 2;
    hint.range = product.range;
    hint.message = "the loop adds up products in `fp16`";
    hint.evidence.push_back("each iteration adds " + std::to_string(product.shape[2]) +
                            " products to a sum of 11 bits");
    hint.gain = "13 bits more of the sum; `fp32` sums cost registers only";
    hint.advice = "begin with `tl.zeros(…, dtype=tl.float32)`, leave out `out_dtype`, and "
                  "convert after the loop";
    hints.push_back(std::move(hint));
  }
}

} // namespace tilescope::compiler
