// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttng/ir/Dialect.h"

using namespace mlir;

namespace tilescope::ttng {

void WarpGroupDotOp::getBufferEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand *factor : {&getAMutable(), &getBMutable()})
    if (isa<ttg::MemDescType>(factor->get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), factor, ttg::SharedMemory::get());
}

void WarpGroupDotOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  getBufferEffects(effects);
  // Immutable buffers are values.
  llvm::erase_if(effects, [](const MemoryEffects::EffectInstance &effect) {
    return !cast<ttg::MemDescType>(effect.getValue().getType()).getMutableMemory();
  });
}

ttg::AccessMode WarpGroupDotOp::getAccessMode() {
  return {getIsAsync() ? ttg::Completion::ProductGroup : ttg::Completion::Immediate,
          ttg::Performer::AllThreads, ttg::MemoryProxy::WarpGroup};
}

// A factor in shared memory must lie as the instruction reads it. One in registers may have any
// layout of them: whether the instruction takes it as it is, is decided when it is lowered.
static LogicalResult verifyFactor(WarpGroupDotOp dot, Type type, StringRef name) {
  if (auto buffer = dyn_cast<ttg::MemDescType>(type)) {
    if (isa<ttg::NvmmaSharedEncodingAttr, ttg::SharedLinearEncodingAttr>(buffer.getEncoding()))
      return success();
    return dot.emitOpError("needs `") << name << "` in an `nvmma_shared` buffer";
  }
  auto factor = cast<RankedTensorType>(type);
  auto operand = dyn_cast_or_null<ttg::DotOperandEncodingAttr>(factor.getEncoding());
  if (!ttg::isDistributedEncoding(factor.getEncoding()) || (operand && operand.getOpIdx() != 0))
    return dot.emitOpError("needs `") << name << "` in registers as a left factor";
  return success();
}

LogicalResult WarpGroupDotOp::verify() {
  auto result = cast<RankedTensorType>(getType());
  auto a = cast<ShapedType>(getA().getType()), b = cast<ShapedType>(getB().getType());
  auto mma = dyn_cast_or_null<ttg::NvidiaMmaEncodingAttr>(result.getEncoding());
  if (!mma || !mma.isHopper())
    return emitOpError("needs a result in `nvidia_mma` of version 3");
  if (a.getRank() != 2 || b.getRank() != 2 || result.getRank() != 2)
    return emitOpError("multiplies matrices");
  if (a.getDimSize(0) != result.getDimSize(0) || b.getDimSize(1) != result.getDimSize(1) ||
      a.getDimSize(1) != b.getDimSize(0))
    return emitOpError("cannot multiply ") << a << " by " << b << " to " << result;
  if (failed(verifyFactor(*this, getA().getType(), "a")))
    return failure();
  return verifyFactor(*this, getB().getType(), "b");
}

LogicalResult WarpGroupDotWaitOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                                   ValueRange operands, DictionaryAttr,
                                                   OpaqueProperties, RegionRange,
                                                   SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

LogicalResult WarpGroupDotWaitOp::verify() {
  if (getInputs().empty())
    return emitOpError("needs the values that are waited for");
  return getPendings() < 0 ? emitOpError("waits for a negative number of products") : success();
}

} // namespace tilescope::ttng
