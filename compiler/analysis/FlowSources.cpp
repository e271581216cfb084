// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/FlowSources.h"

using namespace mlir;

namespace tilescope::compiler {

SmallVector<Value> sourcesOf(OpResult result) {
  SmallVector<Value> sources;
  const unsigned number = result.getResultNumber();
  if (auto branch = dyn_cast<scf::IfOp>(result.getOwner())) {
    for (Region *region : branch.getRegions())
      if (!region->empty())
        sources.push_back(region->front().getTerminator()->getOperand(number));
  } else if (auto loop = dyn_cast<scf::ForOp>(result.getOwner())) {
    sources = {loop.getInits()[number], loop.getYieldedValues()[number]};
  } else if (auto loop = dyn_cast<scf::WhileOp>(result.getOwner())) {
    sources = {loop.getConditionOp().getArgs()[number]};
  }
  return sources;
}

SmallVector<Value> sourcesOf(scf::WhileOp loop, BlockArgument argument) {
  const unsigned number = argument.getArgNumber();
  if (argument.getOwner() == loop.getAfterBody())
    return {loop.getConditionOp().getArgs()[number]};
  return {loop.getInits()[number], loop.getYieldOp().getOperand(number)};
}

} // namespace tilescope::compiler
