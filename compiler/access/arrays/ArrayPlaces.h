// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where the arrays of a kernel are drawn, and where in them their elements are.
#pragma once

#include "compiler/access/arrays/ArrayShape.h"
#include "compiler/layout/picture/PictureGrid.h"

#include <optional>

namespace tilescope::compiler::access {

struct PlaceSize {
  double width = 0, height = 0;
  /// Above each array.
  double caption = 0;
  /// Between arrays.
  double gap = 0;
};

/// Rows and columns behind the last ones that programs reach for.
struct PastEnd {
  int64_t rows = 0, columns = 0;
  bool operator==(const PastEnd &) const = default;
};

/// Width to height of an array as it is drawn; very long ones are stretched.
double aspectOf(const ArrayShape &shape, const PastEnd &past = {});

/// Arrays in as many columns as make them largest, each in its proportions: where they are drawn,
/// below their captions.
std::vector<GridRect> placeArrays(const std::vector<double> &aspects, const PlaceSize &size);

/// The part of a slice that is in sight.
struct ArrayWindow {
  double row = 0, column = 0, rows = 1, columns = 1;
  bool operator==(const ArrayWindow &) const = default;
};
ArrayWindow wholeWindow(const ArrayShape &shape);
/// `factor` times as large about a point of the array, within the array and down to a few elements.
ArrayWindow zoomed(const ArrayWindow &window, const ArrayShape &shape, double factor,
                   GridPoint about);
/// Moved as little as brings an element into sight.
ArrayWindow showing(const ArrayWindow &window, const ArrayShape &shape, int64_t row,
                    int64_t column);

/// Elements in pixels.
struct ArrayGrid {
  GridRect rect;
  ArrayWindow window;
  /// Of what is past the end, to the right of `rect` and below it, while the window shows the last
  /// column and row; 0 while it does not.
  double roomRight = 0, roomBelow = 0;

  double columnWidth() const { return rect.width / window.columns; }
  double rowHeight() const { return rect.height / window.rows; }
  /// From the first to the last element along rows and columns, cut to what is in sight and at
  /// least a pixel; nothing when it is out of sight.
  std::optional<GridRect> box(const ElementBox &box) const;
  /// The same with the room for what is past the end.
  std::optional<GridRect> reached(const ElementBox &box) const;
  /// A rectangle within the array; one that is less than a few pixels wide or high grows about its
  /// middle, since it would be overlooked.
  GridRect seen(const GridRect &box) const;
  /// The row and column at a point, as a place in the array; nothing beside the array.
  std::optional<GridPoint> at(GridPoint point) const;
};

/// An array with what is past its end, in a place of `aspectOf` both.
ArrayGrid gridIn(const GridRect &place, const ArrayShape &shape, const PastEnd &past,
                 const ArrayWindow &window);

} // namespace tilescope::compiler::access
