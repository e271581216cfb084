// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>

#include <array>
#include <cstdint>

namespace tilescope::views {

/// The number of a program in the order of its grid, the first dimension fastest, and back.
int64_t programNumber(const std::array<int32_t, 3> &program, const std::array<int32_t, 3> &grid);
std::array<int32_t, 3> programAt(int64_t number, const std::array<int32_t, 3> &grid);
/// Programs of a grid.
int64_t numPrograms(const std::array<int32_t, 3> &grid);
/// `(3, 1)`, as many numbers as the grid has dimensions.
QString programText(const std::array<int32_t, 3> &program, const std::array<int32_t, 3> &grid);

} // namespace tilescope::views
