// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How encodings are written: `<{key = value, ...}>`.
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/layout/Encodings.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#define GET_ATTRDEF_CLASSES
#include "compiler/dialects/ttg/ir/TritonGpuAttrs.cpp.inc"

namespace tilescope::ttg {

using compiler::Dim;
using compiler::LinearLayout;
using Bases = std::vector<std::vector<int32_t>>;

void TTGDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/dialects/ttg/ir/TritonGpuAttrs.cpp.inc"
      >();
}

namespace {

/// Reads the entries of a dictionary; after the first mistake everything reads as empty.
class Fields {
public:
  Fields(AsmParser &parser, bool inBrackets = true) : m_parser(parser) {
    m_start = parser.getCurrentLocation();
    m_failed = (inBrackets && parser.parseLess()) || parser.parseAttribute(m_dictionary) ||
               (inBrackets && parser.parseGreater());
  }

  bool failed() const { return m_failed; }
  bool has(StringRef name) const { return m_dictionary && m_dictionary.contains(name); }

  unsigned number(StringRef name) {
    auto value = get<Attribute>(name, "a number");
    return value ? toNumber(value) : 0;
  }
  unsigned numberOr(StringRef name, unsigned fallback) {
    return has(name) ? number(name) : fallback;
  }
  bool flag(StringRef name) {
    auto value = get<BoolAttr>(name, "true or false");
    return value && value.getValue();
  }
  Attribute attribute(StringRef name) { return get<Attribute>(name, "an attribute"); }

  SmallVector<unsigned> numbers(StringRef name) {
    SmallVector<unsigned> result;
    if (auto array = get<ArrayAttr>(name, "a list of numbers"))
      for (Attribute element : array)
        result.push_back(toNumber(element));
    return result;
  }
  Bases bases(StringRef name) {
    Bases result;
    auto array = get<ArrayAttr>(name, "a list of lists of numbers");
    for (Attribute basis : array ? array.getValue() : ArrayRef<Attribute>()) {
      auto values = dyn_cast<ArrayAttr>(basis);
      if (!values)
        return fail("expected a list of lists of numbers"), result;
      result.emplace_back();
      for (Attribute element : values)
        result.back().push_back(toNumber(element));
    }
    return result;
  }
  CgaLayoutAttr cga(unsigned rank) {
    SmallVector<int32_t> flat;
    if (has("CGALayout"))
      for (const std::vector<int32_t> &basis : bases("CGALayout")) {
        if (basis.size() != rank)
          fail("CGALayout does not fit the rank");
        llvm::append_range(flat, basis);
      }
    return m_failed ? CgaLayoutAttr() : CgaLayoutAttr::get(m_parser.getContext(), rank, flat);
  }

  void fail(const Twine &message) {
    if (!m_failed)
      m_parser.emitError(m_start, message);
    m_failed = true;
  }

  /// The attribute from its parameters, or null after a mistake.
  template <typename Attr, typename... Parameters> Attr make(Parameters &&...parameters) {
    if (m_failed)
      return {};
    return m_parser.getChecked<Attr>(m_start, m_parser.getContext(),
                                     std::forward<Parameters>(parameters)...);
  }

private:
  template <typename Attr> Attr get(StringRef name, const char *what) {
    if (m_failed)
      return {};
    auto value = dyn_cast_if_present<Attr>(m_dictionary.get(name));
    if (!value)
      fail(Twine("expected ") + name + " = " + what);
    return value;
  }
  int64_t toNumber(Attribute attribute) {
    auto value = dyn_cast<IntegerAttr>(attribute);
    if (value && value.getType().isSignlessIntOrIndex() && value.getValue().isSignedIntN(64))
      return value.getInt();
    fail("expected a number");
    return 0;
  }

  AsmParser &m_parser;
  SMLoc m_start;
  DictionaryAttr m_dictionary;
  bool m_failed = false;
};

/// A layout from the bases of its inputs; extents are the smallest that hold all of them.
LinearLayout layoutFromBases(Fields &fields, ArrayRef<std::pair<StringRef, Dim>> inputs,
                             int rank = 0) {
  std::vector<Bases> all;
  std::vector<int32_t> reached;
  for (auto [name, dim] : inputs) {
    // One thread block may go without saying.
    const bool isSingle = dim == Dim::Block && !fields.has(name);
    all.push_back(isSingle ? Bases() : fields.bases(name));
    for (const std::vector<int32_t> &basis : all.back()) {
      if (reached.empty())
        reached.resize(basis.size());
      if (basis.size() != reached.size()) {
        fields.fail("all bases must have the same rank");
        return {};
      }
      for (auto [sum, value] : llvm::zip(reached, basis))
        sum |= value;
    }
  }
  if (reached.empty())
    reached.resize(std::max(rank, 1));
  compiler::DimList ins, outs;
  // The last dimension is lowest; `shift[d]` is where dimension d begins.
  std::vector<int> shift(reached.size());
  int bits = 0;
  for (int d = reached.size() - 1; d >= 0; --d) {
    int width = std::bit_width(static_cast<uint32_t>(reached[d]));
    outs.push_back({compiler::tensorDim(d), static_cast<uint8_t>(width)});
    shift[d] = bits;
    bits += width;
  }
  LinearLayout::Columns columns;
  for (auto [input, bases] : llvm::zip(inputs, all)) {
    ins.push_back({input.second, static_cast<uint8_t>(bases.size())});
    for (const std::vector<int32_t> &basis : bases) {
      uint64_t column = 0;
      for (size_t d = 0; d < basis.size(); ++d)
        column |= static_cast<uint64_t>(basis[d]) << shift[d];
      columns.push_back(column);
    }
  }
  return LinearLayout(ins, outs, columns);
}

void printBases(AsmPrinter &printer, StringRef name, const LinearLayout &layout, Dim dim) {
  printer << name << " = [";
  int rank = layout.outs().size();
  for (int bit = 0; bit < layout.inBits(dim); ++bit) {
    printer << (bit ? ", [" : "[");
    llvm::interleaveComma(layout.tensorBasis(dim, bit, rank), printer);
    printer << "]";
  }
  printer << "]";
}

void printNumbers(AsmPrinter &printer, StringRef name, ArrayRef<unsigned> values) {
  printer << name << " = [";
  llvm::interleaveComma(values, printer);
  printer << "]";
}

void printCga(AsmPrinter &printer, CgaLayoutAttr cga) {
  if (cga.getNumBits() == 0)
    return;
  printer << ", CGALayout = [";
  for (unsigned bit = 0; bit < cga.getNumBits(); ++bit) {
    printer << (bit ? ", [" : "[");
    llvm::interleaveComma(cga.getBasis(bit), printer);
    printer << "]";
  }
  printer << "]";
}

constexpr std::pair<StringRef, Dim> kDistributed[] = {
    {"register", Dim::Register}, {"lane", Dim::Lane}, {"warp", Dim::Warp}, {"block", Dim::Block}};
constexpr std::pair<StringRef, Dim> kShared[] = {{"offset", Dim::Offset}, {"block", Dim::Block}};

} // namespace

Attribute BlockedEncodingAttr::parse(AsmParser &parser, Type) {
  Fields fields(parser);
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
  Fields fields(parser);
  unsigned dim = fields.number("dim");
  return fields.make<SliceEncodingAttr>(dim, fields.attribute("parent"));
}

void SliceEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{dim = " << getDim() << ", parent = " << getParent() << "}>";
}

Attribute LinearEncodingAttr::parse(AsmParser &parser, Type) {
  Fields fields(parser);
  return fields.make<LinearEncodingAttr>(layoutFromBases(fields, kDistributed));
}

void LinearEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{";
  for (auto [name, dim] : kDistributed) {
    printBases(printer, name, getLinearLayout(), dim);
    printer << (dim == Dim::Block ? "}>" : ", ");
  }
}

Attribute NvidiaMmaEncodingAttr::parse(AsmParser &parser, Type) {
  Fields fields(parser);
  unsigned major = fields.number("versionMajor"), minor = fields.number("versionMinor");
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
  Fields fields(parser);
  unsigned opIdx = fields.number("opIdx"), kWidth = fields.numberOr("kWidth", 0);
  return fields.make<DotOperandEncodingAttr>(opIdx, fields.attribute("parent"), kWidth);
}

void DotOperandEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{opIdx = " << getOpIdx() << ", parent = " << getParent();
  if (getKWidth())
    printer << ", kWidth = " << getKWidth();
  printer << "}>";
}

Attribute SwizzledSharedEncodingAttr::parse(AsmParser &parser, Type) {
  Fields fields(parser);
  unsigned vec = fields.number("vec"), perPhase = fields.number("perPhase");
  unsigned maxPhase = fields.number("maxPhase");
  SmallVector<unsigned> order = fields.numbers("order");
  return fields.make<SwizzledSharedEncodingAttr>(vec, perPhase, maxPhase, order,
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
  Fields fields(parser, /*inBrackets=*/false);
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
  return fields.make<PaddedSharedEncodingAttr>(intervals, paddings, layout);
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
  if (compiler::unpaddedSharedLayout({shape.data(), shape.size()}, order, getClusterLayout(cga)) ==
      layout) {
    printNumbers(printer, "order", order);
    printNumbers(printer, ", shape", SmallVector<unsigned>(shape.begin(), shape.end()));
    printCga(printer, cga);
  } else {
    printBases(printer, "offset", layout, Dim::Offset);
    printBases(printer, ", block", layout, Dim::Block);
  }
  printer << "}>";
}

Attribute SharedLinearEncodingAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  Fields fields(parser, /*inBrackets=*/false);
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
  Fields fields(parser);
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

Attribute SharedMemorySpaceAttr::parse(AsmParser &parser, Type) {
  return SharedMemorySpaceAttr::get(parser.getContext());
}

void SharedMemorySpaceAttr::print(AsmPrinter &) const {}

} // namespace tilescope::ttg
