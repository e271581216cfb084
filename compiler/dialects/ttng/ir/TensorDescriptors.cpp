// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttng/ir/Dialect.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#define GET_TYPEDEF_CLASSES
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuTypes.cpp.inc"

namespace tilescope::ttng {

void TTNGDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuTypes.cpp.inc"
      >();
}

RankedTensorType describedBlock(Type descriptor) {
  if (auto tiled = dyn_cast<tt::TensorDescType>(descriptor))
    return tiled.getBlockType();
  auto images = dyn_cast<TensorDescIm2ColType>(descriptor);
  return images ? images.getBlockType() : RankedTensorType();
}

Type TensorDescIm2ColType::parse(AsmParser &parser) {
  const SMLoc start = parser.getCurrentLocation();
  const RankedTensorType block = tt::parseDescribedBlock(parser);
  return block ? parser.getChecked<TensorDescIm2ColType>(start, block) : Type();
}

void TensorDescIm2ColType::print(AsmPrinter &printer) const {
  tt::printDescribedBlock(printer, getBlockType());
}

LogicalResult TensorDescIm2ColType::verify(function_ref<InFlightDiagnostic()> emitError,
                                           RankedTensorType block) {
  if (block.getRank() != 2)
    return emitError() << "images are loaded in blocks of pixels by channels, not of rank "
                       << block.getRank();
  return success();
}

} // namespace tilescope::ttng
