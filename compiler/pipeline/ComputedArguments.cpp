// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Integers of a launch that a kernel makes values from: the number of columns that a sum is divided
// by, not the one that a mask ends with.
#include "compiler/pipeline/ComputedArguments.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/pipeline/KernelAccesses.h"
#include "compiler/pipeline/ParsedKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilescope::compiler {

/// What stays a number of the same kind: comparisons, addresses and bounds of loops end it.
static bool passesOn(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp,
             arith::RemSIOp, arith::RemUIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
             arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp, tt::SplatOp,
             tt::BroadcastOp, tt::ExpandDimsOp>(op);
}

/// Whether the operand becomes a number with a point, or goes to memory.
static bool isValue(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto store = dyn_cast<tt::StoreOp>(op))
    return use.get() == store.getValue();
  return isa<arith::SIToFPOp, arith::UIToFPOp>(op);
}

/// The first operation that makes a value from it; null: none does.
static Operation *valueFrom(Value argument) {
  SmallVector<Value> work{argument};
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    const Value next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    for (OpOperand &use : next.getUses()) {
      if (isValue(use))
        return use.getOwner();
      if (passesOn(use.getOwner()))
        llvm::append_range(work, use.getOwner()->getResults());
    }
  }
  return nullptr;
}

std::vector<ComputedArgument> findComputedArguments(const CompileResult &compiled) {
  std::vector<ComputedArgument> found;
  const Stage *ttir = compiled.stage(StageId::Ttir);
  if (!ttir || !ttir->ok)
    return found;
  ParsedKernel source(ttir->text);
  if (!source.module())
    return found;
  const std::vector<KernelParameter> &parameters = compiled.metadata.parameters;
  const StageSources sources(ttir->sourceMap);
  source.module().walk([&](tt::FuncOp kernel) {
    if (!kernel.isPublic() || kernel.getNumArguments() != parameters.size())
      return;
    for (BlockArgument argument : kernel.getArguments())
      if (argument.getType().isInteger())
        if (Operation *made = valueFrom(argument))
          found.push_back({parameters[argument.getArgNumber()].name, sources.of(made)});
  });
  return found;
}

} // namespace tilescope::compiler
