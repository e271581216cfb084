// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

namespace tilescope::compiler {

static std::string shapeText(const ProductFacts &product) {
  const auto &[rows, columns, depth] = product.shape;
  return std::to_string(rows) + " x " + std::to_string(columns) + " x " + std::to_string(depth);
}

void findProductWithoutTensorCores(const HintFacts &facts, std::vector<FoundHint> &hints) {
  for (const ProductFacts &product : facts.kernel.products) {
    if (product.unit != ProductUnit::Threads || product.obstacle == ProductObstacle::Target ||
        product.obstacle == ProductObstacle::None)
      continue;
    const bool isShort = product.obstacle == ProductObstacle::Depth;
    FoundHint hint;
    hint.kind = HintKind::ProductWithoutTensorCores;
    hint.rank = isShort && product.isInLoop ? 1 : 2;
    hint.range = product.range;
    hint.message = "threads compute this product with multiply-adds, not tensor cores: " +
                   (isShort ? "its inner dimension of " + std::to_string(product.shape[2]) +
                                  " is too short for an instruction"
                            : "no instruction takes `" + product.factorType +
                                  "` at the precision that was asked for");
    hint.evidence.push_back(shapeText(product) + " of `" + product.factorType + "` into `" +
                            product.resultType + "`" + (product.isInLoop ? ", in a loop" : ""));
    hint.gain = "products at the rate of tensor cores";
    if (isShort)
      hint.advice = "take at least 16 elements along the inner dimension";
    else if (product.factorType == "fp32")
      hint.advice = "`input_precision=\"tf32\"` where 10 bits of mantissa are enough, "
                    "`\"tf32x3\"` where they are not";
    else
      hint.advice = "convert the factors to `fp16` or `bf16` where that is exact enough";
    hints.push_back(std::move(hint));
  }
}

} // namespace tilescope::compiler
