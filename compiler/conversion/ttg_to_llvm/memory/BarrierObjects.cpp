// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Barriers that are objects in shared memory. One thread arrives on behalf of its group of warps;
// all threads wait.
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/memory/Buffers.h"
#include "compiler/conversion/ttg_to_llvm/memory/BulkCopy.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

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

/// `mbarrier.{instruction} … [address]{rest}`, by one thread.
static LogicalResult byFirstThread(Lowering &lowering, Value barrier, Value predicate,
                                   const std::string &instruction, const std::string &rest = "") {
  inlineAsm(lowering.b, "@$0 mbarrier." + instruction + " [$1]" + rest + ";", "b,r", {},
            {firstThreadIf(lowering, predicate), sharedAddress(lowering, barrier)});
  return success();
}

static LogicalResult lowerInit(ttng::InitBarrierOp op, Lowering &lowering) {
  return byFirstThread(lowering, op.getAlloc(), {}, "init.shared::cta.b64",
                       ", " + std::to_string(op.getCount()));
}

static LogicalResult lowerInval(ttng::InvalBarrierOp op, Lowering &lowering) {
  return byFirstThread(lowering, op.getAlloc(), {}, "inval.shared::cta.b64");
}

static LogicalResult lowerExpect(ttng::BarrierExpectOp op, Lowering &lowering) {
  return byFirstThread(lowering, op.getAlloc(), op.getPred(), "arrive.expect_tx.shared::cta.b64 _,",
                       ", " + std::to_string(op.getSize()));
}

static LogicalResult lowerArrive(ttng::ArriveBarrierOp op, Lowering &lowering) {
  return byFirstThread(lowering, op.getAlloc(), op.getPred(), "arrive.shared::cta.b64 _,",
                       op.getCount() == 1 ? "" : ", " + std::to_string(op.getCount()));
}

static LogicalResult lowerWait(ttng::WaitBarrierOp op, Lowering &lowering) {
  std::string text = "{\n.reg .pred done;\n";
  std::string constraints = "r,r";
  SmallVector<Value> operands{sharedAddress(lowering, op.getAlloc()),
                              lowering.scalar(op.getPhase())};
  if (op.getPred()) {
    text += "@!$2 bra.uni skip;\n";
    constraints += ",b";
    operands.push_back(lowering.scalar(op.getPred()));
  }
  text += "again:\nmbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1;\n"
          "@!done bra.uni again;\n";
  text += op.getPred() ? "skip:\n}" : "}";
  inlineAsm(lowering.b, text, constraints, {}, operands);
  return success();
}

static LogicalResult lowerCopyArrive(ttng::AsyncCopyMbarrierArriveOp op, Lowering &lowering) {
  // Every thread arrives once its own copies are there.
  inlineAsm(lowering.b,
            std::string("cp.async.mbarrier.arrive") + (op.getNoIncrement() ? ".noinc" : "") +
                ".shared::cta.b64 [$0];",
            "r", {}, {sharedAddress(lowering, op.getBarrier())});
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
