// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/access/AccessText.h"

#include <QStringList>

namespace tilescope::views {

int64_t programNumber(const std::array<int32_t, 3> &program, const std::array<int32_t, 3> &grid) {
  return program[0] + int64_t{grid[0]} * (program[1] + int64_t{grid[1]} * program[2]);
}

std::array<int32_t, 3> programAt(int64_t number, const std::array<int32_t, 3> &grid) {
  std::array<int32_t, 3> program{};
  for (size_t axis = 0; axis < program.size(); ++axis) {
    const int64_t extent = std::max(1, grid[axis]);
    program[axis] = static_cast<int32_t>(number % extent);
    number /= extent;
  }
  return program;
}

int64_t numPrograms(const std::array<int32_t, 3> &grid) {
  int64_t count = 1;
  for (const int32_t extent : grid)
    count *= std::max(1, extent);
  return count;
}

QString programText(const std::array<int32_t, 3> &program, const std::array<int32_t, 3> &grid) {
  const size_t rank = grid[2] > 1 ? 3 : grid[1] > 1 ? 2 : 1;
  QStringList parts;
  for (size_t axis = 0; axis < rank; ++axis)
    parts << QString::number(program[axis]);
  return QStringLiteral("(%1)").arg(parts.join(QStringLiteral(", ")));
}

} // namespace tilescope::views
