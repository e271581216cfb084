// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/Types.h"

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/MemoryInterface.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#define GET_TYPEDEF_CLASSES
#include "compiler/dialects/ttg/ir/TritonGpuTypes.cpp.inc"

namespace tilescope::ttg {

void TTGDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/dialects/ttg/ir/TritonGpuTypes.cpp.inc"
      >();
}

Type MemDescType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape, allocShape;
  Type elementType;
  Attribute encoding, memorySpace;
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma() || parser.parseAttribute(encoding) ||
      parser.parseComma() || parser.parseAttribute(memorySpace))
    return {};
  bool mutableMemory = false;
  if (succeeded(parser.parseOptionalComma())) {
    mutableMemory = succeeded(parser.parseOptionalKeyword("mutable"));
    bool more = !mutableMemory || succeeded(parser.parseOptionalComma());
    if (more && parser.parseDimensionList(allocShape, /*allowDynamic=*/false,
                                          /*withTrailingX=*/false))
      return {};
  }
  if (parser.parseGreater())
    return {};
  if (allocShape.empty())
    allocShape = shape;
  return MemDescType::getChecked([&] { return parser.emitError(start); }, parser.getContext(),
                                 shape, elementType, encoding, memorySpace, mutableMemory,
                                 allocShape);
}

void MemDescType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << "x" << getElementType() << ", " << getEncoding() << ", " << getMemorySpace();
  if (getMutableMemory())
    printer << ", mutable";
  if (getShape() != getAllocShape()) {
    printer << ", ";
    printer.printDimensionList(getAllocShape());
  }
  printer << ">";
}

LogicalResult MemDescType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> shape, Type elementType, Attribute encoding,
                                  Attribute memorySpace, bool mutableMemory,
                                  ArrayRef<int64_t> allocShape) {
  if (shape.empty())
    return emitError() << "a buffer needs at least one dimension";
  if (allocShape.size() < shape.size())
    return emitError() << "the allocated shape has fewer dimensions than the view";
  if (const MemoryInterface *memory = MemoryInterface::of(memorySpace)) {
    if (!memory->fits(memorySpace, encoding))
      return emitError() << "a buffer in " << memorySpace << " cannot have the encoding "
                         << encoding;
  } else if (!isa<SharedMemorySpaceAttr>(memorySpace) || !isSharedEncoding(encoding)) {
    return emitError() << "a buffer needs an encoding of shared memory, not " << encoding;
  }
  // A stack of buffers has one dimension more than its encoding.
  unsigned rank = getEncodingRank(encoding);
  if (shape.size() != rank && shape.size() != rank + 1)
    return emitError() << "a buffer of rank " << shape.size() << " does not fit the encoding "
                       << encoding << " of rank " << rank;
  for (int64_t extent : shape.take_back(rank))
    if (!llvm::isPowerOf2_64(extent))
      return emitError() << "the extents of a buffer must be powers of two";
  return success();
}

} // namespace tilescope::ttg
