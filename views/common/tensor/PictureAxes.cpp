// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/tensor/PictureAxes.h"

#include "profiler/data/Tensor.h"

#include <QStringList>

namespace tilescope::views {

std::vector<int64_t> axisTicks(int64_t numCells, double lengthPx, double leastPx) {
  if (numCells <= 0 || lengthPx < leastPx)
    return {};
  const double cellPx = lengthPx / static_cast<double>(numCells);
  int64_t step = 1;
  for (int turn = 0; static_cast<double>(step) * cellPx < leastPx; ++turn)
    step = turn % 3 == 1 ? step / 2 * 5 : step * 2;
  std::vector<int64_t> ticks;
  for (int64_t cell = 0; cell < numCells; cell += step)
    ticks.push_back(cell);
  return ticks;
}

QString rowLabel(int64_t row, const std::vector<int64_t> &shape, int64_t numColumns) {
  if (shape.size() < 2)
    return QString::number(row * numColumns);
  QStringList parts;
  for (const int64_t at : profiler::elementCoordinates(row, {shape.begin(), shape.end() - 1}))
    parts << QString::number(at);
  return parts.join(QStringLiteral(", "));
}

} // namespace tilescope::views
