// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LayoutFacts.h"
#include "compiler/layout/LinearLayout.h"

#include <cstdint>
#include <vector>

namespace tilescope::compiler {

/// A layout to ask questions of: which element does a hardware place hold, and which places hold an
/// element. No answer costs more than the number of its bits.
///
/// Worked example, 8 elements over 2 registers, 2 lanes, 2 warps:
///
///     register: [[1]]   lane: [[2]]   warp: [[4]]
///     (register 1, lane 0, warp 1) holds element 1 xor 4 = 5
///
/// A *place* is the bits of all hardware dimensions in one number, those of the first dimension
/// lowest. An *element* is the bits of all coordinates in one number, those of the last dimension
/// lowest: its row-major index where the extents are powers of two. (The leading extent of a buffer
/// of three slots is not one.)
class LayoutMap {
public:
  LayoutMap() = default;
  /// Facts that are not a layout (unknown dimensions, too many bits) make an empty map.
  explicit LayoutMap(const LayoutFacts &facts);

  /// From places to elements.
  const LinearLayout &elements() const { return m_elements; }
  /// From elements to the lowest place that holds each. `Dim::Segment`, the highest bits, is not 0
  /// for an element that no place holds.
  const LinearLayout &owners() const { return m_owners; }

  const std::vector<int64_t> &shape() const { return m_shape; }
  /// 0 for an empty map.
  int64_t numElements() const { return m_numElements; }
  uint64_t numPlaces() const { return uint64_t(1) << m_elements.totalInBits(); }
  /// How many places hold each element; 0 when some elements are not held.
  uint64_t replication() const;
  /// Size of a hardware dimension; 1 when the layout does not have it.
  int64_t size(Dim in) const { return m_elements.inSize(in); }
  int64_t component(uint64_t place, Dim in) const;

  uint64_t elementOf(uint64_t place) const { return m_elements.applyPacked(place); }
  bool isHeld(uint64_t element) const { return m_owners.applyPacked(element) < numPlaces(); }
  uint64_t numOwnersOf(uint64_t element) const;
  /// The places that hold an element, lowest first, at most `limit`.
  std::vector<uint64_t> ownersOf(uint64_t element, size_t limit = 256) const;

  std::vector<int64_t> coordinates(uint64_t element) const;
  /// Coordinates that are left out are 0.
  uint64_t elementAt(const std::vector<int64_t> &coordinates) const;

  /// Elements that follow each other in memory (last dimension fastest) in the low registers of one
  /// lane: the widest vector access. 1 when there is none.
  int64_t contiguousElements() const;

private:
  std::vector<int64_t> m_shape;
  int64_t m_numElements = 0;
  LinearLayout m_elements;
  LinearLayout m_owners;
  /// Changes of a place that leave the element unchanged; each has its own highest bit, that
  /// no other one has.
  std::vector<uint64_t> m_copies;
};

} // namespace tilescope::compiler
