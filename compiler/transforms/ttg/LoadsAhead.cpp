// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/LoadsAhead.h"

#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/transforms/ttg/LoopWrites.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace tilescope::ttg {

SmallVector<Value> factorsOf(Operation &op) {
  if (isa<tt::DotOp, ttng::WarpGroupDotOp>(op))
    return {op.getOperand(0), op.getOperand(1)};
  return {};
}

static bool isZero(Value value) {
  return !value || matchPattern(value, m_Zero()) || matchPattern(value, m_AnyZeroFloat());
}

using compiler::LoopObstacle;

/// Where the memory is that is read.
static Value pointerOf(Operation *load) {
  if (auto bulk = dyn_cast<tt::DescriptorLoadOp>(load))
    return bulk.getDesc().getDefiningOp<tt::MakeTensorDescOp>().getBase();
  return cast<tt::LoadOp>(load).getPtr();
}

namespace {
class Search {
public:
  Search(scf::ForOp loop, const LoopWrites &writes, const compiler::AxisInfoMap &axes)
      : m_loop(loop), m_writes(writes), m_axes(axes) {}

  LoadsAhead run() {
    findLoads();
    return std::move(m_found);
  }

private:
  /// Loads that dots use, whose addresses are known ahead of time.
  void findLoads() {
    llvm::SetVector<Operation *> before;
    for (Operation &op : *m_loop.getBody())
      for (Value factor : factorsOf(op))
        collectLoads(factor, before);
    m_found.loads.remove_if([&](Operation *op) {
      auto load = dyn_cast<tt::LoadOp>(op);
      const bool mayBeWritten = m_writes.mayReach(pointerOf(op));
      const bool isLeftOut = mayBeWritten || !addressesAhead(op);
      if (isLeftOut && load)
        m_found.leftOut[load] = mayBeWritten ? LoopObstacle::Stores : LoopObstacle::Address;
      return isLeftOut;
    });
    // Loads that another load's address depends on are loaded ahead into registers.
    m_found.loads.remove_if([&](Operation *load) { return m_found.addresses.contains(load); });
  }

  void collectLoads(Value value, llvm::SetVector<Operation *> &seen) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != m_loop.getBody() || !seen.insert(op))
      return;
    if (auto bulk = dyn_cast<tt::DescriptorLoadOp>(op)) {
      if (bulk.getDesc().getDefiningOp<tt::MakeTensorDescOp>())
        m_found.loads.insert(op);
      return;
    }
    if (auto load = dyn_cast<tt::LoadOp>(op)) {
      if (!isa<RankedTensorType>(load.getType()))
        return;
      if (!isZero(load.getOther()))
        m_found.leftOut[load] = LoopObstacle::Other;
      else if (!canCopyAsynchronously(load))
        m_found.leftOut[load] = LoopObstacle::Narrow;
      else
        m_found.loads.insert(load);
      return;
    }
    for (Value operand : op->getOperands())
      collectLoads(operand, seen);
  }

  /// Copies move 4, 8 or 16 bytes.
  bool canCopyAsynchronously(tt::LoadOp load) {
    unsigned &width = m_found.widths[load];
    width = m_axes.accessWidth(load.getPtr());
    if (load.getMask())
      width = std::min(width, m_axes.maskAlignment(load.getMask()));
    return width * tt::getElementBitWidth(cast<RankedTensorType>(load.getType())) >= 32;
  }

  /// Adds everything that the load's operands depend on, through iterations, to what runs ahead.
  /// False when something there cannot.
  bool addressesAhead(Operation *load) {
    llvm::SetVector<Operation *> slice;
    SmallVector<Value> work(load->getOperands());
    llvm::DenseSet<Value> seen;
    while (!work.empty()) {
      Value value = work.pop_back_val();
      if (!seen.insert(value).second)
        continue;
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        if (argument.getOwner() == m_loop.getBody() && argument != m_loop.getInductionVar())
          work.push_back(m_loop.getTiedLoopYieldedValue(argument)->get());
        continue;
      }
      Operation *op = value.getDefiningOp();
      if (op->getBlock() != m_loop.getBody())
        continue;
      if (!mayRunAhead(op))
        return false;
      slice.insert(op);
      llvm::append_range(work, op->getOperands());
      llvm::SetVector<Value> captured;
      getUsedValuesDefinedAbove(op->getRegions(), captured);
      llvm::append_range(work, captured);
    }
    m_found.addresses.insert_range(slice);
    return true;
  }

  /// Whether the operation may run for an iteration while earlier ones have not stored yet.
  bool mayRunAhead(Operation *op) {
    if (!factorsOf(*op).empty() || (op->getNumRegions() > 0 && !isa<scf::IfOp>(op)))
      return false;
    return !op->walk([&](Operation *inner) {
                auto load = dyn_cast<tt::LoadOp>(inner);
                const bool fits = load ? !m_writes.mayReach(load.getPtr())
                                       : isa<scf::IfOp>(inner) || isMemoryEffectFree(inner);
                return fits ? WalkResult::advance() : WalkResult::interrupt();
              }).wasInterrupted();
  }

  scf::ForOp m_loop;
  const LoopWrites &m_writes;
  const compiler::AxisInfoMap &m_axes;
  LoadsAhead m_found;
};
} // namespace

std::optional<LoadsAhead> LoadsAhead::of(scf::ForOp loop, const compiler::AxisInfoMap &axes) {
  const std::optional<LoopWrites> writes = LoopWrites::of(loop);
  if (!writes)
    return std::nullopt;
  return Search(loop, *writes, axes).run();
}

} // namespace tilescope::ttg
