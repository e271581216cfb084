// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Descriptions of tensors that the kernel itself writes. One thread fills in the fields in shared
// memory; its warp then publishes them in global memory, where bulk copies read them.
// Source: PTX ISA, "tensormap.replace", "tensormap.cp_fenceproxy".
#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

using namespace mlir;

namespace tilescope::compiler {

namespace {
/// Sets fields of the description at `address`.
class FieldWriter {
public:
  FieldWriter(Lowering &lowering, Value address) : m_lowering(lowering), m_address(address) {}

  void set(StringRef field, int64_t value) {
    emit(field, "b32", ", " + std::to_string(value), "", {});
  }
  void set(StringRef field, Value value) {
    const bool isWide =
        isa<LLVM::LLVMPointerType>(value.getType()) || value.getType().isInteger(64);
    emit(field, isWide ? "b64" : "b32", ", $1", isWide ? ",l" : ",r", {value});
  }
  void setEach(StringRef field, ValueRange values) {
    for (auto [index, source] : llvm::enumerate(values)) {
      Value value = m_lowering.scalar(source);
      const bool isWide = value.getType().isInteger(64);
      emit(field, isWide ? "b64" : "b32", ", " + std::to_string(index) + ", $1",
           isWide ? ",l" : ",r", {value});
    }
  }

private:
  void emit(StringRef field, StringRef type, const std::string &rest, StringRef constraint,
            ArrayRef<Value> value) {
    SmallVector<Value> operands{m_address};
    operands.append(value.begin(), value.end());
    inlineAsm(
        m_lowering.b,
        ("tensormap.replace.tile." + field + ".shared::cta.b1024." + type + " [$0]" + rest + ";")
            .str(),
        ("l" + constraint).str(), {}, operands);
  }

  Lowering &m_lowering;
  Value m_address;
};
} // namespace

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
    lowering.emitIf(lowering.isFirstThread(), [&] {
      FieldWriter fields(lowering, address);
      fields.set("global_address", lowering.scalar(op.getGlobalAddress()));
      fields.set("rank", int64_t(op.getBoxDim().size()) - 1);
      fields.setEach("box_dim", op.getBoxDim());
      fields.setEach("global_dim", op.getGlobalDim());
      fields.setEach("global_stride", op.getGlobalStride());
      fields.setEach("element_stride", op.getElementStride());
      fields.set("elemtype", op.getElemType());
      fields.set("interleave_layout", op.getInterleaveLayout());
      fields.set("swizzle_mode", op.getSwizzleMode());
      fields.set("fill_mode", op.getFillMode());
    });
    meetWarp();
    inlineAsm(b,
              "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync."
              "aligned [$0], [$1], 128;",
              "l,l", {}, {lowering.scalar(op.getDescPtr()), address});
  });
  lowering.barrier();
  return success();
}

static LogicalResult lowerAcquire(ttng::TensormapFenceproxyAcquireOp op, Lowering &lowering) {
  Value generic = LLVM::AddrSpaceCastOp::create(
      lowering.b, LLVM::LLVMPointerType::get(op.getContext()), lowering.scalar(op.getDescPtr()));
  inlineAsm(lowering.b, "fence.proxy.tensormap::generic.acquire.gpu [$0], 128;", "l", {},
            {generic});
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
