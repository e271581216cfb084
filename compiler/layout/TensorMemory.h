// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Layouts of tensor memory: from rows and columns to a block's dimensions. A multiprocessor has 128
// rows of 512 columns; a column is 32 bits wide, but is counted here in elements.
//
//     blockM = 128    row r is row r of the block
//     blockM = 64     rows 0-15, 32-47, 64-79 and 96-111 are the block's 64; the rows in between
//                     are those of a second piece of 64, below or to the right, or nothing
//
// What else there is of a block follows in further columns, downwards first.
#pragma once

#include "compiler/layout/Encodings.h"

namespace tilescope::compiler {

inline constexpr int kTensorMemoryRows = 128, kTensorMemoryColumns = 512;

struct TensorMemoryParameters {
  /// What one matrix instruction writes.
  int64_t blockRows = 128, blockColumns = 64;
  /// From one element to the next in its row, in elements.
  int64_t columnStride = 1;
};

LinearLayout tensorMemoryLayout(Shape shape, const TensorMemoryParameters &parameters);

/// Scales, one byte each: 32 rows by 4 along K in a column, the same in each quarter of the rows;
/// the next 32 rows in the next column, up to 128. Then the next 128 rows and at last the next 4
/// along K, or the other way round where K comes `depthFirst`.
LinearLayout tensorMemoryScalesLayout(Shape shape, bool depthFirst = false);

} // namespace tilescope::compiler
