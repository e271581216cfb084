// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/LayoutFactsOf.h"

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"

using namespace mlir;

namespace tilescope::ttg {

/// One buffer of a stack of them, which follow one another and lie alike; any other type itself.
/// The number of buffers need not be a power of two, so the stack as a whole has no linear layout.
static ShapedType withoutStack(ShapedType type) {
  auto buffer = dyn_cast<MemDescType>(type);
  if (!buffer || !isSharedEncoding(buffer.getEncoding()))
    return type;
  const unsigned rank = getEncodingRank(buffer.getEncoding());
  if (buffer.getShape().size() == rank)
    return type;
  return MemDescType::get(buffer.getShape().take_back(rank), buffer.getElementType(),
                          buffer.getEncoding(), buffer.getMemorySpace(), buffer.getMutableMemory(),
                          buffer.getAllocShape().take_back(rank));
}

/// The layout of a block or buffer; null where there is none.
static const compiler::LinearLayout *layoutOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getEncoding() ? &toLinearLayout(tensor) : nullptr;
  auto buffer = dyn_cast<MemDescType>(type);
  return buffer && isSharedEncoding(buffer.getEncoding()) ? &toLinearLayout(buffer) : nullptr;
}

std::vector<compiler::LayoutBases> basesOf(const compiler::LinearLayout &layout, int rank) {
  std::vector<compiler::LayoutBases> result;
  for (const compiler::DimBits &in : layout.ins()) {
    compiler::LayoutBases bases{compiler::dimName(in.dim), {}};
    for (int bit = 0; bit < in.bits; ++bit)
      bases.bases.push_back(layout.tensorBasis(in.dim, bit, rank));
    result.push_back(std::move(bases));
  }
  return result;
}

std::vector<compiler::LayoutBases> basesOf(Type type) {
  const compiler::LinearLayout *layout = layoutOf(type);
  return layout ? basesOf(*layout, static_cast<int>(cast<ShapedType>(type).getRank()))
                : std::vector<compiler::LayoutBases>();
}

template <typename Print> static std::string textOf(Print print) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  print(stream);
  return text;
}

namespace {
class Collector {
public:
  Collector(const LayoutPlaces &places) : m_places(places) {}

  void add(Value value, Operation *op) {
    auto type = dyn_cast<ShapedType>(value.getType());
    const ShapedType shown = type ? withoutStack(type) : type;
    if (!shown || !layoutOf(shown))
      return;
    compiler::LayoutFacts facts;
    facts.value = m_places.nameOf(value);
    facts.op = op->getName().getStringRef().str();
    facts.type = m_places.textOf(type);
    facts.encoding = encodingText(type);
    facts.shape.assign(shown.getShape().begin(), shown.getShape().end());
    facts.elementType = textOf([&](raw_ostream &os) { type.getElementType().print(os); });
    facts.elementBits = int32_t(tt::getElementBitWidth(type.getElementType()));
    facts.layout = basesOf(shown);
    facts.shared = isa<MemDescType>(type);
    facts.stageLine = m_places.lineOf(value);
    facts.source = m_places.sourceOf(value);
    m_facts.push_back(std::move(facts));
  }

  std::vector<compiler::LayoutFacts> take() { return std::move(m_facts); }

private:
  /// Most values share a few encodings; their texts are made once.
  const std::string &encodingText(Type type) {
    Attribute encoding = isa<MemDescType>(type) ? cast<MemDescType>(type).getEncoding()
                                                : cast<RankedTensorType>(type).getEncoding();
    std::string &text = m_encodings[encoding];
    if (text.empty())
      text = textOf([&](raw_ostream &os) { encoding.print(os); });
    return text;
  }

  const LayoutPlaces &m_places;
  DenseMap<Attribute, std::string> m_encodings;
  std::vector<compiler::LayoutFacts> m_facts;
};
} // namespace

std::vector<compiler::LayoutFacts> layoutFactsOf(Operation *root, const LayoutPlaces &places) {
  Collector collector(places);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      collector.add(result, op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          collector.add(argument, op);
  });
  return collector.take();
}

} // namespace tilescope::ttg
