// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/shared/LabelLine.h"

#include <algorithm>

namespace tilescope::views {

/// Between a label and what lies beside it.
static constexpr double kBesidePx = 2;

QRectF labelLine(const QRectF &box, double width, double height, const QList<QRectF> &taken) {
  QList<double> tops{box.top()};
  for (const QRectF &place : taken)
    if (place.bottom() > box.top())
      tops << place.bottom();
  std::ranges::sort(tops);
  QRectF best;
  for (const double top : tops) {
    if (top + height > box.bottom() + 0.5)
      break;
    QRectF line(box.left(), top, box.width(), height);
    for (const QRectF &place : taken)
      if (place.bottom() > line.top() && place.top() < line.bottom() && place.right() > box.left())
        line.setRight(std::min(line.right(), std::max(box.left(), place.left() - kBesidePx)));
    if (line.width() >= width)
      return line;
    if (line.width() > best.width())
      best = line;
  }
  return best;
}

} // namespace tilescope::views
