// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/MaskedLines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tilescope::compiler {

/// Whether a value is computed in a turn of a loop around the load.
static bool changesWithTurns(Value value, tt::LoadOp load) {
  for (auto loop = load->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    if (!loop.isDefinedOutsideOfLoop(value))
      return true;
  return false;
}

static bool isSameAlong(Value mask, unsigned axis, tt::LoadOp load) {
  Operation *op = mask.getDefiningOp();
  if (auto both = dyn_cast_or_null<arith::AndIOp>(op))
    return isSameAlong(both.getLhs(), axis, load) && isSameAlong(both.getRhs(), axis, load);
  auto repeated = dyn_cast_or_null<tt::BroadcastOp>(op);
  if (!repeated || cast<RankedTensorType>(repeated.getSrc().getType()).getShape()[axis] != 1)
    return false;
  Value line = repeated.getSrc();
  while (auto expanded = line.getDefiningOp<tt::ExpandDimsOp>())
    line = expanded.getSrc();
  return !changesWithTurns(line, load);
}

bool leavesOutWholeLines(tt::LoadOp load, Operation *reduction) {
  auto reduce = dyn_cast<tt::ReduceOp>(reduction);
  const auto block = dyn_cast<RankedTensorType>(load.getType());
  if (!reduce || !block || !load.getMask())
    return false;
  const auto reduced = cast<RankedTensorType>(reduce->getOperand(0).getType());
  return reduced.getShape() == block.getShape() &&
         isSameAlong(load.getMask(), static_cast<unsigned>(reduce.getAxis()), load);
}

} // namespace tilescope::compiler
