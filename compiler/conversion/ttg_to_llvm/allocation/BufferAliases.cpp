// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/allocation/BufferAliases.h"

#include "compiler/dialects/ttng/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace tilescope::compiler {

BufferAliases::BufferAliases(Operation *function) {
  bool changed = true;
  auto add = [&](Value to, const llvm::SetVector<Operation *> &roots) {
    for (Operation *root : llvm::SetVector<Operation *>(roots))
      changed |= m_roots[to].insert(root);
  };
  while (changed) {
    changed = false;
    function->walk([&](Operation *op) {
      for (Value result : op->getResults()) {
        if (!isa<ttg::MemDescType>(result.getType()))
          continue;
        if (isa<ttg::LocalAllocOp, ttng::TMEMAllocOp>(op)) {
          changed |= m_roots[result].insert(op);
          continue;
        }
        if (auto wait = dyn_cast<ttng::WarpGroupDotWaitOp>(op)) {
          add(result, roots(wait.getInputs()[cast<OpResult>(result).getResultNumber()]));
          continue;
        }
        for (Value operand : op->getOperands())
          if (isa<ttg::MemDescType>(operand.getType()))
            add(result, roots(operand));
      }
      if (auto specialize = dyn_cast<ttg::WarpSpecializeOp>(op))
        for (Region &partition : specialize.getPartitions())
          for (auto [argument, capture] :
               llvm::zip(partition.getArguments(), specialize.getCaptures()))
            if (isa<ttg::MemDescType>(argument.getType()))
              add(argument, roots(capture));
      if (auto yield = dyn_cast<ttg::WarpYieldOp>(op))
        for (auto [result, value] :
             llvm::zip(yield->getParentOp()->getResults(), yield.getValues()))
          if (isa<ttg::MemDescType>(result.getType()))
            add(result, roots(value));
      auto branch = dyn_cast<BranchOpInterface>(op);
      for (unsigned index = 0; branch && index < op->getNumSuccessors(); ++index) {
        SuccessorOperands operands = branch.getSuccessorOperands(index);
        for (auto [position, argument] : llvm::enumerate(op->getSuccessor(index)->getArguments()))
          if (isa<ttg::MemDescType>(argument.getType()) && operands[position])
            add(argument, roots(operands[position]));
      }
    });
  }
}

const llvm::SetVector<Operation *> &BufferAliases::roots(Value value) const {
  auto it = m_roots.find(value);
  return it == m_roots.end() ? m_none : it->second;
}

} // namespace tilescope::compiler
