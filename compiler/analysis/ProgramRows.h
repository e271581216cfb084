// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Programs that count rows, told apart from those that count blocks:
//
//   x + pid * BLOCK + arange(0, BLOCK) < n             blocks: something ends the products
//   x + pid * HALF + i,  y + pid * (2 * HALF) + i      rows: what lies between them differs
//   q + (pos * n_heads + head) * D + i                 rows: `head` ends at `n_heads`
//   x + pid * COLS + i,  out + pid                     rows: a program has one element of `out`
//   x + (n - 1 - pid) * COLS + i                       rows from the last one on: `n` of them
//   x + (c * 9 + pid) * n + i                          rows: nine of them belong to each `c`
#pragma once

#include "compiler/analysis/IndexBounds.h"

namespace tilescope::compiler {

/// How the number of a program is used as an index.
struct ProgramRows {
  /// It counts rows of a constant length, which are not blocks of anything.
  bool isRow = false;
  /// The constant that it is multiplied by says how many rows of variable length there are: `number * 4 * H * W` beside
  /// `number * H * W`.
  bool isScaled = false;
  /// It is multiplied by arguments first, whatever comes then, and nothing ends the products.
  bool isVariable = false;
  /// The argument that says how many there are: `n` of `row * n + number` and of `n - 1 - number`.
  std::optional<unsigned> end;
  /// It is the last digit of a number of rows, of which there are so many: 9 of `c * 9 + number`; 0: it is none.
  int64_t radix = 0;
  /// It counts blocks of so many elements, and something ends these; 0: it does not.
  int64_t blockSide = 0;
  /// Beside such blocks it counts rows of so many elements, one for each, which nothing ends: `number * BINS` beside
  /// `number * BLOCK`; 0: it does not.
  int64_t rowBeside = 0;
  /// Blocks of so many elements fill a row of a constant length, as many as `radix` says, and another number counts the
  /// rows: `number * GROUP` of `row * HEADS + number * GROUP + tl.arange(0, GROUP)`; 0: none do.
  int64_t blockInRow = 0;
};

/// Whether anything but an address is made of a product, also where it is multiplied again: a mask, a
/// remainder, the bound of a loop.
bool isLimitedProduct(mlir::Value product);

/// Whether a value counts parts of rows that are several times as long as an argument says: `row * 2` of
/// `row * 2 * n`.
bool isScaledNumber(mlir::Value value, const IndexBounds &bounds);

ProgramRows programRows(mlir::Value programId, const IndexBounds &bounds);

} // namespace tilescope::compiler
