// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/memory/AccessWords.h"
#include "compiler/conversion/ttg_to_llvm/memory/Buffers.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilescope::compiler {

static LogicalResult lowerAsyncCopy(ttg::AsyncCopyGlobalToLocalOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  if (op.getOther() && !llvm::all_of(lowering.values(op.getOther()), isZero))
    return op.emitError("what is masked off in an asynchronous copy can only become zero");
  auto type = cast<RankedTensorType>(op.getSrc().getType());
  if (failed(verifyParts(op, type, op.getResult().getType())))
    return failure();
  Type storage = storageType(lowering.elementType(op.getResult().getType().getElementType()));
  int bytes = storageBytes(storage);
  // The operation's own hint covers what was known before its operands were moved around.
  int width = std::max<int>(accessWidth(lowering, op.getSrc(), op.getMask()), op.getContiguity());
  const LinearLayout &layout = lowering.layout(type);
  SharedAccesses plan = planSharedAccesses(lowering, regionOf(lowering, op.getResult()), layout,
                                           storage, std::min(16, width * bytes));
  int chunk = plan.vectorElements * bytes;
  if (chunk < 4)
    return op.emitError("an asynchronous copy moves at least 4 bytes at once, this one ") << chunk;
  Value once = lowering.holdsOriginalInBlock(layout);
  for (const auto &[members, pointer] : plan.accesses) {
    Value from = lowering.values(op.getSrc())[members.front()], copied;
    if (op.getMask()) {
      // Nothing is read, and all filled with zeros, where the mask is false.
      Value mask = lowering.values(op.getMask())[members.front()];
      copied = LLVM::SelectOp::create(b, mask, i32Constant(b, chunk), i32Constant(b, 0));
    }
    if (once) {
      Value to = LLVM::PtrToIntOp::create(b, b.getI32Type(), pointer);
      ptx::cpAsync(b, once, to, from, chunk, copied);
    } else {
      // Past L1 where the instruction can.
      using Cache = NVVM::LoadCacheModifierKind;
      NVVM::CpAsyncOp::create(b, pointer, from, chunk, chunk == 16 ? Cache::CG : Cache::CA, copied);
    }
  }
  lowering.set(op.getToken(), {});
  return success();
}

static LogicalResult lowerCommit(ttg::AsyncCommitGroupOp op, Lowering &lowering) {
  NVVM::CpAsyncCommitGroupOp::create(lowering.b);
  lowering.set(op, {});
  return success();
}

static LogicalResult lowerWait(ttg::AsyncWaitOp op, Lowering &lowering) {
  NVVM::CpAsyncWaitGroupOp::create(lowering.b, op.getNum());
  lowering.set(op, {});
  return success();
}

void addAsyncCopyLowerings(LoweringTable &table) {
  table.add<ttg::AsyncCopyGlobalToLocalOp>(lowerAsyncCopy);
  table.add<ttg::AsyncCommitGroupOp>(lowerCommit);
  table.add<ttg::AsyncWaitOp>(lowerWait);
}

} // namespace tilescope::compiler
