// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Arrows between two pictures that stand side by side.
//
// Registers whose elements stay neighbors on both sides share an arrow, so that a lane with 128
// registers needs a few:
//
//     before, lane 0    r0 r1 r2 r3          behind, lane 0    r0 r1
//                       └─┬─┘ └─┬─┘                  lane 4    r0 r1
//                         one   another, to lane 4
#pragma once

#include "compiler/layout/picture/ConversionMap.h"
#include "compiler/layout/picture/PictureGrid.h"

#include <array>
#include <functional>

namespace tilescope::compiler {

/// Moves that are drawn as one: their cells follow each other on both sides.
struct MoveRun {
  size_t first = 0, count = 0;
  MoveKind kind = MoveKind::Stays;
  /// The first and the last cell on either side.
  Cell fromFirst, fromLast, toFirst, toLast;
  bool operator==(const MoveRun &) const = default;
};

/// The cell of a place in a picture; nothing where the picture does not show it.
using CellOfMove = std::function<std::optional<Cell>(const Move &)>;

/// Moves whose cells are not shown are left out.
std::vector<MoveRun> moveRuns(const std::vector<Move> &moves, const CellOfMove &from,
                              const CellOfMove &to);

/// The shape of an arrow, in the coordinates of what it goes between, and its head: an arc that
/// leaves `from` and arrives at `to` on the side where `area` has more room, below or above. The
/// farther it goes, the deeper it is, so that arrows between two rows of registers do not lie on each
/// other.
struct ArrowShape {
  GridPoint start, firstControl, secondControl, end;
  std::array<GridPoint, 3> head;
};
/// `size`: of the head.
ArrowShape arrowBetween(const GridRect &from, const GridRect &to, const GridRect &area,
                        double size);

} // namespace tilescope::compiler
