// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/picture/ConversionMap.h"

#include "compiler/layout/Gf2.h"

#include <algorithm>
#include <initializer_list>

namespace tilescope::compiler {

/// Dimensions by how far away a change of them is.
static constexpr Dim kDims[] = {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block};

namespace {
/// Places in one number whose highest bits are those that are the farthest away: of two places that
/// hold an element, the nearer one has the lower difference.
class Distances {
public:
  explicit Distances(const LayoutMap &before) : m_before(before) {}

  bool coversAll() const {
    int bits = 0;
    for (const Dim dim : kDims)
      bits += m_before.elements().inBits(dim);
    return bits == m_before.elements().totalInBits();
  }
  /// What a place of `map` has of the dimensions before.
  uint64_t of(const LayoutMap &map, uint64_t place) const {
    uint64_t result = 0;
    int shift = 0;
    for (const Dim dim : kDims) {
      const auto value = static_cast<uint64_t>(map.component(place, dim));
      result |= (value & static_cast<uint64_t>(m_before.size(dim) - 1)) << shift;
      shift += m_before.elements().inBits(dim);
    }
    return result;
  }
  /// The place before of which it is that.
  uint64_t placeOf(uint64_t distance) const {
    std::vector<DimValue> values;
    for (const Dim dim : kDims) {
      if (m_before.elements().hasIn(dim))
        values.push_back({dim, static_cast<int64_t>(distance) & (m_before.size(dim) - 1)});
      distance >>= m_before.elements().inBits(dim);
    }
    return m_before.elements().packIn(values);
  }

private:
  const LayoutMap &m_before;
};
} // namespace

/// Changes of a place that leave its element what it is.
static std::vector<uint64_t> copiesOf(const LayoutMap &map) {
  gf2::Basis images;
  std::vector<uint64_t> copies;
  for (int bit = 0; bit < map.elements().totalInBits(); ++bit) {
    const uint64_t place = uint64_t(1) << bit, image = map.elements().applyPacked(place);
    if (!images.insert(image))
      copies.push_back(place ^ images.solve(image).value_or(0));
  }
  return copies;
}

/// Of several places before that hold an element, the nearest: what a thread holds itself, it does
/// not get from elsewhere.
static LinearLayout nearestSources(const LayoutMap &before, const LayoutMap &behind,
                                   const LinearLayout &sources) {
  const Distances distances(before);
  if (!distances.coversAll())
    return sources;
  gf2::Basis copies;
  for (const uint64_t copy : copiesOf(before))
    copies.insert(distances.of(before, copy));
  LinearLayout::Columns columns;
  for (int bit = 0; bit < behind.elements().totalInBits(); ++bit) {
    const uint64_t place = uint64_t(1) << bit, from = sources.applyPacked(place);
    const uint64_t change = distances.of(before, from) ^ distances.of(behind, place);
    columns.push_back(from ^ distances.placeOf(change ^ copies.rest(change)));
  }
  return LinearLayout(sources.ins(), sources.outs(), columns);
}

ConversionMap::ConversionMap(const LayoutFacts &before, const LayoutFacts &behind) {
  const LayoutMap from(before), to(behind);
  if (from.numElements() == 0 || from.shape() != to.shape() ||
      from.elements().outs() != to.elements().outs())
    return;
  const std::optional<LinearLayout> sources = to.elements().invertAndCompose(from.elements());
  if (!sources)
    return;
  m_before = from;
  m_behind = to;
  m_sources = nearestSources(m_before, m_behind, *sources);
}

MoveKind ConversionMap::kindOf(uint64_t before, uint64_t behind) const {
  const auto changes = [&](Dim dim) {
    return m_before.component(before, dim) != m_behind.component(behind, dim);
  };
  if (changes(Dim::Warp) || changes(Dim::Block))
    return MoveKind::Warp;
  if (changes(Dim::Lane))
    return MoveKind::Lane;
  return changes(Dim::Register) ? MoveKind::Register : MoveKind::Stays;
}

Move ConversionMap::moveTo(uint64_t place) const {
  const uint64_t from = m_sources.applyPacked(place);
  return {m_behind.elementOf(place), from, place, kindOf(from, place)};
}

MoveCounts ConversionMap::counts() const {
  if (isEmpty())
    return {};
  const int numBits = m_behind.elements().totalInBits();
  // The places where nothing changes along some dimensions are the kernel of a linear map.
  const auto unchanged = [&](std::initializer_list<Dim> dims) {
    gf2::Basis changes;
    for (int bit = 0; bit < numBits; ++bit) {
      const uint64_t place = uint64_t(1) << bit;
      const uint64_t from = m_sources.applyPacked(place);
      uint64_t change = 0;
      int shift = 0;
      for (const Dim dim : dims) {
        change |=
            static_cast<uint64_t>(m_before.component(from, dim) ^ m_behind.component(place, dim))
            << shift;
        shift += std::max(m_before.elements().inBits(dim), m_behind.elements().inBits(dim));
      }
      changes.insert(change);
    }
    return uint64_t(1) << (numBits - changes.rank());
  };
  const uint64_t inWarp = unchanged({Dim::Warp, Dim::Block});
  const uint64_t inLane = unchanged({Dim::Warp, Dim::Block, Dim::Lane});
  const uint64_t inPlace = unchanged({Dim::Warp, Dim::Block, Dim::Lane, Dim::Register});
  return {inPlace, inLane - inPlace, inWarp - inLane, m_behind.numPlaces() - inWarp};
}

std::vector<Move> ConversionMap::movesOf(uint64_t element, size_t limit) const {
  std::vector<Move> moves;
  if (!isEmpty())
    for (const uint64_t place : m_behind.ownersOf(element, limit))
      moves.push_back(moveTo(place));
  return moves;
}

/// The places of all registers of a place's lane, in their order.
static std::vector<uint64_t> placesOfLane(const LayoutMap &map, uint64_t place) {
  int shift = 0;
  for (const DimBits &dim : map.elements().ins()) {
    if (dim.dim == Dim::Register)
      break;
    shift += dim.bits;
  }
  const auto count = static_cast<uint64_t>(map.size(Dim::Register));
  const uint64_t others = place & ~((count - 1) << shift);
  std::vector<uint64_t> places;
  for (uint64_t index = 0; index < count; ++index)
    places.push_back(others | index << shift);
  return places;
}

std::vector<Move> ConversionMap::intoLane(uint64_t place) const {
  std::vector<Move> moves;
  if (!isEmpty())
    for (const uint64_t to : placesOfLane(m_behind, place))
      moves.push_back(moveTo(to));
  return moves;
}

std::vector<Move> ConversionMap::outOfLane(uint64_t place) const {
  std::vector<Move> moves;
  if (!isEmpty())
    for (const uint64_t from : placesOfLane(m_before, place))
      for (const Move &move : movesOf(m_before.elementOf(from)))
        // Copies of an element elsewhere may be the ones that are taken.
        if (move.from == from)
          moves.push_back(move);
  return moves;
}

} // namespace tilescope::compiler
