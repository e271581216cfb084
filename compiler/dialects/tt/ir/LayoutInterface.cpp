// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/LayoutInterface.h"

#include "mlir/IR/Dialect.h"

using namespace mlir;

namespace tilescope::tt {

const InferLayoutInterface *getInferLayoutInterface(Attribute encoding) {
  return encoding ? encoding.getDialect().getRegisteredInterface<InferLayoutInterface>() : nullptr;
}

bool areCompatibleTypes(Type a, Type b) {
  if (a == b)
    return true;
  auto tensorA = dyn_cast<RankedTensorType>(a), tensorB = dyn_cast<RankedTensorType>(b);
  if (!tensorA || !tensorB || tensorA.getShape() != tensorB.getShape() ||
      tensorA.getElementType() != tensorB.getElementType())
    return false;
  Attribute encodingA = tensorA.getEncoding(), encodingB = tensorB.getEncoding();
  if (!encodingA || !encodingB)
    // Inference has nothing to say about encodings of a dialect without the interface.
    return !getInferLayoutInterface(encodingA ? encodingA : encodingB);
  const InferLayoutInterface *layouts = getInferLayoutInterface(encodingA);
  return layouts && layouts->areEquivalent(tensorA.getShape(), encodingA, encodingB);
}

} // namespace tilescope::tt
