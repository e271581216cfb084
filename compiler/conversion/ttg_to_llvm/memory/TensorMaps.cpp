// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Descriptions of tensors that the kernel itself writes. One thread fills in the fields in shared
// memory; its warp then publishes them in global memory, where bulk copies read them.
// Source: PTX ISA, "tensormap.replace", "tensormap.cp_fenceproxy".
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilescope::compiler {

/// Sets the fields of the description at `address`.
static void writeFields(ttng::TensormapCreateOp op, Lowering &lowering, Value address) {
  Builder &b = lowering.b;
  const auto set = [&](StringRef field, auto value) {
    ptx::tensormapReplace(b, address, field, value);
  };
  const auto setEach = [&](StringRef field, ValueRange values) {
    for (auto [index, value] : llvm::enumerate(values))
      ptx::tensormapReplace(b, address, field, lowering.scalar(value), index);
  };
  set("global_address", lowering.scalar(op.getGlobalAddress()));
  set("rank", int64_t(op.getBoxDim().size()) - 1);
  setEach("box_dim", op.getBoxDim());
  setEach("global_dim", op.getGlobalDim());
  setEach("global_stride", op.getGlobalStride());
  setEach("element_stride", op.getElementStride());
  set("elemtype", int64_t(op.getElemType()));
  set("interleave_layout", int64_t(op.getInterleaveLayout()));
  set("swizzle_mode", int64_t(op.getSwizzleMode()));
  set("fill_mode", int64_t(op.getFillMode()));
}

static LogicalResult lowerCreate(ttng::TensormapCreateOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  if (lowering.capability() < 90)
    return op.emitError("`") << op->getName() << "` needs a GPU of sm_90 or later";
  Value scratch = lowering.sharedPointer(op);
  Value address =
      LLVM::ZExtOp::create(b, b.getI64Type(), LLVM::PtrToIntOp::create(b, b.getI32Type(), scratch));
  Value lane = lowering.threadId();
  Value inFirstWarp = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ult, lane, i32Constant(b, 32));
  const auto meetWarp = [&] { callIntrinsic(b, "llvm.nvvm.bar.warp.sync", {i32Constant(b, -1)}); };
  lowering.emitIf(inFirstWarp, [&] {
    constexpr int64_t kWordBytes = 4;
    static_assert(kTensorMapBytes == 32 * kWordBytes);
    LLVM::StoreOp::create(b, i32Constant(b, 0), elementPointer(b, scratch, b.getI32Type(), lane));
    meetWarp();
    lowering.emitIf(lowering.isFirstThread(), [&] { writeFields(op, lowering, address); });
    meetWarp();
    ptx::tensormapCpFenceproxy(b, lowering.scalar(op.getDescPtr()), address);
  });
  lowering.barrier();
  return success();
}

static LogicalResult lowerAcquire(ttng::TensormapFenceproxyAcquireOp op, Lowering &lowering) {
  Value generic = LLVM::AddrSpaceCastOp::create(
      lowering.b, LLVM::LLVMPointerType::get(op.getContext()), lowering.scalar(op.getDescPtr()));
  NVVM::FenceProxyAcquireOp::create(lowering.b, NVVM::MemScopeKind::GPU, generic,
                                    i32Constant(lowering.b, kTensorMapBytes));
  return success();
}

static LogicalResult lowerReinterpret(ttng::ReinterpretTensorDescOp op, Lowering &lowering) {
  lowering.set(
      op, {LLVM::AddrSpaceCastOp::create(lowering.b, LLVM::LLVMPointerType::get(op.getContext()),
                                         lowering.scalar(op.getRawDesc()))});
  return success();
}

void addTensorMapLowerings(LoweringTable &table) {
  table.add<ttng::TensormapCreateOp>(lowerCreate);
  table.add<ttng::TensormapFenceproxyAcquireOp>(lowerAcquire);
  table.add<ttng::ReinterpretTensorDescOp>(lowerReinterpret);
}

} // namespace tilescope::compiler
