// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/transforms/OperandBuffers.h"

#include "compiler/dialects/ttg/ir/LayoutBridge.h"

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
