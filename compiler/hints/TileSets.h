// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What programs that run at the same time load, counted once. The order of programs decides which
// they are.
//
// Worked example (asserted by the unit test "a square of programs loads less than a row"): 64
// programs make 8 rows of 8 tiles of a product; each loads the band of its row and the band of its
// column. 8 programs of a row load 1 + 8 bands, 4 x 2 programs 4 + 2.
#pragma once

#include "compiler/artifacts/ComputeFacts.h"

#include <optional>
#include <span>

namespace tilescope::compiler {

/// Bytes of the different tiles that the programs of these numbers load.
uint64_t differentBytes(const std::vector<ProgramFacts> &programs,
                        std::span<const uint64_t> numbers);

/// Programs per row where programs of a row share some tiles, and programs of a column others: the
/// first that shares with program 0 what program 1 does not. Nothing where programs are not so.
std::optional<uint64_t> rowLength(const std::vector<ProgramFacts> &programs);

/// A rectangle of so many rows, as wide as fits, beginning at the first program.
struct TileRectangle {
  uint64_t rows = 0, columns = 0;
  uint64_t bytes = 0;
};

/// Of the rectangles with at most `atOnce` programs, and at least nine tenths of that, the one whose
/// programs load least. Nothing where none fits into the grid.
std::optional<TileRectangle> bestRectangle(const std::vector<ProgramFacts> &programs,
                                           uint64_t rowLength, uint64_t atOnce);

} // namespace tilescope::compiler
