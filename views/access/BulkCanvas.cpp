// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/access/BulkCanvas.h"

#include "views/common/Theme.h"

#include <QFontMetricsF>
#include <QKeyEvent>

#include <algorithm>

namespace tilescope::views {

namespace access = compiler::access;
using access::BulkChunk;
using access::BulkGrid;
using access::BulkPicture;
using access::Step;

/// At the standard size of text.
static constexpr int kLeastRowPx = 13, kMostRowPx = 24, kMostOverviewPx = 130,
                     kLeastOverviewPx = 44;

BulkCanvas::BulkCanvas(QWidget *parent) : PictureCanvas(parent) {}

void BulkCanvas::setContent(const BulkPicture &picture) {
  m_picture = picture;
  resetPlaces();
  layOut();
}

int BulkCanvas::numPlaces() const {
  return static_cast<int>(m_picture.numRows() * m_picture.chunksPerRow());
}

BulkChunk BulkCanvas::chunk(int place) const {
  return m_picture.chunk(place / m_picture.chunksPerRow(), place % m_picture.chunksPerRow());
}

/// A third of the room, where the rows keep enough of it.
double BulkCanvas::overviewHeight(const QRectF &area) const {
  const double height = std::min<double>(area.height() * 0.3, scaledPx(kMostOverviewPx));
  return height < scaledPx(kLeastOverviewPx) ? 0 : height;
}

double BulkCanvas::headHeight(const QRectF &area) const {
  return overviewHeight(area) + QFontMetricsF(labelFont()).height() + 6;
}

double BulkCanvas::footHeight() const { return QFontMetricsF(labelFont()).height() + 8; }

BulkCanvas::Frame BulkCanvas::frameFor(const QRectF &area, double rowHeight) const {
  const double names = std::min(m_widestName + 12, area.width() * 0.35);
  const PictureFrame frame(area, names, headHeight(area), footHeight());
  const BulkGrid grid{m_picture.numRows(), std::max<int64_t>(1, m_picture.rowBytes()),
                      frame.rowWidth(kMarginPx), rowHeight};
  return {frame, grid, overviewHeight(area)};
}

void BulkCanvas::layOut() {
  const QFontMetricsF metrics(labelFont());
  m_widestName = 0;
  for (const int64_t row : {int64_t{0}, m_picture.numRows() - 1})
    if (row >= 0 && !m_picture.isEmpty())
      m_widestName = std::max(m_widestName, metrics.horizontalAdvance(QString::fromStdString(
                                                bulkRowName(m_picture.row(row)))));
  const QRectF area = viewport()->rect();
  const double room = area.height() - headHeight(area) - footHeight() - 2;
  const double least = std::max<double>(scaledPx(kLeastRowPx), metrics.height() * 0.8);
  const double fitting = room / static_cast<double>(std::max<int64_t>(1, m_picture.numRows()));
  const double most = std::max<double>(least, scaledPx(kMostRowPx));
  m_grid = frameFor(area, std::clamp(fitting, least, most) * zoom()).grid;
  setHeights(m_grid.height(), room, m_grid.rowHeight);
}

BulkCanvas::Frame BulkCanvas::inSight() const {
  Frame frame = frameFor(viewport()->rect(), m_grid.rowHeight);
  scroll(frame);
  frame.keepWhole(rowsIn(frame),
                  [&](size_t row) { return frame.grid.row(static_cast<int64_t>(row)); });
  return frame;
}

compiler::Interval BulkCanvas::rowsIn(const Frame &frame) const {
  const double height = frame.grid.rowHeight;
  const auto first = static_cast<int64_t>(std::max(0.0, frame.above() / height));
  const auto behind =
      static_cast<int64_t>(std::max(0.0, (frame.above() + frame.body.height()) / height)) + 1;
  return {std::min(first, frame.grid.numRows), std::min(behind, frame.grid.numRows)};
}

QRectF BulkCanvas::placeRect(int place) const {
  if (place < 0 || place >= numPlaces())
    return {};
  const Frame frame = inSight();
  const BulkChunk at = chunk(place);
  const compiler::GridRect rect = frame.grid.bytes(at.row, at.bytes.begin, at.bytes.end);
  return {frame.origin.x() + rect.x, frame.origin.y() + rect.y, rect.width, rect.height};
}

int BulkCanvas::placeAt(QPointF point) const {
  const Frame frame = inSight();
  if (!frame.rows.contains(point))
    return -1;
  const QPointF at = point - frame.origin;
  return static_cast<int>(frame.grid.chunkAt({at.x(), at.y()}));
}

int BulkCanvas::placeFrom(int place, Step step) const {
  const auto perRow = static_cast<int>(m_picture.chunksPerRow());
  const int row = place / perRow, last = numPlaces() - 1;
  switch (step) {
  case Step::Left:
    return std::max(place - 1, row * perRow);
  case Step::Right:
    return std::min(place + 1, row * perRow + perRow - 1);
  case Step::Up:
    return place >= perRow ? place - perRow : place;
  case Step::Down:
    return place + perRow <= last ? place + perRow : place;
  case Step::RowStart:
    return row * perRow;
  case Step::RowEnd:
    return row * perRow + perRow - 1;
  case Step::First:
    return 0;
  case Step::Last:
    break;
  }
  return last;
}

compiler::GridRect BulkCanvas::extentOf(int place) const {
  return m_grid.row(place / m_picture.chunksPerRow());
}

bool BulkCanvas::keyFor(const QKeyEvent &event) {
  using Scrub = RequestCanvas::Scrub;
  if ((event.modifiers() & ~Qt::ShiftModifier) ||
      (event.key() != Qt::Key_T && event.key() != Qt::Key_P))
    return false;
  Q_EMIT scrubRequested(event.key() == Qt::Key_T ? Scrub::Iteration : Scrub::Program,
                        event.modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
  return true;
}

double BulkCanvas::heightFor(double width) const {
  // As high as leaves the overview its most.
  const QRectF area(0, 0, width, scaledPx(kMostOverviewPx) * 4);
  return headHeight(area) + scaledPx(kMostRowPx) * 0.7 * static_cast<double>(m_picture.numRows()) +
         footHeight() + 4;
}

void BulkCanvas::render(QPainter &painter, const QRectF &target) const {
  painter.fillRect(target, theme()[ColorRole::Panel]);
  draw(painter, frameFor(target, scaledPx(kMostRowPx) * 0.7));
}

} // namespace tilescope::views
