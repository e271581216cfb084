// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/Types.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/dialects/tt/ir/TritonVersion.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#define GET_TYPEDEF_CLASSES
#include "compiler/dialects/tt/ir/TritonTypes.cpp.inc"

namespace tilescope::tt {

static constexpr int kGlobalAddressSpace = 1;

void TTDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/dialects/tt/ir/TritonTypes.cpp.inc"
      >();
}

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError, Type pointeeType,
                                  int addressSpace) {
  Type scalar = getElementTypeOrSelf(pointeeType);
  if (isa<RankedTensorType>(scalar) || !(scalar.isIntOrFloat() || isa<PointerType>(scalar)))
    return emitError() << "a pointer cannot point to " << pointeeType;
  return success();
}

Type PointerType::parse(AsmParser &parser) {
  Type pointee;
  int addressSpace = kGlobalAddressSpace;
  if (parser.parseLess() || parser.parseType(pointee))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseInteger(addressSpace))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<PointerType>(parser.getContext(), pointee, addressSpace);
}

void PointerType::print(AsmPrinter &printer) const {
  printer << "<" << getPointeeType();
  if (getAddressSpace() != kGlobalAddressSpace)
    printer << ", " << getAddressSpace();
  printer << ">";
}

RankedTensorType parseDescribedBlock(AsmParser &parser) {
  if (parser.parseLess())
    return {};
  RankedTensorType block;
  Type spelledOut;
  OptionalParseResult full = parser.parseOptionalType(spelledOut);
  if (full.has_value()) {
    block = dyn_cast_or_null<RankedTensorType>(spelledOut);
    if (failed(*full) || !block) {
      if (succeeded(*full))
        parser.emitError(parser.getNameLoc(), "expected a tensor type");
      return {};
    }
  } else {
    SmallVector<int64_t> shape;
    Type element;
    Attribute encoding;
    if (parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(element))
      return {};
    if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(encoding))
      return {};
    block = RankedTensorType::get(shape, element, encoding);
  }
  return parser.parseGreater() ? RankedTensorType() : block;
}

void printDescribedBlock(AsmPrinter &printer, RankedTensorType block) {
  if (PrintedVersion::of(block.getContext()) < kBareDescriptors) {
    printer << "<" << block << ">";
    return;
  }
  printer << "<";
  printer.printDimensionList(block.getShape());
  printer << "x" << block.getElementType();
  if (block.getEncoding())
    printer << ", " << block.getEncoding();
  printer << ">";
}

RankedTensorType signlessBlock(RankedTensorType block) {
  auto integer = dyn_cast<IntegerType>(block.getElementType());
  if (!integer || integer.isSignless())
    return block;
  return block.clone(IntegerType::get(block.getContext(), integer.getWidth()));
}

Type TensorDescType::parse(AsmParser &parser) {
  const RankedTensorType block = parseDescribedBlock(parser);
  return block ? TensorDescType::get(block) : Type();
}

void TensorDescType::print(AsmPrinter &printer) const {
  printDescribedBlock(printer, getBlockType());
}

RankedTensorType TensorDescType::getSignlessBlockType() const {
  return signlessBlock(getBlockType());
}

static Type withElement(Type type, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(element);
  return element;
}

Type getPointeeType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    auto pointer = dyn_cast<PointerType>(tensor.getElementType());
    return pointer ? tensor.clone(pointer.getPointeeType()) : type;
  }
  auto pointer = dyn_cast<PointerType>(type);
  return pointer ? pointer.getPointeeType() : type;
}

Type getI1SameShape(Type type) { return withElement(type, IntegerType::get(type.getContext(), 1)); }

Type getI32SameShape(Type type) {
  return withElement(type, IntegerType::get(type.getContext(), 32));
}

Type getPointerTypeSameShape(Type type) {
  return withElement(type, PointerType::get(getElementTypeOrSelf(type), kGlobalAddressSpace));
}

Type getPointerToElement(Type blockPointer) {
  auto pointer = cast<PointerType>(blockPointer);
  return PointerType::get(getElementTypeOrSelf(pointer.getPointeeType()),
                          pointer.getAddressSpace());
}

bool isTensorPointerType(Type type) {
  auto pointer = dyn_cast<PointerType>(type);
  return pointer && isa<RankedTensorType>(pointer.getPointeeType());
}

unsigned getElementBitWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<PointerType>(element) ? 64 : element.getIntOrFloatBitWidth();
}

} // namespace tilescope::tt
