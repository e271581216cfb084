// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How encodings of shared memory are written.
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/EncodingFields.h"
#include "compiler/layout/Encodings.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

namespace tilescope::ttg {

using compiler::Dim;
using compiler::LinearLayout;

static constexpr std::pair<StringRef, Dim> kShared[] = {{"offset", Dim::Offset},
                                                        {"block", Dim::Block}};

Attribute SwizzledSharedEncodingAttr::parse(AsmParser &parser, Type) {
  EncodingFields fields(parser);
  unsigned vec = fields.number("vec"), perPhase = fields.number("perPhase");
  unsigned maxPhase = fields.number("maxPhase");
  SmallVector<unsigned> order = fields.numbers("order");
  return fields.make<SwizzledSharedEncodingAttr>(vec, perPhase, maxPhase, ArrayRef<unsigned>(order),
                                                 fields.cga(order.size()));
}

void SwizzledSharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{vec = " << getVec() << ", perPhase = " << getPerPhase()
          << ", maxPhase = " << getMaxPhase();
  printNumbers(printer, ", order", getOrder());
  printCga(printer, getCgaLayout());
  printer << "}>";
}

Attribute PaddedSharedEncodingAttr::parse(AsmParser &parser, Type) {
  SmallVector<unsigned> intervals, paddings;
  auto parseRule = [&]() -> ParseResult {
    return failure(parser.parseInteger(intervals.emplace_back()) || parser.parseColon() ||
                   parser.parsePlus() || parser.parseInteger(paddings.emplace_back()));
  };
  if (parser.parseLess() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRule))
    return {};
  EncodingFields fields(parser, /*inBrackets=*/false);
  LinearLayout layout;
  if (fields.has("order")) {
    SmallVector<unsigned> order = fields.numbers("order"), extents = fields.numbers("shape");
    SmallVector<int64_t> shape(extents.begin(), extents.end());
    CgaLayoutAttr cga = fields.cga(order.size());
    if (order.empty() || order.size() != shape.size() || !llvm::all_of(shape, llvm::isPowerOf2_64))
      fields.fail("order and shape must fit, and extents be powers of two");
    else if (!isPermutationVector(SmallVector<int64_t>(order.begin(), order.end())))
      fields.fail("order must be a permutation of the dimensions");
    if (fields.failed())
      return {};
    layout = compiler::unpaddedSharedLayout({shape.data(), shape.size()},
                                            {order.data(), order.size()}, getClusterLayout(cga));
  } else {
    layout = layoutFromBases(fields, kShared);
  }
  if (parser.parseGreater())
    return {};
  return fields.make<PaddedSharedEncodingAttr>(ArrayRef<unsigned>(intervals),
                                               ArrayRef<unsigned>(paddings), layout);
}

void PaddedSharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(llvm::zip(getIntervals(), getPaddings()), printer, [&](auto rule) {
    printer << std::get<0>(rule) << ":+" << std::get<1>(rule);
  });
  printer << "] {";
  const LinearLayout &layout = getLinearLayout();
  CgaLayoutAttr cga = ::tilescope::ttg::getCgaLayout(*this);
  std::vector<unsigned> order = compiler::registerOrder(layout, getRank());
  SmallVector<int64_t> shape;
  for (unsigned dim = 0; dim < getRank(); ++dim)
    shape.push_back(layout.outSize(compiler::tensorDim(dim)));
  // Triton reads the short form for a single thread block only.
  if (cga.getNumBits() == 0 && compiler::unpaddedSharedLayout({shape.data(), shape.size()}, order,
                                                              getClusterLayout(cga)) == layout) {
    printNumbers(printer, "order", order);
    printNumbers(printer, ", shape", SmallVector<unsigned>(shape.begin(), shape.end()));
  } else {
    printBases(printer, "offset", layout, Dim::Offset);
    printBases(printer, ", block", layout, Dim::Block);
  }
  printer << "}>";
}

Attribute SharedLinearEncodingAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  EncodingFields fields(parser, /*inBrackets=*/false);
  LinearLayout layout = layoutFromBases(fields, kShared);
  unsigned alignment = 16;
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("alignment") || parser.parseEqual() || parser.parseInteger(alignment)))
    return {};
  if (parser.parseGreater())
    return {};
  return fields.make<SharedLinearEncodingAttr>(layout, alignment);
}

void SharedLinearEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{";
  printBases(printer, "offset", getLinearLayout(), Dim::Offset);
  if (getLinearLayout().inBits(Dim::Block) > 0)
    printBases(printer, ", block", getLinearLayout(), Dim::Block);
  printer << "}, alignment = " << getLayoutAlignment() << ">";
}

Attribute NvmmaSharedEncodingAttr::parse(AsmParser &parser, Type) {
  EncodingFields fields(parser);
  unsigned swizzle = fields.number("swizzlingByteWidth"), bits = fields.number("elementBitWidth");
  bool transposed = fields.flag("transposed");
  bool fp4Padded = fields.has("fp4Padded") && fields.flag("fp4Padded");
  unsigned rank = fields.numberOr("rank", 2);
  if (fields.has("CGALayout")) {
    Bases bases = fields.bases("CGALayout");
    rank = bases.empty() ? rank : bases.front().size();
  }
  return fields.make<NvmmaSharedEncodingAttr>(swizzle, transposed, bits, fp4Padded,
                                              fields.cga(rank));
}

void NvmmaSharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{swizzlingByteWidth = " << getSwizzlingByteWidth()
          << ", transposed = " << (getTransposed() ? "true" : "false")
          << ", elementBitWidth = " << getElementBitWidth();
  if (getFp4Padded())
    printer << ", fp4Padded = true";
  if (getCgaLayout().getNumBits() == 0 && getRank() != 2)
    printer << ", rank = " << getRank();
  printCga(printer, getCgaLayout());
  printer << "}>";
}

Attribute PartitionedSharedEncodingAttr::parse(AsmParser &parser, Type) {
  EncodingFields fields(parser);
  unsigned partitions = fields.number("numPartitions"), groups = fields.number("numGroups");
  unsigned dim = fields.number("partitionDim");
  return fields.make<PartitionedSharedEncodingAttr>(partitions, groups, dim,
                                                    fields.attribute("partitionLayout"));
}

void PartitionedSharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{numPartitions = " << getNumPartitions() << ", numGroups = " << getNumGroups()
          << ", partitionDim = " << getPartitionDim()
          << ", partitionLayout = " << getPartitionLayout() << "}>";
}

Attribute SharedMemorySpaceAttr::parse(AsmParser &parser, Type) {
  return SharedMemorySpaceAttr::get(parser.getContext());
}

void SharedMemorySpaceAttr::print(AsmPrinter &) const {}

} // namespace tilescope::ttg
