// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/OperandBuffers.h"

#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/transforms/ttg/LayoutTransfer.h"

using namespace mlir;

namespace tilescope::ttg {

static SwizzledSharedEncodingAttr encodingWith(RankedTensorType source,
                                               const compiler::SwizzleParameters &swizzle) {
  return SwizzledSharedEncodingAttr::get(source.getContext(), swizzle.vec, swizzle.perPhase,
                                         swizzle.maxPhase, fastestDims(source),
                                         getCgaLayout(source.getEncoding()));
}

SwizzledSharedEncodingAttr operandBufferEncoding(RankedTensorType source,
                                                 DotOperandEncodingAttr operand) {
  // Threads that multiply by themselves read whole rows; only matrix instructions read in tiles.
  if (!isa<NvidiaMmaEncodingAttr>(operand.getParent()) || operand.getKWidth() == 0)
    return plainBufferEncoding(source);
  CgaLayoutAttr cga = getCgaLayout(source.getEncoding());
  return encodingWith(source, compiler::operandSwizzle(getShapePerCta(cga, source.getShape()),
                                                       fastestDims(source), operand.getOpIdx(),
                                                       operand.getKWidth(),
                                                       tt::getElementBitWidth(source)));
}

SwizzledSharedEncodingAttr plainBufferEncoding(RankedTensorType source) {
  return encodingWith(source, {});
}

Operation *factorOf(Operation *load) {
  if (!load->hasOneUse())
    return nullptr;
  Operation *user = *load->user_begin();
  if (auto convert = dyn_cast<ConvertLayoutOp>(user)) {
    // The thread blocks of a cluster read their own copies only.
    Attribute encoding = convert.getType().getEncoding();
    return isa<DotOperandEncodingAttr>(encoding) &&
                   getCgaLayout(encoding) ==
                       getCgaLayout(
                           cast<RankedTensorType>(load->getResult(0).getType()).getEncoding())
               ? user
               : nullptr;
  }
  auto alloc = dyn_cast<LocalAllocOp>(user);
  auto encoding =
      alloc ? dyn_cast<NvmmaSharedEncodingAttr>(alloc.getType().getEncoding()) : nullptr;
  // Copies move pieces of rows as they are: of 4 bytes at least, so 32-bit elements may be turned.
  auto type = cast<RankedTensorType>(load->getResult(0).getType());
  const unsigned contiguous = encoding && encoding.getTransposed() ? 0 : type.getRank() - 1;
  const bool fits = fastestDims(type).front() == contiguous || tt::getElementBitWidth(type) == 32;
  return encoding && fits ? user : nullptr;
}

Attribute ringEncoding(Operation *load) {
  auto type = cast<RankedTensorType>(load->getResult(0).getType());
  Operation *factor = factorOf(load);
  if (auto alloc = dyn_cast_or_null<LocalAllocOp>(factor))
    return alloc.getType().getEncoding();
  if (auto convert = dyn_cast_or_null<ConvertLayoutOp>(factor))
    return operandBufferEncoding(type,
                                 cast<DotOperandEncodingAttr>(convert.getType().getEncoding()));
  return plainBufferEncoding(type);
}

int64_t storedBlockBytes(scf::ForOp loop) {
  int64_t most = 0;
  loop.walk([&](tt::StoreOp store) {
    if (auto convert = store.getValue().getDefiningOp<ConvertLayoutOp>()) {
      RankedTensorType type = convert.getType();
      most = std::max(most, ShapedType::getNumElements(shapePerBlock(type)) *
                                tt::getElementBitWidth(type) / 8);
    }
  });
  return most;
}

int64_t sharedMemoryLimit(int capability) {
  switch (capability) {
  case 86:
  case 89:
  case 120:
    return 99 * 1024;
  case 80:
  case 87:
    return 163 * 1024;
  default:
    return 227 * 1024;
  }
}

} // namespace tilescope::ttg
