// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace tilescope::views {

/// Cells of an axis that get a label: 0 and every `step`-th, `step` being 1, 2 or 5 times a power
/// of ten, the least that keeps labels `leastPx` apart.
///
/// Example: 100 cells on 200 px with labels 30 px apart: 0, 20, 40, 60, 80.
std::vector<int64_t> axisTicks(int64_t numCells, double lengthPx, double leastPx);

/// What names a row of the picture of a tensor: the coordinates of all axes but the last
/// (`[128, 8, 128]`, row 21: "2, 5"), or the first element of a row of a wrapped vector.
QString rowLabel(int64_t row, const std::vector<int64_t> &shape, int64_t numColumns);

} // namespace tilescope::views
