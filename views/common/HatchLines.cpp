// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/HatchLines.h"

#include "compiler/layout/picture/PictureColors.h"

#include <algorithm>
#include <cmath>

namespace tilescope::views {

/// Pixels between the lines of a pattern.
static constexpr double kHatchPx = 6;

static void addHorizontal(QList<QLineF> &lines, const QRectF &area) {
  for (double y = std::ceil(area.top() / kHatchPx) * kHatchPx; y < area.bottom(); y += kHatchPx)
    lines << QLineF(area.left(), y, area.right(), y);
}

static void addVertical(QList<QLineF> &lines, const QRectF &area) {
  for (double x = std::ceil(area.left() / kHatchPx) * kHatchPx; x < area.right(); x += kHatchPx)
    lines << QLineF(x, area.top(), x, area.bottom());
}

/// Lines on which x + slope · y is a multiple of the distance, cut at the area's edges.
static void addDiagonal(QList<QLineF> &lines, const QRectF &area, int slope) {
  const double step = kHatchPx * std::sqrt(2.0);
  const double corners[] = {area.left() + slope * area.top(), area.right() + slope * area.top(),
                            area.left() + slope * area.bottom(),
                            area.right() + slope * area.bottom()};
  const auto [low, high] = std::minmax_element(std::begin(corners), std::end(corners));
  for (double sum = std::ceil(*low / step) * step; sum < *high; sum += step) {
    // x at the upper and at the lower edge, then moved along the line to within the area.
    const auto at = [&](double y) {
      const double x = std::clamp(sum - slope * y, area.left(), area.right());
      return QPointF(x, (sum - x) / slope);
    };
    lines << QLineF(at(area.top()), at(area.bottom()));
  }
}

void addHatchLines(QList<QLineF> &lines, const QRectF &area, uint64_t member) {
  const compiler::Hatch hatch = compiler::hatchOf(member);
  if (hatch.rising)
    addDiagonal(lines, area, 1);
  if (hatch.falling)
    addDiagonal(lines, area, -1);
  if (hatch.horizontal)
    addHorizontal(lines, area);
  if (hatch.vertical)
    addVertical(lines, area);
}

} // namespace tilescope::views
