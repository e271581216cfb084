// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/pipeline/PipelineCanvas.h"

#include "compiler/access/picture/PipelineWords.h"
#include "views/common/Theme.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

namespace access = compiler::access;
using access::PipelinePicture;
using access::PipelineRow;
using access::PipelineRowKind;

/// Lengths at the standard size of text.
static constexpr int kLeastRowPx = 11, kMostRowPx = 26, kLeastColumnPx = 9, kMarginPx = 8,
                     kTopPx = 4;

PipelineCanvas::PipelineCanvas(QWidget *parent) : PictureCanvas(parent) {}

void PipelineCanvas::setLoop(LoopsPointer loops, int loop, int iteration) {
  m_loops = std::move(loops);
  m_loop = m_loops ? loop : -1;
  m_iteration = iteration;
  m_selected = -1;
  resetPlaces();
  layOut();
}

void PipelineCanvas::setIteration(int iteration) {
  if (std::exchange(m_iteration, iteration) != iteration)
    layOut();
}

void PipelineCanvas::setSelected(int event) {
  if (std::exchange(m_selected, event) != event)
    viewport()->update();
  // The keys go on from what is marked.
  if (event >= 0)
    setKeyPlace(event);
}

QString PipelineCanvas::rowName(const PipelineRow &row) const {
  const auto group = static_cast<size_t>(std::max(0, row.partition));
  switch (row.kind) {
  case PipelineRowKind::Head:
    return facts().partitions.size() > 1
               ? QString::fromStdString(access::partitionText(facts().partitions[group]))
               : tr("iteration");
  case PipelineRowKind::Slot:
    return QString::fromStdString(access::slotText(facts(), row.buffer, row.slot));
  case PipelineRowKind::Waits:
    return tr("waits");
  case PipelineRowKind::Products:
    return tr("products");
  case PipelineRowKind::Reads:
    return tr("shared loads");
  case PipelineRowKind::Other:
    return tr("other work");
  }
  return {};
}

/// A view that is lower has one row of legend.
static constexpr int kTwoRowsPx = 240;

double PipelineCanvas::footHeight() const {
  return m_numFootRows * QFontMetricsF(labelFont()).height() + 6;
}

double PipelineCanvas::nameWidth(double width) const {
  return std::min(m_widestName + 20, width * 0.3);
}

PipelineCanvas::Frame PipelineCanvas::frameFor(const QRectF &area, double rowHeight) const {
  Frame frame;
  frame.all = area;
  frame.body = area.adjusted(0, kTopPx, 0, -footHeight());
  frame.origin = frame.body.topLeft() + QPointF(nameWidth(area.width()), 0);
  if (m_loop >= 0)
    frame.picture = PipelinePicture(facts(),
                                    {std::max(32.0, area.right() - kMarginPx - frame.origin.x()),
                                     rowHeight, double(scaledPx(kLeastColumnPx))},
                                    m_iteration);
  return frame;
}

void PipelineCanvas::layOut() {
  const QFontMetricsF metrics(labelFont());
  m_widestName = 0;
  const QRectF area = viewport()->rect();
  m_numFootRows = area.height() >= scaledPx(kTwoRowsPx) ? 2 : 1;
  const double room = area.height() - kTopPx - footHeight();
  double fitting = scaledPx(kMostRowPx);
  if (m_loop >= 0) {
    const std::vector<PipelineRow> rows = PipelinePicture::rowsOf(facts());
    for (const PipelineRow &row : rows)
      m_widestName = std::max(m_widestName, metrics.horizontalAdvance(rowName(row)));
    // Ascenders of a row reach into what descenders leave of the one above.
    const double least = std::max<double>(scaledPx(kLeastRowPx), metrics.height() - 3);
    fitting = std::clamp(room / std::max<double>(1, static_cast<double>(rows.size())), least,
                         std::max<double>(least, scaledPx(kMostRowPx)));
  }
  m_picture = frameFor(area, fitting * zoom()).picture;
  setHeights(m_picture.height(), wholeRows(room), m_picture.rowHeight());
}

double PipelineCanvas::wholeRows(double room) const {
  // Rows that just fit are not told from it by rounding.
  constexpr double kRounding = 1e-6;
  return m_picture.height() <= room + kRounding
             ? room
             : std::max(1.0, std::floor(room / m_picture.rowHeight())) * m_picture.rowHeight();
}

double PipelineCanvas::scrolledBy() const {
  return std::round(verticalScrollBar()->value() / m_picture.rowHeight()) * m_picture.rowHeight();
}

int PipelineCanvas::numPlaces() const {
  return m_loop < 0 ? 0 : static_cast<int>(facts().events.size());
}

QRectF PipelineCanvas::eventRect(int event) const {
  const int item = event < 0 ? -1 : m_picture.itemOf(static_cast<uint32_t>(event));
  if (item < 0)
    return {};
  Frame frame = frameFor(viewport()->rect(), m_picture.rowHeight());
  frame.origin.ry() -= scrolledBy();
  return rectOf(frame, m_picture.items()[static_cast<size_t>(item)].rect);
}

int PipelineCanvas::placeAt(QPointF point) const {
  const QRectF area = viewport()->rect();
  const QPointF at = point - QPointF(nameWidth(area.width()), kTopPx - scrolledBy());
  if (point.y() > kTopPx + wholeRows(area.height() - kTopPx - footHeight()))
    return -1;
  const int item = access::itemAt(m_picture, {at.x(), at.y()});
  return item < 0 ? -1 : static_cast<int>(m_picture.items()[static_cast<size_t>(item)].event);
}

int PipelineCanvas::placeFrom(int place, access::Step step) const {
  const int item = m_picture.itemOf(static_cast<uint32_t>(std::max(place, 0)));
  // From what is out of sight, to the first in sight.
  const int next = item < 0 ? 0 : access::itemFrom(m_picture, item, step);
  const auto &items = m_picture.items();
  return items.empty() ? place : static_cast<int>(items[static_cast<size_t>(next)].event);
}

compiler::GridRect PipelineCanvas::extentOf(int place) const {
  const int item = place < 0 ? -1 : m_picture.itemOf(static_cast<uint32_t>(place));
  // Its whole row is brought into sight.
  return item < 0 ? compiler::GridRect()
                  : m_picture.row(m_picture.items()[static_cast<size_t>(item)].row);
}

bool PipelineCanvas::keyFor(const QKeyEvent &event) {
  if (event.key() != Qt::Key_I || event.modifiers() & ~Qt::KeyboardModifiers(Qt::ShiftModifier))
    return false;
  Q_EMIT scrubRequested(event.modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
  return true;
}

double PipelineCanvas::heightFor(double) const {
  if (m_loop < 0)
    return 0;
  return kTopPx + footHeight() +
         static_cast<double>(PipelinePicture::rowsOf(facts()).size()) * scaledPx(kMostRowPx) * 0.85;
}

void PipelineCanvas::render(QPainter &painter, const QRectF &target) const {
  painter.fillRect(target, theme()[ColorRole::Panel]);
  draw(painter, frameFor(target, scaledPx(kMostRowPx) * 0.85));
}

void PipelineCanvas::paintPicture(QPainter &painter) const {
  Frame frame{m_picture, {}, {}, viewport()->rect()};
  frame.body = frame.all.adjusted(0, kTopPx, 0, -footHeight());
  // What does not fit is scrolled to row by row: none is cut.
  frame.body.setHeight(wholeRows(frame.body.height()));
  frame.origin = frame.body.topLeft() + QPointF(nameWidth(frame.all.width()), -scrolledBy());
  draw(painter, frame);
}

} // namespace tilescope::views
