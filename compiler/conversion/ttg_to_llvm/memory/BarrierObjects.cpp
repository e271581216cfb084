// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Barriers that are objects in shared memory. One thread arrives on behalf of its group of warps;
// all threads wait.
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/memory/Buffers.h"
#include "compiler/conversion/ttg_to_llvm/memory/BulkCopy.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilescope::compiler {

Value sharedAddress(Lowering &lowering, Value buffer) {
  Builder &b = lowering.b;
  return LLVM::PtrToIntOp::create(b, b.getI32Type(), lowering.values(buffer).front());
}

Value firstThreadIf(Lowering &lowering, Value predicate) {
  Value first = lowering.isFirstThread();
  if (!predicate)
    return first;
  return LLVM::AndOp::create(lowering.b, first, lowering.scalar(predicate));
}

/// What one block of a cluster does to the barriers of others.
static LogicalResult refuseOthers(Operation *op, StringRef attribute, int64_t mask) {
  if (mask == 0)
    return success();
  return op->emitError("`") << op->getName()
                            << "` at barriers of other thread blocks of the cluster (`" << attribute
                            << "`) is not supported";
}

static LogicalResult lowerInit(ttng::InitBarrierOp op, Lowering &lowering) {
  Value first = firstThreadIf(lowering, {}), address = sharedAddress(lowering, op.getAlloc());
  ptx::mbarrierInit(lowering.b, first, address, op.getCount());
  return success();
}

static LogicalResult lowerInval(ttng::InvalBarrierOp op, Lowering &lowering) {
  Value first = firstThreadIf(lowering, {}), address = sharedAddress(lowering, op.getAlloc());
  ptx::mbarrierInval(lowering.b, first, address);
  return success();
}

static LogicalResult lowerExpect(ttng::BarrierExpectOp op, Lowering &lowering) {
  if (failed(refuseOthers(op, "fromCTA", op.getFromCTA().value_or(0))))
    return failure();
  Value first = firstThreadIf(lowering, op.getPred());
  Value address = sharedAddress(lowering, op.getAlloc());
  ptx::mbarrierArriveExpectTx(lowering.b, first, address, op.getSize());
  return success();
}

static LogicalResult lowerArrive(ttng::ArriveBarrierOp op, Lowering &lowering) {
  if (failed(refuseOthers(op, "fromCTA", op.getFromCTA().value_or(0))) ||
      failed(refuseOthers(op, "multicastCTA", op.getMulticastCTA())))
    return failure();
  Value first = firstThreadIf(lowering, op.getPred());
  Value address = sharedAddress(lowering, op.getAlloc());
  ptx::mbarrierArrive(lowering.b, first, address, op.getCount());
  return success();
}

static LogicalResult lowerWait(ttng::WaitBarrierOp op, Lowering &lowering) {
  Value predicate = op.getPred() ? lowering.scalar(op.getPred()) : Value();
  ptx::mbarrierTryWaitParity(lowering.b, predicate, sharedAddress(lowering, op.getAlloc()),
                             lowering.scalar(op.getPhase()));
  return success();
}

static LogicalResult lowerCopyArrive(ttng::AsyncCopyMbarrierArriveOp op, Lowering &lowering) {
  // Every thread arrives once its own copies are there.
  Builder &b = lowering.b;
  NVVM::CpAsyncMBarrierArriveOp::create(b, lowering.values(op.getBarrier()).front(),
                                        b.getIntegerAttr(b.getI1Type(), op.getNoIncrement()));
  return success();
}

void addBarrierObjectLowerings(LoweringTable &table) {
  table.add<ttng::InitBarrierOp>(lowerInit);
  table.add<ttng::InvalBarrierOp>(lowerInval);
  table.add<ttng::BarrierExpectOp>(lowerExpect);
  table.add<ttng::ArriveBarrierOp>(lowerArrive);
  table.add<ttng::WaitBarrierOp>(lowerWait);
  table.add<ttng::AsyncCopyMbarrierArriveOp>(lowerCopyArrive);
}

} // namespace tilescope::compiler
