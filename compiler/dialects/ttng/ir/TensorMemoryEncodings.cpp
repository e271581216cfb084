// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/TritonVersion.h"
#include "compiler/dialects/ttg/ir/EncodingFields.h"
#include "compiler/dialects/ttg/ir/MemoryInterface.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/layout/TensorMemory.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#define GET_ATTRDEF_CLASSES
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuAttrs.cpp.inc"

namespace tilescope::ttng {

/// The layout of what one thread block of the cluster holds, and where the blocks' parts are.
static compiler::LinearLayout
inCluster(ArrayRef<int64_t> shape, ttg::CgaLayoutAttr cga,
          function_ref<compiler::LinearLayout(compiler::Shape)> layoutOfPart) {
  const SmallVector<int64_t> part = ttg::getShapePerCta(cga, shape);
  const compiler::LinearLayout layout = layoutOfPart({part.data(), part.size()});
  if (cga.getNumBits() == 0)
    return layout;
  return compiler::fitToShape(layout, ttg::getClusterLayout(cga), {shape.data(), shape.size()});
}

namespace {
struct TensorMemoryInterface : public ttg::MemoryInterface {
  using MemoryInterface::MemoryInterface;

  bool fits(Attribute memorySpace, Attribute encoding) const final {
    return isa<TensorMemorySpaceAttr>(memorySpace) &&
           isa<TensorMemoryEncodingAttr, TensorMemoryScalesEncodingAttr>(encoding);
  }
  unsigned rankOf(Attribute) const final { return 2; }
  compiler::LinearLayout layoutOf(ArrayRef<int64_t> shape, Attribute encoding) const final {
    if (auto plain = dyn_cast<TensorMemoryEncodingAttr>(encoding))
      return inCluster(shape, plain.getCgaLayout(), [&](compiler::Shape extents) {
        return compiler::tensorMemoryLayout(
            extents, {plain.getBlockM(), plain.getBlockN(), plain.getColStride()});
      });
    auto scales = cast<TensorMemoryScalesEncodingAttr>(encoding);
    const bool alongFirst = scales.getBlockRepOrder() == ScaleBlockOrder::K_THEN_MN;
    return inCluster(shape, scales.getCgaLayout(), [&](compiler::Shape extents) {
      return compiler::tensorMemoryScalesLayout(extents, alongFirst);
    });
  }
};

struct AliasInterface : public OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const final {
    if (isa<TensorMemoryEncodingAttr>(attr))
      os << "tmem";
    else if (isa<TensorMemoryScalesEncodingAttr>(attr))
      os << "tmem_scales";
    else
      return AliasResult::NoAlias;
    return AliasResult::FinalAlias;
  }
};
} // namespace

void TTNGDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/dialects/ttng/ir/TritonNvidiaGpuAttrs.cpp.inc"
      >();
  addInterfaces<TensorMemoryInterface, AliasInterface>();
}

/// `key = value, …` in angle brackets, in any order; each key at most once.
static ParseResult parseParameters(AsmParser &parser,
                                   function_ref<ParseResult(StringRef key)> parseValue) {
  SmallVector<StringRef> seen;
  const auto parseOne = [&]() -> ParseResult {
    StringRef key;
    SMLoc start = parser.getCurrentLocation();
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return failure();
    if (llvm::is_contained(seen, key))
      return parser.emitError(start, "duplicate parameter `") << key << "`";
    seen.push_back(key);
    return parseValue(key);
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseOne);
}

namespace {
/// How a cluster divides a block: what `CGALayout` says now, and two numbers said up to 3.7.
struct ClusterText {
  SmallVector<int32_t> bases;
  unsigned splitM = 1, splitN = 1;

  /// Whether `key` is one of the cluster's, and then the result of reading its value.
  OptionalParseResult parse(AsmParser &parser, StringRef key) {
    if (key == "CGALayout")
      return ttg::parseCgaBases(parser, bases, 2);
    if (key == "CTASplitM")
      return parser.parseInteger(splitM);
    if (key == "CTASplitN")
      return parser.parseInteger(splitN);
    return std::nullopt;
  }

  ttg::CgaLayoutAttr layout(AsmParser &parser) const {
    SmallVector<int32_t> all = bases;
    for (unsigned step = 1; step < splitN; step *= 2)
      all.append({0, int32_t(step)});
    for (unsigned step = 1; step < splitM; step *= 2)
      all.append({int32_t(step), 0});
    return ttg::CgaLayoutAttr::get(parser.getContext(), 2, all);
  }
};
} // namespace

static ParseResult unknownParameter(AsmParser &parser, StringRef key) {
  return parser.emitError(parser.getCurrentLocation(), "unknown parameter `") << key << "`";
}

static ParseResult parseFlag(AsmParser &parser, bool &flag) {
  StringRef word;
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  if (word != "true" && word != "false")
    return parser.emitError(start, "expected true or false");
  flag = word == "true";
  return success();
}

/// Prints the cluster behind other parameters (or, where `comma` is empty, first); returns whether
/// there was something to print.
static bool printCluster(AsmPrinter &printer, ttg::CgaLayoutAttr cga, StringRef comma) {
  if (cga.getNumBits() == 0)
    return false;
  if (tt::PrintedVersion::of(cga.getContext()) >= tt::kTensorMemoryClusters) {
    printer << comma << "CGALayout = ";
    ttg::printCgaBases(printer, cga);
    return true;
  }
  const compiler::LinearLayout layout = ttg::getClusterLayout(cga);
  for (auto [dim, name] : {std::pair(0, "CTASplitM"), std::pair(1, "CTASplitN")})
    if (const int64_t pieces = layout.outSize(compiler::tensorDim(dim)); pieces > 1) {
      printer << comma << name << " = " << pieces;
      comma = ", ";
    }
  return true;
}

Attribute TensorMemoryEncodingAttr::parse(AsmParser &parser, Type) {
  unsigned blockM = 0, blockN = 0, colStride = 0;
  bool twoCTAs = false, fp4Padded = false, unpacked = false;
  ClusterText cluster;
  SMLoc start = parser.getCurrentLocation();
  if (parseParameters(parser, [&](StringRef key) -> ParseResult {
        for (auto [name, number] : {std::pair("blockM", &blockM), std::pair("blockN", &blockN),
                                    std::pair("colStride", &colStride)})
          if (key == name)
            return parser.parseInteger(*number);
        if (key == "twoCTAs")
          return parseFlag(parser, twoCTAs);
        // Up to 3.5, which had 16 bits in mind: each in a column of its own, or two in one.
        if (key == "unpacked") {
          if (parseFlag(parser, unpacked))
            return failure();
          colStride = unpacked ? 2 : 1;
          return success();
        }
        if (key == "fp4Padded")
          return parseFlag(parser, fp4Padded);
        OptionalParseResult known = cluster.parse(parser, key);
        return known.has_value() ? *known : unknownParameter(parser, key);
      }))
    return {};
  return parser.getChecked<TensorMemoryEncodingAttr>(start, parser.getContext(), blockM, blockN,
                                                     colStride, cluster.layout(parser), twoCTAs,
                                                     fp4Padded);
}

void TensorMemoryEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<blockM = " << getBlockM() << ", blockN = " << getBlockN()
          << ", colStride = " << getColStride();
  printCluster(printer, getCgaLayout(), ", ");
  printer << (getTwoCTAs() ? ", twoCTAs = true" : "")
          << (getFp4Padded() ? ", fp4Padded = true" : "") << ">";
}

Attribute TensorMemoryScalesEncodingAttr::parse(AsmParser &parser, Type) {
  ScaleBlockOrder order = ScaleBlockOrder::MN_THEN_K;
  ClusterText cluster;
  if (parseParameters(parser, [&](StringRef key) -> ParseResult {
        OptionalParseResult known = cluster.parse(parser, key);
        if (known.has_value())
          return *known;
        StringRef word;
        SMLoc start = parser.getCurrentLocation();
        if (key != "blockRepOrder" || parser.parseKeyword(&word))
          return unknownParameter(parser, key);
        std::optional<ScaleBlockOrder> named = symbolizeScaleBlockOrder(word);
        if (!named)
          return parser.emitError(start, "expected mnThenK or kThenMn");
        order = *named;
        return success();
      }))
    return {};
  return get(parser.getContext(), cluster.layout(parser), order);
}

void TensorMemoryScalesEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<";
  const bool hasCluster = printCluster(printer, getCgaLayout(), "");
  if (getBlockRepOrder() != ScaleBlockOrder::MN_THEN_K)
    printer << (hasCluster ? ", " : "")
            << "blockRepOrder = " << stringifyScaleBlockOrder(getBlockRepOrder());
  printer << ">";
}

LogicalResult TensorMemoryEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                               unsigned blockM, unsigned blockN, unsigned colStride,
                                               ttg::CgaLayoutAttr, bool, bool) {
  if (blockM != 64 && blockM != 128)
    return emitError() << "blockM must be 64 or 128, not " << blockM;
  if (!llvm::isPowerOf2_32(blockN) || blockN > 512)
    return emitError() << "blockN must be a power of two up to 512, not " << blockN;
  if (!llvm::isPowerOf2_32(colStride) || colStride > 4)
    return emitError() << "colStride must be 1, 2 or 4, not " << colStride;
  return success();
}

} // namespace tilescope::ttng
