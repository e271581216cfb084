// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/arrays/ProgramOrder.h"

#include <algorithm>

namespace tilescope::compiler::access {

static uint64_t extentOf(const Grid &grid, size_t axis) {
  return static_cast<uint64_t>(std::max(1, grid[axis]));
}

uint64_t numPrograms(const Grid &grid) {
  return extentOf(grid, 0) * extentOf(grid, 1) * extentOf(grid, 2);
}

uint64_t programNumber(const Grid &program, const Grid &grid) {
  return static_cast<uint64_t>(program[0]) +
         extentOf(grid, 0) * (static_cast<uint64_t>(program[1]) +
                              extentOf(grid, 1) * static_cast<uint64_t>(program[2]));
}

Grid programAt(uint64_t number, const Grid &grid) {
  Grid program{};
  for (size_t axis = 0; axis < program.size(); ++axis) {
    program[axis] = static_cast<int32_t>(number % extentOf(grid, axis));
    number /= extentOf(grid, axis);
  }
  return program;
}

std::string programText(uint64_t number, const Grid &grid) {
  const Grid program = programAt(number, grid);
  if (grid[1] <= 1 && grid[2] <= 1)
    return std::to_string(program[0]);
  std::string text = "(" + std::to_string(program[0]) + ", " + std::to_string(program[1]);
  return text + (grid[2] > 1 ? ", " + std::to_string(program[2]) : std::string()) + ")";
}

uint64_t numWaves(const Grid &grid, uint64_t atOnce) {
  return (numPrograms(grid) + atOnce - 1) / atOnce;
}

ProgramRange waveAt(uint64_t wave, const Grid &grid, uint64_t atOnce) {
  const uint64_t all = numPrograms(grid), first = std::min(all, wave * atOnce);
  return {first, std::min(all, first + atOnce)};
}

} // namespace tilescope::compiler::access
