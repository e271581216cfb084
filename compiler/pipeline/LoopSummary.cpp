// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/LoopSummary.h"

#include "compiler/dialects/ttg/ir/Types.h"
#include "compiler/pipeline/LoopOperations.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

void walkIteration(Block &block, llvm::function_ref<void(Operation *)> visit) {
  for (Operation &op : block) {
    visit(&op);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      for (Region &region : branch->getRegions())
        for (Block &inner : region)
          walkIteration(inner, visit);
  }
}

/// Slots of the ring that a copy goes round; 0: it has a buffer to itself.
static int32_t ringOf(Operation *copy) {
  for (const Value filled : bufferUsesOf(copy).writes)
    if (const BufferPart part = bufferPartOf(filled); part.alloc && part.slot)
      return static_cast<int32_t>(
          cast<ttg::MemDescType>(part.alloc->getResult(0).getType()).getShape().front());
  return 0;
}

void summarize(scf::ForOp loop, PipelineFacts &facts) {
  walkIteration(*loop.getBody(), [&](Operation *op) {
    const std::optional<LoopAction> action = loopActionOf(op);
    if (!action)
      return;
    if (isCopy(*action)) {
      ++facts.copies;
      facts.stages = std::max(facts.stages, ringOf(op));
    } else if (*action == LoopAction::CopyWait) {
      ++facts.copyWaits;
      facts.copiesUnderWay = std::max(facts.copiesUnderWay, pendingOf(op));
    } else if (*action == LoopAction::ProductWait) {
      ++facts.productWaits;
    } else if (*action == LoopAction::Product) {
      facts.asyncProducts += isUnderWayBehind(op);
    }
  });
}

bool isUnderWay(const PipelineFacts &facts) { return facts.copies > 0 || facts.asyncProducts > 0; }

std::vector<PipelineFacts> findPipelines(ModuleOp module, const StageSources &sources) {
  std::vector<PipelineFacts> pipelines;
  module.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    PipelineFacts facts;
    summarize(loop, facts);
    if (!isUnderWay(facts))
      return;
    facts.range = sources.of(loop);
    pipelines.push_back(facts);
  });
  return pipelines;
}

} // namespace tilescope::compiler
