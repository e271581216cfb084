// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/allocation/BufferLives.h"

#include "mlir/Analysis/Liveness.h"

using namespace mlir;

namespace tilescope::compiler {

void Timeline::number(Region &region, int group) {
  for (Block &block : region)
    for (Operation &op : block) {
      const int64_t begin = m_now;
      if (auto specialize = dyn_cast<ttg::WarpSpecializeOp>(op))
        for (Region &part : specialize->getRegions())
          number(part, m_numGroups++);
      m_moments[&op] = {begin, ++m_now, group};
    }
}

/// The operation that waits for what `op` starts; null where `op` starts nothing, or something for
/// which another block waits.
static Operation *waitFor(Operation *op) {
  const ttg::Completion completion = ttg::accessModeOf(op).completion;
  if (completion == ttg::Completion::Immediate)
    return nullptr;
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
    if (auto wait = dyn_cast<ttg::AsyncWaitOpInterface>(next))
      if (wait.getAsyncWait().completion == completion)
        return next;
  return nullptr;
}

llvm::MapVector<Operation *, Interval> bufferLives(tt::FuncOp function, const Timeline &time,
                                                   const BufferAliases &aliases) {
  Liveness liveness(function);
  llvm::MapVector<Operation *, Interval> intervals;
  auto include = [&](Value value, Operation *op) {
    for (Operation *root : aliases.roots(value)) {
      const Timeline::Moment &moment = time.at(Timeline::within(root, op));
      intervals[root].include(moment.begin, moment.end);
    }
  };
  for (auto &[op, moment] : time) {
    for (Value operand : op->getOperands())
      include(operand, op);
    // What the hardware still reads or writes must stay.
    if (Operation *wait = waitFor(op))
      for (Value operand : op->getOperands())
        include(operand, wait);
    for (Value result : op->getResults())
      include(result, op);
    Block *block = op->getBlock();
    const bool isFirst = op == &block->front(), isLast = op == &block->back();
    if (!isFirst && !isLast)
      continue;
    const LivenessBlockInfo *info = liveness.getLiveness(block);
    if (isFirst) {
      for (Value value : info->in())
        include(value, op);
      for (Value argument : block->getArguments())
        include(argument, op);
    }
    if (isLast)
      for (Value value : info->out())
        include(value, op);
  }
  return intervals;
}

} // namespace tilescope::compiler
