// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The programs of a grid in the order in which a device begins them, the first dimension fastest,
// and waves: as many as run at the same time.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace tilescope::compiler::access {

using Grid = std::array<int32_t, 3>;

uint64_t numPrograms(const Grid &grid);
uint64_t programNumber(const Grid &program, const Grid &grid);
Grid programAt(uint64_t number, const Grid &grid);
/// `3`, `(3, 1)`: as many numbers as the grid has dimensions.
std::string programText(uint64_t number, const Grid &grid);

/// Multiprocessors of an H200.
inline constexpr int kUsualMultiprocessors = 132;

/// Half-open.
struct ProgramRange {
  uint64_t first = 0, last = 0;
  uint64_t count() const { return last - first; }
  bool operator==(const ProgramRange &) const = default;
};
uint64_t numWaves(const Grid &grid, uint64_t atOnce);
ProgramRange waveAt(uint64_t wave, const Grid &grid, uint64_t atOnce);

} // namespace tilescope::compiler::access
