// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/hints/HintRules.h"
#include "compiler/hints/HintText.h"

#include <string>

namespace tilescope::compiler {

/// What to change; empty where it is not a matter of sizes.
static std::string adviceFor(const ProductFacts &product) {
  switch (product.obstacle) {
  case ProductObstacle::Warps:
    return "a group is four warps: `num_warps = 4`, or 8";
  case ProductObstacle::Rows:
    return "a group computes 64 rows, the product has " + std::to_string(product.shape[0]);
  case ProductObstacle::Columns:
    return "an instruction computes 8 columns, the product has " + std::to_string(product.shape[1]);
  case ProductObstacle::Depth:
    return "an instruction takes 32 bytes along the inner dimension, which has " +
           countText(product.shape[2], "element");
  case ProductObstacle::SharedMemory:
    return "both factors must fit into shared memory";
  default:
    return "";
  }
}

void findProductByWarps(const HintFacts &facts, std::vector<FoundHint> &hints) {
  for (const ProductFacts &product : facts.kernel.products) {
    const std::string advice = adviceFor(product);
    if (product.unit != ProductUnit::Warps || advice.empty())
      continue;
    FoundHint hint;
    hint.kind = HintKind::ProductByWarps;
    // The number of warps is free; sizes of blocks mostly follow from the problem.
    hint.rank = product.obstacle == ProductObstacle::Warps && product.isInLoop ? 2 : 3;
    hint.range = product.range;
    hint.message = "single warps compute this product (`mma.sync`), not groups of four (`wgmma`)";
    const auto &[rows, columns, depth] = product.shape;
    hint.evidence.push_back(std::to_string(rows) + " x " + std::to_string(columns) + " x " +
                            std::to_string(depth) + " of `" + product.factorType + "`, " +
                            countText(facts.numWarps, "warp"));
    hint.gain = "factors are read from shared memory without passing registers";
    hint.advice = advice;
    if (product.obstacle == ProductObstacle::Warps)
      hint.change = ProposedChange{.kind = ChangeKind::Option, .name = "num_warps", .value = "4"};
    hints.push_back(std::move(hint));
  }
}

} // namespace tilescope::compiler
