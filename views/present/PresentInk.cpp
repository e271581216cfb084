// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/present/PresentInk.h"

#include <QLineF>
#include <QTransform>

#include <algorithm>

namespace tilescope::views {

static constexpr size_t kMostLines = 200;
static constexpr qsizetype kMostPoints = 4000;
/// Half a pixel of a wide screen.
static constexpr double kLeastStep = 1.0 / 4000;

void PresentInk::begin(QPointF point) {
  std::vector<QPolygonF> &lines = m_lines[m_stop];
  if (lines.size() >= kMostLines)
    lines.erase(lines.begin());
  lines.push_back(QPolygonF{point});
}

void PresentInk::extend(QPointF point) {
  const auto found = m_lines.find(m_stop);
  if (found == m_lines.end())
    return;
  QPolygonF &line = found->second.back();
  if (line.size() < kMostPoints && QLineF(line.back(), point).length() >= kLeastStep)
    line << point;
}

std::vector<QPolygonF> PresentInk::lines(QSizeF size) const {
  const auto found = m_lines.find(m_stop);
  if (found == m_lines.end())
    return {};
  std::vector<QPolygonF> lines = found->second;
  const QTransform scale = QTransform::fromScale(size.width(), size.height());
  for (QPolygonF &line : lines)
    line = scale.map(line);
  return lines;
}

QRectF litArea(const QRectF &target, double margin, double least, const QRectF &area) {
  QRectF lit = target.adjusted(-margin, -margin, margin, margin);
  if (lit.width() >= least || lit.height() >= least)
    return lit & area;
  const double wide = (least - lit.width()) / 2, high = (least - lit.height()) / 2;
  return lit.adjusted(-wide, -high, wide, high) & area;
}

} // namespace tilescope::views
