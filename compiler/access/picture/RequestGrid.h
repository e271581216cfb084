// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where the parts of a request's picture lie: one row for each line of 128 bytes, with a gap above
// lines that are not neighbors in memory.
#pragma once

#include "compiler/access/picture/AccessPicture.h"
#include "compiler/layout/picture/PictureGrid.h"

namespace tilescope::compiler::access {

/// In pixels; the upper left corner of the first line is the origin. Holds its own copy of what it
/// needs, so that it may outlive the picture.
class RequestGrid {
public:
  struct Size {
    double width = 1;
    double rowHeight = 1;
    /// Above a line that is not the neighbor of the one before.
    double gap = 0;
  };
  RequestGrid() = default;
  RequestGrid(const RequestPicture &picture, const Size &size);

  /// The row height at which everything fits into `height`, within `least` and `most`.
  static double fittingRowHeight(const RequestPicture &picture, double height, double gap,
                                 double least, double most);

  double width() const { return m_size.width; }
  double height() const;
  double rowHeight() const { return m_size.rowHeight; }
  double gap() const { return m_size.gap; }
  size_t numLines() const { return m_tops.size(); }
  GridRect bytes(size_t line, int begin, int end) const;
  GridRect row(size_t line) const;
  GridRect place(const PicturePlace &place) const {
    return bytes(place.line, place.begin, place.end);
  }
  /// The lines that touch a band from `top` to `bottom`, half-open.
  Interval linesIn(double top, double bottom) const;

private:
  Size m_size;
  std::vector<double> m_tops;
};

/// The place at a point; -1: there is none.
int placeAt(const RequestPicture &picture, const RequestGrid &grid, GridPoint point);

/// Where an arrow key leads from a place: to the one beside it, or to the nearest one of the line
/// above or below; the same one at an edge.
enum class Step { Left, Right, Up, Down, RowStart, RowEnd, First, Last };
int placeFrom(const RequestPicture &picture, int place, Step step);

} // namespace tilescope::compiler::access
