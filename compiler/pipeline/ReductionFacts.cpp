// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How threads share the blocks that a kernel reduces.
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/pipeline/ComputeFacts.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

/// How many places of a kind differ in their coordinate along a dimension.
static int64_t spread(const LinearLayout &layout, Dim places, int32_t dimension) {
  int64_t count = 1;
  for (int bit = 0; bit < layout.inBits(places); ++bit)
    if (layout.basis(places, bit, tensorDim(dimension)) != 0)
      count *= 2;
  return count;
}

static std::vector<DimensionShare> sharesOf(RankedTensorType type) {
  const LinearLayout &layout = ttg::toLinearLayout(type);
  std::vector<DimensionShare> shares;
  for (int32_t dimension = 0; dimension < static_cast<int32_t>(type.getRank()); ++dimension)
    shares.push_back({spread(layout, Dim::Register, dimension),
                      spread(layout, Dim::Lane, dimension), spread(layout, Dim::Warp, dimension)});
  return shares;
}

/// What combines two elements, if it is a single operation.
static std::optional<OperationName> combination(tt::ReduceOp reduction) {
  Block &body = reduction->getRegion(0).front();
  if (std::distance(body.begin(), body.end()) != 2)
    return std::nullopt;
  return body.front().getName();
}

/// Whether all that happens to the result is the same reduction along its other dimension.
static bool isReducedFurther(tt::ReduceOp reduction) {
  Value result = reduction->getResult(0);
  while (result.hasOneUse() && isa<ttg::ConvertLayoutOp>(*result.user_begin()))
    result = (*result.user_begin())->getResult(0);
  if (!result.hasOneUse())
    return false;
  auto next = dyn_cast<tt::ReduceOp>(*result.user_begin());
  return next && combination(reduction) && combination(reduction) == combination(next);
}

static void addReduction(tt::ReduceOp reduction, const StageSources &sources, ComputeFacts &facts) {
  auto type = cast<RankedTensorType>(reduction->getOperand(0).getType());
  ReductionFacts found;
  found.range = sources.of(reduction);
  found.axis = static_cast<int32_t>(reduction.getAxis());
  found.shape.assign(type.getShape().begin(), type.getShape().end());
  found.shares = sharesOf(type);
  found.isReducedFurther =
      type.getRank() == 2 && reduction->getNumOperands() == 1 && isReducedFurther(reduction);
  facts.reductions.push_back(std::move(found));
}

void addReductions(ModuleOp ttgir, const StageSources &sources, ComputeFacts &facts) {
  ttgir.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (const Type type : op->getResultTypes())
      if (auto block = dyn_cast<RankedTensorType>(type))
        facts.largestBlock = std::max(facts.largestBlock, block.getNumElements());
    if (auto reduction = dyn_cast<tt::ReduceOp>(op))
      addReduction(reduction, sources, facts);
  });
}

} // namespace tilescope::compiler
