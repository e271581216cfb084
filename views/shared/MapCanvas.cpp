// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/shared/MapCanvas.h"

#include "compiler/access/picture/SharedWords.h"
#include "views/common/Theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace tilescope::views {

namespace access = compiler::access;
using access::SharedMap;

/// Lengths at the standard size of text.
static constexpr int kLeastRowPx = 15, kMostRowPx = 28, kFoldedPx = 5, kLeastBoxPx = 7,
                     kMarginPx = 10, kLoopPx = 8;

MapCanvas::MapCanvas(QWidget *parent) : PictureCanvas(parent) {}

void MapCanvas::setContent(SharedContentPointer content) {
  m_content = std::move(content);
  m_selected = -1;
  resetPlaces();
  layOut();
}

void MapCanvas::setSelected(int buffer) {
  if (std::exchange(m_selected, buffer) != buffer)
    viewport()->update();
}

QString MapCanvas::rowName(const access::SharedRow &row) const {
  if (row.isFolded)
    return {};
  const std::string lines = access::stepsText(facts(), row.begin, row.end);
  if (lines.empty())
    return {};
  const qsizetype line = QString::fromStdString(lines).toLongLong() - 1;
  return QString::fromStdString(lines) + QStringLiteral("  ") +
         m_content->lines.value(line).simplified();
}

double MapCanvas::headHeight() const { return QFontMetricsF(labelFont()).height() + 14; }
double MapCanvas::footHeight() const { return QFontMetricsF(labelFont()).height() + 8; }

double MapCanvas::nameWidth(double width) const {
  return std::min(m_widestName + 12 + scaledPx(kLoopPx), width * 0.38);
}

MapCanvas::Frame MapCanvas::frameFor(const QRectF &area, double rowHeight) const {
  Frame frame{{area, nameWidth(area.width()), headHeight(), footHeight()}, {}};
  if (m_content)
    frame.map = SharedMap(facts(), {frame.rowWidth(kMarginPx), rowHeight,
                                    double(scaledPx(kFoldedPx)), double(scaledPx(kLeastBoxPx))});
  return frame;
}

void MapCanvas::layOut() {
  const QFontMetricsF metrics(labelFont());
  m_widestName = 0;
  const QRectF area = viewport()->rect();
  const double room = area.height() - headHeight() - footHeight() - 2;
  double fitting = scaledPx(kMostRowPx);
  if (m_content) {
    for (const access::SharedRow &row : SharedMap::rowsOf(facts()))
      m_widestName = std::max(m_widestName, metrics.horizontalAdvance(rowName(row)));
    const double least = std::max<double>(scaledPx(kLeastRowPx), metrics.height());
    fitting = SharedMap::fittingRowHeight(facts(), room, scaledPx(kFoldedPx), least,
                                          std::max<double>(least, scaledPx(kMostRowPx)));
  }
  m_map = frameFor(area, fitting * zoom()).map;
  setHeights(m_map.height(), room, m_map.rowHeight());
}

int MapCanvas::numPlaces() const {
  return m_content ? static_cast<int>(facts().buffers.size()) : 0;
}

QRectF MapCanvas::boxRect(int buffer) const {
  if (buffer < 0 || buffer >= numPlaces())
    return {};
  const Frame frame = inSight();
  return rectOf(frame, m_map.box(static_cast<size_t>(buffer)));
}

MapCanvas::Frame MapCanvas::inSight() const {
  Frame frame = frameFor(viewport()->rect(), m_map.rowHeight());
  scroll(frame);
  frame.keepWhole(frame.rowsInSight(), [&](size_t row) { return frame.map.row(row); });
  return frame;
}

int MapCanvas::placeAt(QPointF point) const {
  const Frame frame = inSight();
  if (!frame.rows.contains(point))
    return -1;
  const QPointF at = point - frame.origin;
  return access::bufferAt(m_map, {at.x(), at.y()});
}

int MapCanvas::placeFrom(int place, access::Step step) const {
  return access::bufferFrom(m_map, place, step);
}

compiler::GridRect MapCanvas::extentOf(int place) const {
  return m_map.box(static_cast<size_t>(place));
}

double MapCanvas::heightFor(double width) const {
  const Frame frame = frameFor(QRectF(0, 0, width, 1000), scaledPx(kMostRowPx) * 0.8);
  return headHeight() + frame.map.height() + footHeight() + 4;
}

void MapCanvas::render(QPainter &painter, const QRectF &target) const {
  painter.fillRect(target, theme()[ColorRole::Panel]);
  draw(painter, frameFor(target, scaledPx(kMostRowPx) * 0.8));
}

void MapCanvas::paintPicture(QPainter &painter) const { draw(painter, inSight()); }

} // namespace tilescope::views
