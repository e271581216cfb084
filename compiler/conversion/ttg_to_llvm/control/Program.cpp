// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where the program is in the grid, and values that follow from a thread's place.
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tilescope::compiler {

static LogicalResult lowerProgramId(tt::GetProgramIdOp op, Lowering &lowering) {
  lowering.set(op, {lowering.programId(op.getAxisAsInt())});
  return success();
}

static LogicalResult lowerNumPrograms(tt::GetNumProgramsOp op, Lowering &lowering) {
  lowering.set(op, {lowering.numPrograms(op.getAxisAsInt())});
  return success();
}

static LogicalResult lowerWarpId(ttg::WarpIdOp op, Lowering &lowering) {
  // Read from lane 0, so that the assembler knows the value to be the same in all lanes.
  Builder &b = lowering.b;
  lowering.set(op, {shuffle(b, ShuffleMode::Index, lowering.warpId(), i32Constant(b, 0))});
  return success();
}

static LogicalResult lowerMakeRange(tt::MakeRangeOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  Values values = lowering.coordinates(lowering.layout(op.getType()), tensorDim(0));
  if (int64_t start = op.getStart())
    for (Value &value : values)
      value = LLVM::AddOp::create(b, value, i32Constant(b, start));
  lowering.set(op, std::move(values));
  return success();
}

static LogicalResult lowerPoison(ub::PoisonOp op, Lowering &lowering) {
  Values values;
  for (Type type : lowering.expand(op.getType()))
    values.push_back(LLVM::PoisonOp::create(lowering.b, type));
  lowering.set(op, std::move(values));
  return success();
}

static LogicalResult lowerAssume(LLVM::AssumeOp op, Lowering &lowering) {
  LLVM::AssumeOp::create(lowering.b, lowering.scalar(op.getCond()));
  return success();
}

template <typename Op> static LogicalResult lowerBarrier(Op, Lowering &lowering) {
  lowering.barrier();
  return success();
}

// Before dependent launches existed, the kernels before have ended when this one starts.
static LogicalResult lowerGridControl(StringRef instruction, Lowering &lowering) {
  if (lowering.capability() >= 90)
    callIntrinsic(lowering.b, ("llvm.nvvm.griddepcontrol." + instruction).str(), {});
  return success();
}

static LogicalResult lowerGridWait(tt::GridDependencyWaitOp, Lowering &lowering) {
  return lowerGridControl("wait", lowering);
}

static LogicalResult lowerGridLaunch(tt::GridDependencyLaunchDependentsOp, Lowering &lowering) {
  return lowerGridControl("launch.dependents", lowering);
}

static LogicalResult lowerGlobalScratch(ttg::GlobalScratchAllocOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  auto offset = op->getAttrOfType<IntegerAttr>(kGlobalScratchOffsetAttr);
  if (!offset)
    return op.emitError("scratch in global memory has no offset");
  // Each program has its own part, each block of its cluster a piece of that; programs are numbered
  // with x fastest.
  Value program = lowering.programId(2);
  for (int axis : {1, 0})
    program = LLVM::AddOp::create(b, LLVM::MulOp::create(b, program, lowering.numPrograms(axis)),
                                  lowering.programId(axis));
  if (lowering.numCtas() > 1)
    program =
        LLVM::AddOp::create(b, LLVM::MulOp::create(b, program, i32Constant(b, lowering.numCtas())),
                            lowering.blockRank());
  auto size = lowering.module().module->getAttrOfType<IntegerAttr>(ttg::kGlobalScratchSizeAttr);
  Value bytes = LLVM::MulOp::create(b, program, i32Constant(b, size ? size.getInt() : 0));
  Value part = advanceBytes(b, lowering.globalScratch(), bytes);
  lowering.set(op, {advanceBytes(b, part, offset.getInt())});
  return success();
}

void addProgramLowerings(LoweringTable &table) {
  table.add<tt::GetProgramIdOp>(lowerProgramId);
  table.add<tt::GetNumProgramsOp>(lowerNumPrograms);
  table.add<tt::MakeRangeOp>(lowerMakeRange);
  table.add<ttg::WarpIdOp>(lowerWarpId);
  table.add<ttg::BarrierOp>(lowerBarrier<ttg::BarrierOp>);
  table.add<gpu::BarrierOp>(lowerBarrier<gpu::BarrierOp>);
  table.add<tt::GridDependencyWaitOp>(lowerGridWait);
  table.add<tt::GridDependencyLaunchDependentsOp>(lowerGridLaunch);
  table.add<ttg::GlobalScratchAllocOp>(lowerGlobalScratch);
  table.add<ub::PoisonOp>(lowerPoison);
  table.add<LLVM::AssumeOp>(lowerAssume);
}

} // namespace tilescope::compiler
