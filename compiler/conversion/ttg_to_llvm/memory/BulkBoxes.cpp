// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/memory/BulkBoxes.h"

#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/dialects/ttg/ir/Encodings.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/dialects/ttng/ir/TensorBox.h"
#include "compiler/support/BytesText.h"
#include "compiler/support/Counted.h"

using namespace mlir;

namespace tilescope::compiler {

std::string bulkCopyWords(Type descriptor) {
  constexpr int64_t kLineBytes = 128;
  const std::string carried = "a unit of its own carries out the bulk copy";
  const std::optional<ttng::TensorBox> box = ttng::tensorBox(descriptor);
  if (!box)
    return carried;
  const RankedTensorType block = ttng::describedBlock(descriptor);
  const int64_t elementBytes = sharedElementBytes(block.getElementType());
  std::string shape;
  int64_t elements = 1;
  for (const int64_t extent : box->extents) {
    shape += (shape.empty() ? "" : " x ") + std::to_string(extent);
    elements *= extent;
  }
  const SmallVector<int64_t> whole =
      ttg::getShapePerCta(ttg::getCgaLayout(block.getEncoding()), block.getShape());
  const int64_t boxes = ShapedType::getNumElements(whole) / elements;
  const int64_t rowBytes = box->extents.back() * elementBytes;
  const int64_t lines =
      boxes * (elements / box->extents.back()) * ((rowBytes + kLineBytes - 1) / kLineBytes);
  return carried + ": " + std::to_string(boxes) + (boxes == 1 ? " box of " : " boxes of ") + shape +
         " elements, " + bytesText(static_cast<uint64_t>(boxes * elements * elementBytes)) +
         " in " + counted(lines, "line") + " of memory";
}

} // namespace tilescope::compiler
