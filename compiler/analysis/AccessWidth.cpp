// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How much of a block one thread can move at once: where axis information and layouts meet.
#include "compiler/analysis/AxisInfo.h"
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"

using namespace mlir;

namespace tilescope::compiler {

unsigned AxisInfoMap::accessWidth(Value pointers) const {
  auto type = dyn_cast<RankedTensorType>(pointers.getType());
  if (!type || !type.getEncoding())
    return 1;
  unsigned bits = tt::getElementBitWidth(tt::getPointeeType(type));
  unsigned fastest = ttg::fastestDims(type).front();
  int64_t width = std::min<int64_t>(alignedContiguity(pointers, fastest, bits),
                                    ttg::contiguousPerThread(type)[fastest]);
  return unsigned(width);
}

unsigned AxisInfoMap::maskAlignment(Value mask) const {
  auto type = dyn_cast<RankedTensorType>(mask.getType());
  const AxisInfo *info = find(mask);
  if (!type || !type.getEncoding() || !info)
    return 1;
  return unsigned(std::max<int64_t>(1, info->constancy[ttg::fastestDims(type).front()]));
}

} // namespace tilescope::compiler
