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

namespace tilescope::views {

namespace access = compiler::access;
using access::PipelinePicture;
using access::PipelineRow;
using access::PipelineRowKind;

/// Lengths at the standard size of text.
static constexpr int kLeastRowPx = 15, kMostRowPx = 26, kLeastColumnPx = 9, kMarginPx = 8;

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
  return m_numFootRows * QFontMetricsF(labelFont()).height() + 8;
}

double PipelineCanvas::nameWidth(double width) const {
  return std::min(m_widestName + 20, width * 0.3);
}

PipelineCanvas::Frame PipelineCanvas::frameFor(const QRectF &area, double rowHeight) const {
  Frame frame;
  frame.all = area;
  frame.body = area.adjusted(0, 4, 0, -footHeight());
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
  const double room = area.height() - 4 - footHeight() - 2;
  double fitting = scaledPx(kMostRowPx);
  if (m_loop >= 0) {
    const std::vector<PipelineRow> rows = PipelinePicture::rowsOf(facts());
    for (const PipelineRow &row : rows)
      m_widestName = std::max(m_widestName, metrics.horizontalAdvance(rowName(row)));
    const double least = std::max<double>(scaledPx(kLeastRowPx), metrics.height() + 2);
    fitting = std::clamp(room / std::max<double>(1, static_cast<double>(rows.size())), least,
                         std::max<double>(least, scaledPx(kMostRowPx)));
  }
  m_picture = frameFor(area, fitting * zoom()).picture;
  setHeights(m_picture.height(), room, m_picture.rowHeight());
}

int PipelineCanvas::numPlaces() const {
  return m_loop < 0 ? 0 : static_cast<int>(facts().events.size());
}

QRectF PipelineCanvas::eventRect(int event) const {
  const int item = event < 0 ? -1 : m_picture.itemOf(static_cast<uint32_t>(event));
  if (item < 0)
    return {};
  Frame frame = frameFor(viewport()->rect(), m_picture.rowHeight());
  frame.origin.ry() -= verticalScrollBar()->value();
  return rectOf(frame, m_picture.items()[static_cast<size_t>(item)].rect);
}

int PipelineCanvas::placeAt(QPointF point) const {
  const QRectF area = viewport()->rect();
  const QPointF at = point - QPointF(nameWidth(area.width()), 4 - verticalScrollBar()->value());
  if (point.y() > area.bottom() - footHeight())
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
  return item < 0 ? compiler::GridRect() : m_picture.items()[static_cast<size_t>(item)].rect;
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
  return 4 + footHeight() +
         static_cast<double>(PipelinePicture::rowsOf(facts()).size()) * scaledPx(kMostRowPx) * 0.85;
}

void PipelineCanvas::render(QPainter &painter, const QRectF &target) const {
  painter.fillRect(target, theme()[ColorRole::Panel]);
  draw(painter, frameFor(target, scaledPx(kMostRowPx) * 0.85));
}

void PipelineCanvas::paintPicture(QPainter &painter) const {
  Frame frame{m_picture, {}, {}, viewport()->rect()};
  frame.body = frame.all.adjusted(0, 4, 0, -footHeight());
  frame.origin =
      frame.body.topLeft() + QPointF(nameWidth(frame.all.width()), -verticalScrollBar()->value());
  draw(painter, frame);
}

} // namespace tilescope::views
