// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// An argument as the array that it is drawn as, and boxes of its elements.
//
// Worked example (asserted by the unit test "a tile of a matrix is one box"): an array of 100 x 80
// floats, and a lattice of 16 rows, 320 bytes apart, of 8 elements, from byte 3232 on:
//
//     element 808 = row 10, column 8        box: rows 10 to 25, columns 8 to 15
//
// 100 elements in a row from element 60 on are two boxes: columns 60 to 79 of row 0 and all of row 1.
#pragma once

#include "compiler/artifacts/TouchTrace.h"

#include <array>
#include <cstdint>
#include <vector>

namespace tilescope::compiler::access {

/// Rounded down, also below zero.
int64_t floorDivide(int64_t value, int64_t by);

/// Slices of rows of columns: the last two dimensions, and all others as one. A vector is folded
/// into rows.
struct ArrayShape {
  /// Of the argument.
  std::vector<int64_t> extents;
  int64_t slices = 1, rows = 1, columns = 1;
  int64_t numElements = 1;
  int32_t elementBytes = 1;
  bool isFolded() const { return extents.size() == 1 && rows > 1; }
  bool operator==(const ArrayShape &) const = default;
};

/// `foldColumns`: how many elements of a vector are in a row.
ArrayShape arrayShape(const RecordedArgument &argument, int64_t foldColumns);
/// A width of rows at which long vectors are wide pictures.
int64_t usualFold(int64_t numElements);

/// Along slices, rows and columns: `count` elements from `first` on, `step` apart.
struct ElementBox {
  std::array<int64_t, 3> first{}, count{1, 1, 1}, step{1, 1, 1};
  int64_t numElements() const { return count[0] * count[1] * count[2]; }
  /// Behind the last one.
  int64_t end(size_t axis) const { return first[axis] + (count[axis] - 1) * step[axis] + 1; }
  bool contains(int64_t slice, int64_t row, int64_t column) const;
  bool operator==(const ElementBox &) const = default;
};

/// A place in an array.
struct ArrayElement {
  int64_t slice = 0, row = 0, column = 0;
  bool operator==(const ArrayElement &) const = default;
};
ArrayElement elementAt(const ArrayShape &shape, int64_t number);
int64_t numberOf(const ArrayShape &shape, const ArrayElement &element);
/// As the kernel's author counts: one number for each dimension of the argument.
std::vector<int64_t> indexOf(const ArrayShape &shape, const ArrayElement &element);

/// The elements that `dims` from a byte of the array on reach, as boxes; `accessBytes` are accessed
/// at each. What lies outside of the array is left out. At most `mostBoxes`; beyond them it is cut.
std::vector<ElementBox> boxesOf(const ArrayShape &shape, int64_t offsetBytes,
                                std::vector<TouchDim> dims, int32_t accessBytes,
                                size_t mostBoxes = 4096);

} // namespace tilescope::compiler::access
