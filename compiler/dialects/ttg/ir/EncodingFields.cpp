// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/EncodingFields.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilescope::ttg {

using compiler::Dim;
using compiler::LinearLayout;

EncodingFields::EncodingFields(AsmParser &parser, bool inBrackets) : m_parser(parser) {
  m_start = parser.getCurrentLocation();
  m_failed = (inBrackets && parser.parseLess()) || parser.parseAttribute(m_dictionary) ||
             (inBrackets && parser.parseGreater());
}

template <typename Attr> Attr EncodingFields::get(StringRef name, const char *what) {
  if (m_failed)
    return {};
  auto value = dyn_cast_if_present<Attr>(m_dictionary.get(name));
  if (!value)
    fail(Twine("expected ") + name + " = " + what);
  return value;
}

int64_t EncodingFields::toNumber(Attribute attribute) {
  auto value = dyn_cast<IntegerAttr>(attribute);
  if (value && value.getType().isSignlessIntOrIndex() && value.getValue().isSignedIntN(64))
    return value.getInt();
  fail("expected a number");
  return 0;
}

void EncodingFields::fail(const Twine &message) {
  if (!m_failed)
    m_parser.emitError(m_start, message);
  m_failed = true;
}

unsigned EncodingFields::number(StringRef name) {
  auto value = get<Attribute>(name, "a number");
  return value ? toNumber(value) : 0;
}

unsigned EncodingFields::numberOr(StringRef name, unsigned fallback) {
  return has(name) ? number(name) : fallback;
}

bool EncodingFields::flag(StringRef name) {
  auto value = get<BoolAttr>(name, "true or false");
  return value && value.getValue();
}

Attribute EncodingFields::attribute(StringRef name) { return get<Attribute>(name, "an attribute"); }

SmallVector<unsigned> EncodingFields::numbers(StringRef name) {
  SmallVector<unsigned> result;
  if (auto array = get<ArrayAttr>(name, "a list of numbers"))
    for (Attribute element : array)
      result.push_back(toNumber(element));
  return result;
}

Bases EncodingFields::bases(StringRef name) {
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

SmallVector<int32_t> EncodingFields::clusterBases(unsigned rank) {
  SmallVector<int32_t> flat;
  for (const std::vector<int32_t> &basis : bases("CGALayout")) {
    if (basis.size() != rank)
      fail("CGALayout does not fit the rank");
    llvm::append_range(flat, basis);
  }
  return flat;
}

// `CTAsPerCGA = [2, 2], CTASplitNum = [2, 1], CTAOrder = [1, 0]` is [[0, 0], [1, 0]]: two blocks
// along dimension 1 hold copies, two along dimension 0 a half each.
SmallVector<int32_t> EncodingFields::olderClusterBases(unsigned rank) {
  SmallVector<unsigned> blocks = numbers("CTAsPerCGA"), pieces = numbers("CTASplitNum"),
                        order = numbers("CTAOrder");
  SmallVector<unsigned> sorted(order);
  llvm::sort(sorted);
  if (blocks.size() != rank || pieces.size() != rank || order.size() != rank ||
      !llvm::equal(sorted, llvm::seq<unsigned>(rank)) ||
      !llvm::all_of(blocks, llvm::isPowerOf2_32)) {
    fail("CTAsPerCGA, CTASplitNum and CTAOrder do not fit the rank");
    return {};
  }
  SmallVector<int32_t> flat;
  for (unsigned dim : order)
    for (unsigned step = 1; step < blocks[dim]; step *= 2) {
      SmallVector<int32_t> basis(rank, 0);
      basis[dim] = step < pieces[dim] ? step : 0;
      llvm::append_range(flat, basis);
    }
  return flat;
}

CgaLayoutAttr EncodingFields::cga(unsigned rank) {
  SmallVector<int32_t> flat;
  if (has("CGALayout"))
    flat = clusterBases(rank);
  else if (has("CTAsPerCGA"))
    flat = olderClusterBases(rank);
  return m_failed ? CgaLayoutAttr() : CgaLayoutAttr::get(m_parser.getContext(), rank, flat);
}

LinearLayout layoutFromBases(EncodingFields &fields, NamedInputs inputs, int rank) {
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

ParseResult parseCgaBases(AsmParser &parser, SmallVectorImpl<int32_t> &bases, unsigned rank) {
  const auto parseBasis = [&]() -> ParseResult {
    SMLoc start = parser.getCurrentLocation();
    const size_t before = bases.size();
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       [&] { return parser.parseInteger(bases.emplace_back()); }))
      return failure();
    if (bases.size() - before != rank)
      return parser.emitError(start, "CGALayout does not fit the rank");
    return success();
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseBasis);
}

void printCgaBases(AsmPrinter &printer, CgaLayoutAttr cga) {
  printer << "[";
  for (unsigned bit = 0; bit < cga.getNumBits(); ++bit) {
    printer << (bit ? ", [" : "[");
    llvm::interleaveComma(cga.getBasis(bit), printer);
    printer << "]";
  }
  printer << "]";
}

void printCga(AsmPrinter &printer, CgaLayoutAttr cga) {
  if (cga.getNumBits() == 0)
    return;
  printer << ", CGALayout = ";
  printCgaBases(printer, cga);
}

} // namespace tilescope::ttg
