// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/picture/LayoutMap.h"

#include "compiler/layout/Gf2.h"

#include <algorithm>
#include <bit>

namespace tilescope::compiler {

/// Most bits of a place or an element, so that both fit where they are joined with others.
static constexpr int kMostBits = 48;

/// The dimension of hardware that has this name.
static std::optional<Dim> hardwareDim(const std::string &name) {
  for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block, Dim::Offset})
    if (dimName(dim) == name)
      return dim;
  return std::nullopt;
}

/// The tensor's dimensions, last first, each wide enough for its extent and for the bases; none
/// when the facts describe no layout of these.
static std::optional<DimList> outsOf(const LayoutFacts &facts) {
  if (facts.shape.size() > static_cast<size_t>(kMaxTensorRank))
    return std::nullopt;
  DimList outs;
  int total = 0;
  for (size_t dim = facts.shape.size(); dim-- > 0;) {
    if (facts.shape[dim] <= 0)
      return std::nullopt;
    auto widest = static_cast<uint64_t>(facts.shape[dim] - 1);
    for (const LayoutBases &bases : facts.layout)
      for (const std::vector<int32_t> &basis : bases.bases) {
        if (basis.size() != facts.shape.size() || basis[dim] < 0)
          return std::nullopt;
        widest = std::max(widest, static_cast<uint64_t>(basis[dim]));
      }
    const int bits = std::bit_width(widest);
    total += bits;
    outs.push_back({tensorDim(static_cast<int>(dim)), static_cast<uint8_t>(bits)});
  }
  return total <= kMostBits ? std::optional(outs) : std::nullopt;
}

static std::optional<LinearLayout> layoutOf(const LayoutFacts &facts) {
  const std::optional<DimList> outs = outsOf(facts);
  if (!outs)
    return std::nullopt;
  DimList ins;
  LinearLayout::Columns columns;
  for (const LayoutBases &bases : facts.layout) {
    const std::optional<Dim> in = hardwareDim(bases.input);
    const bool isTwice =
        std::any_of(ins.begin(), ins.end(), [&](const DimBits &other) { return other.dim == in; });
    if (!in || isTwice || columns.size() + bases.bases.size() > kMostBits)
      return std::nullopt;
    ins.push_back({*in, static_cast<uint8_t>(bases.bases.size())});
    for (const std::vector<int32_t> &basis : bases.bases) {
      uint64_t image = 0;
      int shift = 0;
      for (const DimBits &out : *outs) {
        image |= static_cast<uint64_t>(basis[tensorDimIndex(out.dim)]) << shift;
        shift += out.bits;
      }
      columns.push_back(image);
    }
  }
  return LinearLayout(ins, *outs, columns);
}

/// The layout with just enough further places that every element has one.
static LinearLayout completed(const LinearLayout &layout) {
  gf2::Basis basis;
  for (uint64_t column : layout.columns())
    basis.insert(column);
  LinearLayout::Columns missing;
  for (int bit = 0; bit < layout.totalOutBits(); ++bit)
    if (basis.insert(uint64_t(1) << bit))
      missing.push_back(uint64_t(1) << bit);
  return layout.concatIns(
      {{DimBits{Dim::Segment, static_cast<uint8_t>(missing.size())}}, layout.outs(), missing});
}

LayoutMap::LayoutMap(const LayoutFacts &facts) {
  const std::optional<LinearLayout> layout = layoutOf(facts);
  if (!layout)
    return;
  m_shape = facts.shape;
  m_numElements = 1;
  for (int64_t extent : m_shape)
    m_numElements *= extent;
  m_elements = *layout;
  m_owners = completed(m_elements).pseudoinvert();
  // A bit that adds nothing to those below it never occurs in the lowest place of an element.
  for (int bit = 0; bit < m_elements.totalInBits(); ++bit)
    if (const uint64_t change =
            uint64_t(1) << bit ^ m_owners.applyPacked(m_elements.columns()[bit]))
      m_copies.push_back(change);
}

uint64_t LayoutMap::replication() const {
  const bool coversAll = m_owners.outBits(Dim::Segment) == 0 && m_numElements > 0;
  return coversAll ? uint64_t(1) << m_copies.size() : 0;
}

int64_t LayoutMap::component(uint64_t place, Dim in) const {
  int shift = 0;
  for (const DimBits &dim : m_elements.ins()) {
    if (dim.dim == in)
      return static_cast<int64_t>(place >> shift & ((uint64_t(1) << dim.bits) - 1));
    shift += dim.bits;
  }
  return 0;
}

uint64_t LayoutMap::numOwnersOf(uint64_t element) const {
  return m_numElements > 0 && isHeld(element) ? uint64_t(1) << m_copies.size() : 0;
}

std::vector<uint64_t> LayoutMap::ownersOf(uint64_t element, size_t limit) const {
  const uint64_t lowest = m_owners.applyPacked(element);
  std::vector<uint64_t> owners;
  const uint64_t count = numOwnersOf(element);
  // Counting up, each bit of the choice moves a higher bit of the place than those below it.
  for (uint64_t choice = 0; choice < count && owners.size() < limit; ++choice) {
    uint64_t place = lowest;
    for (size_t bit = 0; bit < m_copies.size(); ++bit)
      if (choice >> bit & 1)
        place ^= m_copies[bit];
    owners.push_back(place);
  }
  return owners;
}

std::vector<int64_t> LayoutMap::coordinates(uint64_t element) const {
  std::vector<int64_t> result(m_shape.size());
  for (const DimValue &value : m_elements.unpackOut(element))
    result[static_cast<size_t>(tensorDimIndex(value.dim))] = value.value;
  return result;
}

uint64_t LayoutMap::elementAt(const std::vector<int64_t> &coordinates) const {
  Coordinates values;
  for (size_t dim = 0; dim < std::min(coordinates.size(), m_shape.size()); ++dim)
    values.push_back({tensorDim(static_cast<int>(dim)), coordinates[dim]});
  return m_elements.packOut({values.data(), values.size()});
}

int64_t LayoutMap::contiguousElements() const {
  const DimList &ins = m_elements.ins();
  return !ins.empty() && ins[0].dim == Dim::Register ? m_elements.numConsecutiveInOut() : 1;
}

} // namespace tilescope::compiler
