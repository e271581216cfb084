// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/AddressSlice.h"

#include "compiler/dialects/ttg/ir/OperationNumber.h"
#include "compiler/interpreter/TracedOperands.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace tilescope::compiler::interpreter {
namespace {

class Slice {
public:
  /// False: the values must be computed.
  bool build(tt::FuncOp kernel);
  llvm::DenseSet<Value> take() { return std::move(m_values); }

private:
  void need(Value value) {
    if (value && m_values.insert(value).second)
      m_waiting.push_back(value);
  }
  bool needControl(Operation *op);
  bool needSources(Value value);
  bool needArgument(BlockArgument argument);

  llvm::DenseSet<Value> m_values;
  SmallVector<Value> m_waiting;
};

} // namespace

bool Slice::needControl(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    need(loop.getLowerBound());
    need(loop.getUpperBound());
    need(loop.getStep());
    need(loop.getInductionVar());
    return true;
  }
  if (auto conditional = dyn_cast<scf::IfOp>(op)) {
    need(conditional.getCondition());
    return true;
  }
  // Any other way through the kernel.
  const bool isPlain = op->getNumRegions() == 0 ||
                       isa<tt::FuncOp, tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(op);
  return isPlain && op->getNumSuccessors() == 0 && !isa<tt::CallOp>(op);
}

bool Slice::needArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (isa<tt::FuncOp>(parent))
    return argument.getOwner()->isEntryBlock();
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop)
    return false;
  if (OpOperand *init = loop.getTiedLoopInit(argument)) {
    need(init->get());
    need(loop.getTiedLoopYieldedValue(argument)->get());
    need(loop.getTiedLoopResult(argument));
  }
  return true;
}

bool Slice::needSources(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return needArgument(argument);
  Operation *op = value.getDefiningOp();
  const unsigned index = cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    need(loop.getRegionIterArg(index));
    return true;
  }
  if (auto conditional = dyn_cast<scf::IfOp>(op)) {
    need(conditional.thenYield().getOperand(index));
    need(conditional.elseYield().getOperand(index));
    return true;
  }
  // What comes from memory.
  if (!isMemoryEffectFree(op))
    return false;
  llvm::for_each(op->getOperands(), [&](Value operand) { need(operand); });
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  llvm::for_each(captured, [&](Value operand) { need(operand); });
  return true;
}

bool Slice::build(tt::FuncOp kernel) {
  if (!kernel.getBody().hasOneBlock())
    return false;
  const WalkResult walked = kernel.walk([&](Operation *op) {
    if (op->hasAttr(ttg::kOperationNumberAttr)) {
      const TracedOperands traced = tracedOperands(op);
      need(traced.pointer);
      need(traced.mask);
    }
    return needControl(op) ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return false;
  while (!m_waiting.empty())
    if (!needSources(m_waiting.pop_back_val()))
      return false;
  return true;
}

std::optional<llvm::DenseSet<Value>> findAddressSlice(tt::FuncOp kernel) {
  Slice slice;
  if (!slice.build(kernel))
    return std::nullopt;
  return slice.take();
}

} // namespace tilescope::compiler::interpreter
