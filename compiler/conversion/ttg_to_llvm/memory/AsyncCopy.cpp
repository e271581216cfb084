// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/memory/AccessWords.h"
#include "compiler/conversion/ttg_to_llvm/memory/Buffers.h"

using namespace mlir;

namespace tilescope::compiler {

static LogicalResult lowerAsyncCopy(ttg::AsyncCopyGlobalToLocalOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  if (op.getOther() && !llvm::all_of(lowering.values(op.getOther()), isZero))
    return op.emitError("what is masked off in an asynchronous copy can only become zero");
  auto type = cast<RankedTensorType>(op.getSrc().getType());
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
  std::string size = std::to_string(chunk);
  std::string text = std::string("cp.async.") + (chunk == 16 ? "cg" : "ca") +
                     ".shared.global [ $0 + 0 ], [ $1 + 0 ], " + size;
  Value once = lowering.holdsOriginal(layout);
  for (const auto &[members, pointer] : plan.accesses) {
    SmallVector<Value> operands{LLVM::PtrToIntOp::create(b, b.getI32Type(), pointer),
                                lowering.values(op.getSrc())[members.front()]};
    std::string code = text, constraints = "r,l";
    if (op.getMask()) {
      // Nothing is read, and all filled with zeros, where the mask is false.
      Value mask = lowering.values(op.getMask())[members.front()];
      operands.push_back(LLVM::SelectOp::create(b, mask, i32Constant(b, chunk), i32Constant(b, 0)));
      code += ", $2";
      constraints += ",r";
    }
    if (once) {
      code = "@$" + std::to_string(operands.size()) + " " + code;
      operands.push_back(once);
      constraints += ",b";
    }
    inlineAsm(b, code + ";", constraints, {}, operands);
  }
  lowering.set(op.getToken(), {});
  return success();
}

static LogicalResult lowerCommit(ttg::AsyncCommitGroupOp op, Lowering &lowering) {
  callIntrinsic(lowering.b, "llvm.nvvm.cp.async.commit.group", {});
  lowering.set(op, {});
  return success();
}

static LogicalResult lowerWait(ttg::AsyncWaitOp op, Lowering &lowering) {
  callIntrinsic(lowering.b, "llvm.nvvm.cp.async.wait.group",
                {i32Constant(lowering.b, op.getNum())});
  lowering.set(op, {});
  return success();
}

void addAsyncCopyLowerings(LoweringTable &table) {
  table.add<ttg::AsyncCopyGlobalToLocalOp>(lowerAsyncCopy);
  table.add<ttg::AsyncCommitGroupOp>(lowerCommit);
  table.add<ttg::AsyncWaitOp>(lowerWait);
}

} // namespace tilescope::compiler
