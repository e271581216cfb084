// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the two pictures of a layout show: the tensor, element by element, and the hardware, place
// by place. Nothing here grows with the tensor; a painter asks for the cells in sight.
#pragma once

#include "compiler/layout/picture/PictureGrid.h"
#include "compiler/layout/picture/PictureMembers.h"

#include <string>

namespace tilescope::compiler {

/// Which dimensions of a tensor are drawn downwards and across, and where the others are cut.
struct TensorSlice {
  int rowDim = 0;
  int columnDim = 1;
  std::vector<int64_t> fixed;
  bool operator==(const TensorSlice &) const = default;
};

/// The default cut: the last two dimensions, the others at 0.
TensorSlice defaultSlice(const LayoutMap &map);

/// Cells and what they stand for.
struct PictureView {
  PictureGrid grid;
  CellMap elements;
  /// The lowest place of each element, or the places themselves.
  CellMap places;

  /// The number of the cell that shows an element (of the tensor) or a place (of the hardware);
  /// none when there is none.
  std::optional<int64_t> numberOf(const CellMap &map, uint64_t image) const;
};

/// The tensor. One of a single dimension is wrapped into rows of `wrap` elements. A matrix is cut
/// into `folds` parts of equal size, all rows of the next below those of the one before, or all
/// columns beside them where it is higher than wide. A matrix of [2, 8] with two folds:
///
///     0,0   0  1  2  3
///     1,0   0  1  2  3
///
///     0,4   4  5  6  7
///     1,4   4  5  6  7
PictureView tensorView(const LayoutMap &map, const TensorSlice &slice, int64_t wrap,
                       int64_t folds = 1);
/// Into how many parts a matrix is cut that would be a hair without; 1: it is not cut.
int64_t foldsFor(int64_t rows, int64_t columns);
/// A power of two of columns that makes the picture of so many elements about twice as wide as
/// high.
int64_t wrapFor(int64_t numElements);

/// The hardware's places: for each warp a block with a row per lane and a column per register, or
/// the other way round when there are few registers. Many registers are wrapped like text, so that
/// a lane remains large enough to be pointed at. Two lanes of eight registers in rows of four:
///
///          r0 r1 r2 r3
///     L0    0  1  2  3
///     +4    4  5  6  7
///     L1    0  1  2  3
///     +4    4  5  6  7
struct HardwareView : PictureView {
  /// Lanes are columns, registers rows.
  bool areLanesAcross = false;
};
HardwareView hardwareView(const LayoutMap &map);
/// Shared memory: rows of 32 banks of 4 bytes.
HardwareView sharedView(const LayoutMap &map, int elementBits);

/// All that the two pictures of one layout need.
struct LayoutPicture {
  LayoutFacts facts;
  LayoutMap map;
  TensorSlice slice;
  /// What cells are colored by.
  Members members;
  /// Elements in a row of a wrapped tensor, else 1.
  int64_t wrap = 1;
  /// Parts into which a matrix is cut.
  int64_t folds = 1;
  PictureView tensor;
  HardwareView hardware;

  /// The owner of each cell of one of the two.
  CellMap membersOf(const PictureView &view) const { return view.places.then(members.layout); }
  /// What a cell of the tensor says: whose it is.
  std::string ownerLabel(int64_t cell) const;
  /// What a cell of the hardware says: the coordinates of its element.
  std::string elementLabel(int64_t cell) const;
  /// The numbers along the edges; those of the hardware may be empty. Of a folded matrix they are
  /// the two coordinates of the first element in the row (or column).
  std::string tensorRowLabel(int64_t row) const;
  std::string tensorColumnLabel(int64_t column) const;
  std::string hardwareRowLabel(int64_t row) const;
  std::string hardwareColumnLabel(int64_t column) const;
};

/// Of shared memory the family is always the banks.
LayoutPicture makeLayoutPicture(const LayoutFacts &facts, const TensorSlice &slice, Family family);

} // namespace tilescope::compiler
