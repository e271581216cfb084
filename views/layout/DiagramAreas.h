// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/layout/DiagramGrid.h"

#include <QLineF>
#include <QList>

namespace tilescope::views {

/// A rectangle of cells that belong to one member of a family, such as one warp.
struct DiagramArea {
  int row = 0;
  int column = 0;
  int rows = 1;
  int columns = 1;
  int member = 0;
  bool operator==(const DiagramArea &) const = default;
};

/// Half-open ranges of rows and columns.
struct CellRange {
  int firstRow = 0;
  int lastRow = 0;
  int firstColumn = 0;
  int lastColumn = 0;
};

/// Cuts a part of a grid into areas: runs of one member in a row, joined downwards with equal runs.
/// No area reaches across blocks.
///
/// Example: `0 0 1 / 0 0 1 / 1 1 1` is `0` of 2 × 2, `1` of 2 × 1 and `1` of 1 × 3.
std::vector<DiagramArea> diagramAreas(const DiagramGrid &grid, const std::vector<uint16_t> &members,
                                      const CellRange &range);

/// Lines that fill a rectangle with the pattern of a member, in pixels; eight patterns, the first
/// of which is plain, tell members apart without colour. Lines of neighbours with one pattern meet.
QList<QLineF> hatchLines(const QRectF &area, int member);

} // namespace tilescope::views
