// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/programs/ArrayMarks.h"

#include "views/common/Theme.h"

#include <QLineF>
#include <QList>
#include <QPen>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilescope::views {

using compiler::access::ArrayGrid;
using compiler::access::ElementBox;
using compiler::access::TouchKind;

static QColor colorOf(TouchKind kind) {
  return theme()[kind == TouchKind::Read ? ColorRole::Accent : ColorRole::Warning];
}

static QColor withAlpha(QColor color, double alpha) {
  color.setAlphaF(static_cast<float>(alpha));
  return color;
}

/// Reads are marked by rising lines, writes by falling ones.
static void addLines(QList<QLineF> &lines, const QRectF &rect, TouchKind kind) {
  constexpr double kApart = 6;
  const bool isRising = kind == TouchKind::Read;
  const double height = rect.height();
  for (double at = std::floor((rect.left() - height) / kApart) * kApart; at < rect.right();
       at += kApart) {
    const double from = std::max(at, rect.left()), to = std::min(at + height, rect.right());
    if (from >= to)
      continue;
    const double low = from - at, high = to - at;
    lines << (isRising ? QLineF(from, rect.bottom() - low, to, rect.bottom() - high)
                       : QLineF(from, rect.top() + low, to, rect.top() + high));
  }
}

void drawMark(QPainter &painter, const QRectF &rect, const MarkLook &look) {
  const QColor color = colorOf(look.kind);
  if (!look.isOutline)
    painter.fillRect(rect, withAlpha(color, look.isNow ? 0.55 : 0.16));
  constexpr double kRoomPx = 3;
  if (rect.width() < kRoomPx || rect.height() < kRoomPx) {
    if (look.isOutline)
      painter.fillRect(rect, color);
    return;
  }
  painter.setBrush(Qt::NoBrush);
  const QRectF edge = rect.adjusted(0.5, 0.5, -0.5, -0.5);
  if (look.isOutline) {
    painter.setPen(QPen(theme()[ColorRole::Panel], look.isNow ? 4 : 2.5));
    painter.drawRect(edge);
  }
  painter.setPen(QPen(look.isNow ? color : withAlpha(color, 0.75), look.isNow ? 2 : 1,
                      look.isNow ? Qt::SolidLine : Qt::DashLine));
  painter.drawRect(edge);
  if (!look.isNow || look.isOutline)
    return;
  QList<QLineF> lines;
  addLines(lines, rect.adjusted(1, 1, -1, -1), look.kind);
  painter.setPen(QPen(theme()[ColorRole::Text], 1));
  painter.drawLines(lines);
}

void drawMasked(QPainter &painter, const QRectF &rect) {
  painter.setPen(QPen(theme()[ColorRole::TextMuted], 1));
  QList<QLineF> lines;
  addLines(lines, rect, TouchKind::Read);
  addLines(lines, rect, TouchKind::Written);
  painter.drawLines(lines);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
}

void drawPastEnd(QPainter &painter, const QRectF &rect) {
  painter.fillRect(rect, theme()[ColorRole::Error]);
}

std::vector<QRectF> rectsOf(const ElementBox &box, const ArrayGrid &grid) {
  constexpr int64_t kMost = 2000;
  constexpr double kApartPx = 3;
  std::array<int64_t, 3> pieces{1, 1, 1};
  const std::array<double, 3> scale{0, grid.rowHeight(), grid.columnWidth()};
  for (size_t axis = 1; axis < 3; ++axis)
    if (box.step[axis] > 1 && static_cast<double>(box.step[axis]) * scale[axis] >= kApartPx)
      pieces[axis] = box.count[axis];
  if (pieces[1] * pieces[2] > kMost)
    pieces = {1, 1, 1};
  std::vector<QRectF> rects;
  for (int64_t row = 0; row < pieces[1]; ++row)
    for (int64_t column = 0; column < pieces[2]; ++column) {
      ElementBox piece = box;
      const std::array<int64_t, 3> at{0, row, column};
      for (size_t axis = 1; axis < 3; ++axis)
        if (pieces[axis] > 1) {
          piece.first[axis] += at[axis] * box.step[axis];
          piece.count[axis] = 1;
        }
      if (auto rect = grid.box(piece)) {
        // Of pieces that lie apart, there are enough to be seen.
        if (pieces[1] * pieces[2] == 1)
          rect = grid.seen(*rect);
        rects.emplace_back(
            QPointF(std::floor(rect->x), std::floor(rect->y)),
            QPointF(std::max(std::floor(rect->x) + 1, std::round(rect->x + rect->width)),
                    std::max(std::floor(rect->y) + 1, std::round(rect->y + rect->height))));
      }
    }
  return rects;
}

} // namespace tilescope::views
