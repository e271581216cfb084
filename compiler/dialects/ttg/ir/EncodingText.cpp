// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How encodings of registers are written: `<{key = value, ...}>`.
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/EncodingFields.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#define GET_ATTRDEF_CLASSES
#include "compiler/dialects/ttg/ir/TritonGpuAttrs.cpp.inc"

namespace tilescope::ttg {

using compiler::Dim;

void TTGDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/dialects/ttg/ir/TritonGpuAttrs.cpp.inc"
      >();
}

static constexpr std::pair<StringRef, Dim> kDistributed[] = {
    {"register", Dim::Register}, {"lane", Dim::Lane}, {"warp", Dim::Warp}, {"block", Dim::Block}};

Attribute BlockedEncodingAttr::parse(AsmParser &parser, Type) {
  EncodingFields fields(parser);
  SmallVector<unsigned> order = fields.numbers("order");
  return fields.make<BlockedEncodingAttr>(
      fields.numbers("sizePerThread"), fields.numbers("threadsPerWarp"),
      fields.numbers("warpsPerCTA"), order, fields.cga(order.size()));
}

void BlockedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{";
  printNumbers(printer, "sizePerThread", getSizePerThread());
  printNumbers(printer, ", threadsPerWarp", getThreadsPerWarp());
  printNumbers(printer, ", warpsPerCTA", getWarpsPerCTA());
  printNumbers(printer, ", order", getOrder());
  printCga(printer, getCgaLayout());
  printer << "}>";
}

Attribute SliceEncodingAttr::parse(AsmParser &parser, Type) {
  EncodingFields fields(parser);
  unsigned dim = fields.number("dim");
  return fields.make<SliceEncodingAttr>(dim, fields.attribute("parent"));
}

void SliceEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{dim = " << getDim() << ", parent = " << getParent() << "}>";
}

Attribute LinearEncodingAttr::parse(AsmParser &parser, Type) {
  EncodingFields fields(parser);
  return fields.make<LinearEncodingAttr>(layoutFromBases(fields, kDistributed));
}

static void printDistributed(AsmPrinter &printer, const compiler::LinearLayout &layout) {
  printer << "<{";
  for (auto [name, dim] : kDistributed) {
    printBases(printer, name, layout, dim);
    printer << (dim == Dim::Block ? "}>" : ", ");
  }
}

void LinearEncodingAttr::print(AsmPrinter &printer) const {
  printDistributed(printer, getLinearLayout());
}

Attribute GenericLinearEncodingAttr::parse(AsmParser &parser, Type) {
  EncodingFields fields(parser);
  return fields.make<GenericLinearEncodingAttr>(layoutFromBases(fields, kDistributed));
}

void GenericLinearEncodingAttr::print(AsmPrinter &printer) const {
  printDistributed(printer, getLinearLayout());
}

Attribute NvidiaMmaEncodingAttr::parse(AsmParser &parser, Type) {
  EncodingFields fields(parser);
  unsigned major = fields.number("versionMajor"), minor = fields.numberOr("versionMinor", 0);
  SmallVector<unsigned> warps = fields.numbers("warpsPerCTA");
  return fields.make<NvidiaMmaEncodingAttr>(major, minor, warps, fields.cga(warps.size()),
                                            fields.numbers("instrShape"));
}

void NvidiaMmaEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{versionMajor = " << getVersionMajor() << ", versionMinor = " << getVersionMinor();
  printNumbers(printer, ", warpsPerCTA", getWarpsPerCTA());
  printCga(printer, getCgaLayout());
  printNumbers(printer, ", instrShape", getInstrShape());
  printer << "}>";
}

Attribute DotOperandEncodingAttr::parse(AsmParser &parser, Type) {
  EncodingFields fields(parser);
  unsigned opIdx = fields.number("opIdx"), kWidth = fields.numberOr("kWidth", 0);
  return fields.make<DotOperandEncodingAttr>(opIdx, fields.attribute("parent"), kWidth);
}

void DotOperandEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{opIdx = " << getOpIdx() << ", parent = " << getParent();
  if (getKWidth())
    printer << ", kWidth = " << getKWidth();
  printer << "}>";
}

} // namespace tilescope::ttg
