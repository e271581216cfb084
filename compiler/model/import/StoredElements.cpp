// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/import/StoredElements.h"

using namespace mlir;

namespace tilescope::model {

uint64_t storedBytes(RankedTensorType type) {
  const Type element = type.getElementType();
  const uint64_t bits = element.isInteger(1) ? 8 : element.getIntOrFloatBitWidth();
  return (uint64_t(type.getNumElements()) * bits + 7) / 8;
}

ElementsAttr storedElements(RankedTensorType type, StringRef bytes) {
  if (type.getNumElements() == 0)
    return DenseElementsAttr::get(type, ArrayRef<Attribute>());
  if (!type.getElementType().isInteger(1))
    return DenseElementsAttr::getFromRawBuffer(type, ArrayRef(bytes.data(), bytes.size()));
  SmallVector<bool> values;
  for (const char byte : bytes)
    values.push_back(byte != 0);
  return DenseElementsAttr::get(type, values);
}

} // namespace tilescope::model
