// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttng/ir/TensorBox.h"

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

using namespace mlir;

namespace tilescope::ttng {

std::optional<TensorBox> tensorBox(Type descriptor) {
  constexpr int64_t kBoxLimit = 256, kPixelLimit = 1024;
  RankedTensorType block = describedBlock(descriptor);
  auto shared = dyn_cast_or_null<ttg::NvmmaSharedEncodingAttr>(block.getEncoding());
  if (!shared || shared.getTransposed() || shared.getFp4Padded())
    return std::nullopt;
  TensorBox box{ttg::getShapePerCta(shared.getCgaLayout(), block.getShape()),
                shared.getSwizzlingByteWidth()};
  const bool isOfImages = isa<TensorDescIm2ColType>(descriptor);
  // Where the next pixels are depends on the images' extents, which only the descriptor knows.
  if (isOfImages && box.extents.front() > kPixelLimit)
    return std::nullopt;
  for (int64_t &extent : MutableArrayRef(box.extents).drop_front(isOfImages))
    extent = std::min(extent, kBoxLimit);
  if (box.swizzleBytes != 0)
    box.extents.back() =
        std::min<int64_t>(box.extents.back(), 8 * box.swizzleBytes / shared.getElementBitWidth());
  return box;
}

} // namespace tilescope::ttng
