// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/Dialect.h"

using namespace mlir;

namespace tilescope::ttg {

LogicalResult AsyncCopyGlobalToLocalOp::verify() {
  MemDescType buffer = getResult().getType();
  auto values = cast<RankedTensorType>(tt::getPointeeType(getSrc().getType()));
  if (!buffer.getMutableMemory() || !isa<SharedMemorySpaceAttr>(buffer.getMemorySpace()))
    return emitOpError("needs a mutable buffer in shared memory");
  if (values.getShape() != buffer.getShape() || values.getElementType() != buffer.getElementType())
    return emitOpError("copies ") << values << " to a buffer with other elements, " << buffer;
  return success();
}

} // namespace tilescope::ttg
