// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What thread blocks of a cluster do together; and cluster launch control, by which a block takes over the work of one that has not started. Source: PTX ISA,
// "clusterlaunchcontrol".
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilescope::compiler {

static void arrive(Builder &b, bool isRelaxed) {
  if (isRelaxed)
    NVVM::ClusterArriveRelaxedOp::create(b, b.getUnitAttr());
  else
    NVVM::ClusterArriveOp::create(b, b.getUnitAttr());
}

static LogicalResult lowerBarrier(ttng::ClusterBarrierOp op, Lowering &lowering) {
  if (lowering.numCtas() > 1 && !op.getRelaxed())
    return lowering.clusterBarrier(op);
  if (lowering.numCtas() > 1) {
    arrive(lowering.b, /*isRelaxed=*/true);
    NVVM::ClusterWaitOp::create(lowering.b, lowering.b.getUnitAttr());
    return success();
  }
  lowering.barrier();
  return success();
}

static LogicalResult lowerArrive(ttng::ClusterArriveOp op, Lowering &lowering) {
  // In a cluster of one block, the threads meet where they wait: no thread passes the wait before
  // all have arrived.
  if (lowering.numCtas() > 1)
    arrive(lowering.b, op.getRelaxed().value_or(false));
  return success();
}

static LogicalResult lowerWait(ttng::ClusterWaitOp, Lowering &lowering) {
  if (lowering.numCtas() > 1)
    NVVM::ClusterWaitOp::create(lowering.b, lowering.b.getUnitAttr());
  else
    lowering.barrier();
  return success();
}

static LogicalResult lowerFence(ttng::FenceMBarrierInitReleaseClusterOp, Lowering &lowering) {
  Builder &b = lowering.b;
  lowering.emitIf(lowering.isFirstThread(), [&] { NVVM::FenceMbarrierInitOp::create(b); });
  return success();
}

static LogicalResult verifyTarget(Operation *op, Lowering &lowering) {
  if (lowering.capability() < 100)
    return op->emitError("cluster launch control needs a GPU of sm_100 or newer, not sm_")
           << lowering.capability();
  return success();
}

static LogicalResult lowerTryCancel(ttng::CLCTryCancelOp op, Lowering &lowering) {
  if (failed(verifyTarget(op, lowering)))
    return failure();
  Builder &b = lowering.b;
  lowering.emitIf(lowering.isFirstThread(), [&] {
    NVVM::ClusterLaunchControlTryCancelOp::create(b, /*multicast=*/UnitAttr(),
                                                  lowering.values(op.getResult()).front(),
                                                  lowering.values(op.getMbarrier()).front());
  });
  return success();
}

static LogicalResult lowerLoadResult(ttng::CLCLoadResultOp op, Lowering &lowering) {
  constexpr int kAnswerBytes = 16;
  Builder &b = lowering.b;
  lowering.set(op, {LLVM::LoadOp::create(b, b.getIntegerType(8 * kAnswerBytes),
                                         lowering.values(op.getSrc()).front(), kAnswerBytes)});
  return success();
}

static LogicalResult lowerIsCanceled(ttng::CLCIsCanceledOp op, Lowering &lowering) {
  if (failed(verifyTarget(op, lowering)))
    return failure();
  Builder &b = lowering.b;
  lowering.set(op, {NVVM::ClusterLaunchControlQueryCancelOp::create(
                       b, b.getI1Type(), NVVM::ClusterLaunchControlQueryType::IS_CANCELED,
                       lowering.scalar(op.getClcResult()))});
  return success();
}

static LogicalResult lowerProgramId(ttng::CLCGetProgramIdOp op, Lowering &lowering) {
  if (failed(verifyTarget(op, lowering)))
    return failure();
  Builder &b = lowering.b;
  using Query = NVVM::ClusterLaunchControlQueryType;
  const Query query = op.getDim() == tt::ProgramIDDim::X   ? Query::GET_FIRST_CTA_ID_X
                      : op.getDim() == tt::ProgramIDDim::Y ? Query::GET_FIRST_CTA_ID_Y
                                                           : Query::GET_FIRST_CTA_ID_Z;
  lowering.set(op, {NVVM::ClusterLaunchControlQueryCancelOp::create(
                       b, b.getI32Type(), query, lowering.scalar(op.getClcResult()))});
  return success();
}

void addClusterLowerings(LoweringTable &table) {
  table.add<ttng::ClusterBarrierOp>(lowerBarrier);
  table.add<ttng::ClusterArriveOp>(lowerArrive);
  table.add<ttng::ClusterWaitOp>(lowerWait);
  table.add<ttng::FenceMBarrierInitReleaseClusterOp>(lowerFence);
  table.add<ttng::CLCTryCancelOp>(lowerTryCancel);
  table.add<ttng::CLCLoadResultOp>(lowerLoadResult);
  table.add<ttng::CLCIsCanceledOp>(lowerIsCanceled);
  table.add<ttng::CLCGetProgramIdOp>(lowerProgramId);
}

} // namespace tilescope::compiler
