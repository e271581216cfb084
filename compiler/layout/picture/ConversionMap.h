// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a conversion between two layouts moves: for each place of the layout behind it, the place of
// the layout before it that holds the same element; where several do, the nearest one.
//
// Worked example (asserted by the unit test "the worked example of the map"): 8 elements over 2
// registers, 2 lanes and 2 warps; neighbors in the registers of a lane before, in lanes behind:
//
//     before   register: [[1]]   lane: [[2]]   warp: [[4]]
//     behind   register: [[2]]   lane: [[1]]   warp: [[4]]
//
// (register 1, lane 0, warp 0) behind holds element 2, which was in register 0 of lane 1. Of the 8
// places 4 keep their element where it is; for 4 it comes from the other lane.
#pragma once

#include "compiler/layout/picture/LayoutMap.h"

namespace tilescope::compiler {

/// The farthest that an element comes from: nothing of it changes, or its register does, or its
/// lane, or its warp.
enum class MoveKind : uint8_t { Stays, Register, Lane, Warp };

/// The way of an element, from a place of the layout before to one of the layout behind.
struct Move {
  uint64_t element = 0;
  uint64_t from = 0;
  uint64_t to = 0;
  MoveKind kind = MoveKind::Stays;
  bool operator==(const Move &) const = default;
};

/// Places of the layout behind, by what their elements do.
struct MoveCounts {
  uint64_t stays = 0, registers = 0, lanes = 0, warps = 0;
  uint64_t total() const { return stays + registers + lanes + warps; }
  bool operator==(const MoveCounts &) const = default;
};

/// See the top of this file. No answer costs more than what it lists.
class ConversionMap {
public:
  ConversionMap() = default;
  /// Two layouts of one tensor; an empty map where they are not.
  ConversionMap(const LayoutFacts &before, const LayoutFacts &behind);

  bool isEmpty() const { return m_before.numElements() == 0; }
  const LayoutMap &before() const { return m_before; }
  const LayoutMap &behind() const { return m_behind; }
  /// From places behind to places before.
  const LinearLayout &sources() const { return m_sources; }

  /// The way of what a place behind holds.
  Move moveTo(uint64_t place) const;
  MoveCounts counts() const;

  /// All ways of an element, at most `limit`.
  std::vector<Move> movesOf(uint64_t element, size_t limit = 256) const;
  /// What the lane of a place behind receives, by register.
  std::vector<Move> intoLane(uint64_t place) const;
  /// What the lane of a place before sends, by register.
  std::vector<Move> outOfLane(uint64_t place) const;

private:
  MoveKind kindOf(uint64_t before, uint64_t behind) const;

  LayoutMap m_before, m_behind;
  LinearLayout m_sources;
};

} // namespace tilescope::compiler
