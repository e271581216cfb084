// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/tensor/ColoredImage.h"

#include <vector>

namespace tilescope::views {

/// For each of `count` positions the nearest of `available`.
static std::vector<int> nearestOf(int available, int count) {
  std::vector<int> nearest(static_cast<size_t>(count));
  for (int at = 0; at < count; ++at)
    nearest[static_cast<size_t>(at)] =
        static_cast<int>((2 * static_cast<int64_t>(at) + 1) * available / (2 * count));
  return nearest;
}

/// Pixels that are kept may lie between those that were taken.
static void paintKept(QImage &image, const QImage &indexed, const QList<QRgb> &colors,
                      int leastKept) {
  const std::vector<int> columns = nearestOf(image.width(), indexed.width());
  const std::vector<int> rows = nearestOf(image.height(), indexed.height());
  for (int y = 0; y < indexed.height(); ++y) {
    const uchar *from = indexed.constScanLine(y);
    auto *to = reinterpret_cast<QRgb *>(image.scanLine(rows[static_cast<size_t>(y)]));
    for (size_t x = 0; x < columns.size(); ++x)
      if (from[x] >= leastKept)
        to[columns[x]] = colors[from[x]];
  }
}

QImage coloredImage(const QImage &indexed, const QList<QRgb> &colors, int leastKept, QSize size) {
  if (indexed.isNull() || size.isEmpty())
    return {};
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  const std::vector<int> columns = nearestOf(indexed.width(), size.width());
  const std::vector<int> rows = nearestOf(indexed.height(), size.height());
  for (int y = 0; y < size.height(); ++y) {
    const uchar *from = indexed.constScanLine(rows[static_cast<size_t>(y)]);
    auto *to = reinterpret_cast<QRgb *>(image.scanLine(y));
    for (const int column : columns)
      *to++ = colors[from[column]];
  }
  if (size.width() < indexed.width() || size.height() < indexed.height())
    paintKept(image, indexed, colors, leastKept);
  return image;
}

} // namespace tilescope::views
