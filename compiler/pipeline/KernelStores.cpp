// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/KernelStores.h"

#include "compiler/interpreter/AddressSlice.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilescope::compiler {

std::optional<Written> writtenBy(Operation *op) {
  if (auto store = dyn_cast<tt::StoreOp>(op))
    return Written{store.getPtr(), store.getValue()};
  if (auto atomic = dyn_cast<tt::AtomicRMWOp>(op))
    return Written{atomic.getPtr(), atomic.getVal(), true};
  if (auto atomic = dyn_cast<tt::AtomicCASOp>(op))
    return Written{atomic.getPtr(), atomic.getVal(), true};
  if (auto store = dyn_cast<tt::DescriptorStoreOp>(op))
    return Written{store.getDesc(), store.getSrc()};
  if (auto store = dyn_cast<tt::DescriptorReduceOp>(op))
    return Written{store.getDesc(), store.getSrc(), true};
  return std::nullopt;
}

SmallVector<unsigned> targetsOf(Value pointer, tt::FuncOp kernel) {
  if (auto described = pointer.getDefiningOp<tt::MakeTensorDescOp>())
    pointer = described.getBase();
  if (const std::optional<unsigned> argument = interpreter::argumentOf(pointer))
    return {*argument};
  SmallVector<unsigned> all;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    if (isa<tt::PointerType, tt::TensorDescType>(kernel.getArgument(i).getType()))
      all.push_back(i);
  return all;
}

bool comesBefore(Operation *load, Operation *store) {
  Operation *op = load;
  while (!isa<tt::FuncOp>(op) && !op->getBlock()->findAncestorOpInBlock(*store))
    op = op->getParentOp();
  if (isa<tt::FuncOp>(op) || op->getParentOfType<scf::ForOp>() ||
      op->getParentOfType<scf::WhileOp>())
    return false;
  Operation *other = op->getBlock()->findAncestorOpInBlock(*store);
  return op != other && op->isBeforeInBlock(other);
}

} // namespace tilescope::compiler
