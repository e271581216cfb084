// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LayoutFacts.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilescope::views {

/// A layout to ask questions of: which element does a hardware place hold, and who holds an
/// element.
///
/// The layout is linear over GF(2). Worked example, 8 elements over 2 registers, 2 lanes, 2 warps:
///
///     register: [[1]]   lane: [[2]]   warp: [[4]]
///     (register 1, lane 0, warp 1) holds element 1 xor 4 = 5
///
/// A *place* is the bits of all hardware dimensions in one number, those of the first dimension
/// lowest. Owners are found by Gaussian elimination of the bases: one solution, plus every
/// combination of the bits that do not matter (replication).
class LayoutMap {
public:
  LayoutMap() = default;
  explicit LayoutMap(const compiler::LayoutFacts &facts);

  const std::vector<int64_t> &shape() const { return m_shape; }
  int64_t numElements() const { return m_numElements; }
  uint32_t numPlaces() const { return 1u << m_bases.size(); }
  /// How many places hold each element; 0 when the layout does not cover the tensor.
  uint32_t replication() const { return m_covers ? 1u << m_kernel.size() : 0; }

  /// Size of a hardware dimension; 1 when the layout has none of that name.
  int32_t size(std::string_view input) const;
  int32_t component(uint32_t place, std::string_view input) const;
  /// A place by its parts; parts that the layout lacks are ignored.
  uint32_t place(int32_t reg, int32_t lane, int32_t warp, int32_t block = 0) const;

  /// Row-major number of the element that a place holds.
  int64_t elementOf(uint32_t place) const;
  /// All places that hold an element, lowest first, at most `limit`.
  std::vector<uint32_t> ownersOf(int64_t element, size_t limit = 256) const;

  std::vector<int64_t> coordinates(int64_t element) const;
  int64_t elementAt(const std::vector<int64_t> &coordinates) const;

  /// Elements that follow each other in memory order (last dimension fastest) in the low registers
  /// of one lane: the widest vector access. 1 when there is none.
  int32_t contiguousElements() const;

private:
  struct Input {
    std::string name;
    int shift = 0;
    int bits = 0;
  };
  const Input *input(std::string_view name) const;

  std::vector<int64_t> m_shape;
  int64_t m_numElements = 1;
  std::vector<Input> m_inputs;
  /// Element number (row-major, sizes are powers of two, so coordinates are bit fields) of each
  /// place bit.
  std::vector<uint64_t> m_bases;
  /// Reduced: leading element bit -> (element bits, place bits that make them).
  std::vector<std::pair<uint64_t, uint32_t>> m_echelon;
  /// Place bits that leave the element unchanged.
  std::vector<uint32_t> m_kernel;
  bool m_covers = true;
};

} // namespace tilescope::views
