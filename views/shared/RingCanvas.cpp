// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/shared/RingCanvas.h"

#include "compiler/access/picture/SharedWords.h"
#include "views/common/Theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace tilescope::views {

namespace access = compiler::access;
using access::RingCell;
using access::Step;

static constexpr int kLeastRowPx = 16, kMostRowPx = 26, kMarginPx = 8;

RingCanvas::RingCanvas(QWidget *parent) : PictureCanvas(parent) {}

void RingCanvas::setTable(Table table) {
  m_table = std::move(table);
  resetPlaces();
  layOut();
}

static QString rowName(int row) {
  return row == 0 ? RingCanvas::tr("before the loop") : RingCanvas::tr("iteration %1").arg(row - 1);
}

QString RingCanvas::cellText(int cell) const {
  const int row = cell / numSlots(), slot = cell % numSlots();
  const RingCell &at = m_table[static_cast<size_t>(row)][static_cast<size_t>(slot)];
  const QString where = tr("%1, slot %2").arg(rowName(row)).arg(slot);
  if (at.block < 0)
    return tr("%1: holds nothing yet").arg(where);
  if (at.isWritten && at.isRead)
    return tr("%1: is filled with block %2, and read").arg(where).arg(at.block);
  if (at.isWritten)
    return tr("%1: a copy of block %2 is under way into it").arg(where).arg(at.block);
  if (at.isRead)
    return tr("%1: block %2 is read").arg(where).arg(at.block);
  return tr("%1: block %2 arrives, or waits to be read or replaced").arg(where).arg(at.block);
}

/// The cell, without what is scrolled.
QRectF RingCanvas::rectIn(const QRectF &area, double rowHeight, int cell) const {
  const QFontMetricsF metrics(labelFont());
  const double left = metrics.horizontalAdvance(rowName(0)) + 20, head = metrics.height() + 6;
  const double width = (area.width() - left - kMarginPx) / std::max(1, numSlots());
  return {area.left() + left + (cell % numSlots()) * width,
          area.top() + head + (cell / numSlots()) * rowHeight, width, rowHeight};
}

QRectF RingCanvas::cellRect(int cell) const {
  return rectIn(viewport()->rect(), m_rowHeight, cell).translated(0, -verticalScrollBar()->value());
}

int RingCanvas::numPlaces() const { return static_cast<int>(m_table.size()) * numSlots(); }

int RingCanvas::placeAt(QPointF point) const {
  for (int cell = 0; cell < numPlaces(); ++cell)
    if (cellRect(cell).contains(point))
      return cell;
  return -1;
}

int RingCanvas::placeFrom(int place, Step step) const {
  const int row = place / numSlots(), last = numPlaces() - 1;
  switch (step) {
  case Step::Left:
    return std::max(place - 1, 0);
  case Step::Right:
    return std::min(place + 1, last);
  case Step::Up:
    return place < numSlots() ? place : place - numSlots();
  case Step::Down:
    return place + numSlots() > last ? place : place + numSlots();
  case Step::RowStart:
    return row * numSlots();
  case Step::RowEnd:
    return row * numSlots() + numSlots() - 1;
  case Step::First:
    return 0;
  case Step::Last:
    return last;
  }
  return place;
}

compiler::GridRect RingCanvas::extentOf(int place) const {
  const QRectF rect = rectIn(QRectF(), m_rowHeight, place);
  return {0, rect.top(), 1, rect.height()};
}

/// A longer loop is shown until every slot was used twice.
QString RingCanvas::footText() const {
  const bool isWhole = static_cast<int>(m_table.size()) - 1 < 2 * numSlots();
  return isWhole ? tr("numbers count the blocks that go through the ring; the loop ends here")
                 : tr("numbers count the blocks that go through the ring; further iterations, "
                      "where there are some, go on like this");
}

double RingCanvas::footHeight(double width) const {
  const QRectF room(0, 0, std::max(1.0, width - 2 * kMarginPx), 1e4);
  return QFontMetricsF(labelFont()).boundingRect(room, Qt::TextWordWrap, footText()).height() +
         kMarginPx;
}

void RingCanvas::layOut() {
  const QFontMetricsF metrics(labelFont());
  const double room = viewport()->height() - 2;
  const double rows = std::max<double>(1, static_cast<double>(m_table.size()));
  const double head = metrics.height() + 6, whole = footHeight(viewport()->width());
  const double least = std::max<double>(scaledPx(kLeastRowPx), metrics.height() + 2);
  // Half of a sentence below the edge says nothing.
  m_showsFoot = head + rows * least + whole <= room;
  const double foot = m_showsFoot ? whole : 0;
  setToolTip(m_showsFoot || m_table.empty() ? QString() : footText());
  m_rowHeight = zoom() * std::clamp((room - head - foot) / rows, least,
                                    std::max<double>(least, scaledPx(kMostRowPx)));
  setHeights(head + rows * m_rowHeight + foot, room, m_rowHeight);
}

void RingCanvas::drawCell(QPainter &painter, const QRectF &rect, const RingCell &cell) const {
  const QRectF inner = rect.adjusted(1, 1, -1, -1);
  const QColor fill = theme()[cell.isWritten ? ColorRole::Accent : ColorRole::Raised];
  if (cell.block >= 0)
    painter.fillRect(inner, fill);
  painter.setBrush(Qt::NoBrush);
  // What is read has a strong edge: color alone does not say it.
  painter.setPen(
      QPen(theme()[cell.isRead ? ColorRole::Text : ColorRole::Border], cell.isRead ? 2 : 1));
  painter.drawRect(inner.adjusted(0.5, 0.5, -0.5, -0.5));
  painter.setPen(cell.isWritten ? inkOn(fill)
                 : cell.isRead  ? theme()[ColorRole::Text]
                                : theme()[ColorRole::TextMuted]);
  const QString whole =
      QString::fromStdString(access::ringCellText(cell.block, cell.isWritten, cell.isRead));
  painter.drawText(inner, Qt::AlignCenter,
                   QFontMetricsF(painter.font()).horizontalAdvance(whole) <= inner.width()
                       ? whole
                       : QString::number(cell.block));
}

void RingCanvas::drawFoot(QPainter &painter, const QRectF &area, double top) const {
  painter.setPen(theme()[ColorRole::TextMuted]);
  painter.drawText(
      QRectF(area.left() + kMarginPx, top, area.width() - 2 * kMarginPx, footHeight(area.width())),
      Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, footText());
}

void RingCanvas::draw(QPainter &painter, const QRectF &area, double rowHeight, double scrolled,
                      bool hasFoot) const {
  if (numPlaces() == 0)
    return drawEmptyText(painter, area);
  painter.setFont(labelFont());
  const double height = QFontMetricsF(painter.font()).height();
  const auto rectOf = [&](int cell) {
    return rectIn(area, rowHeight, cell).translated(0, -scrolled);
  };
  painter.setPen(theme()[ColorRole::TextMuted]);
  for (int slot = 0; slot < numSlots(); ++slot)
    painter.drawText(
        QRectF(rectOf(slot).left(), rectOf(slot).top() - height - 4, rectOf(slot).width(), height),
        Qt::AlignCenter, tr("slot %1").arg(slot));
  for (int row = 0; row < static_cast<int>(m_table.size()); ++row) {
    const QRectF first = rectOf(row * numSlots());
    painter.setPen(theme()[ColorRole::TextMuted]);
    painter.drawText(
        QRectF(area.left() + 8, first.top(), first.left() - area.left() - 14, first.height()),
        Qt::AlignLeft | Qt::AlignVCenter, rowName(row));
    for (int slot = 0; slot < numSlots(); ++slot)
      drawCell(painter, rectOf(row * numSlots() + slot),
               m_table[static_cast<size_t>(row)][static_cast<size_t>(slot)]);
  }
  if (hasFoot)
    drawFoot(painter, area, rectOf(numPlaces() - 1).bottom() + 3);
  if (highlighted() >= 0 && highlighted() < numPlaces())
    drawOutline(painter, rectOf(highlighted()).adjusted(1, 1, -1, -1));
}

double RingCanvas::heightFor(double width) const {
  return QFontMetricsF(labelFont()).height() + 10 + footHeight(width) +
         static_cast<double>(m_table.size()) * scaledPx(kMostRowPx) * 0.8;
}

void RingCanvas::render(QPainter &painter, const QRectF &target) const {
  painter.fillRect(target, theme()[ColorRole::Panel]);
  draw(painter, target, scaledPx(kMostRowPx) * 0.8, 0, true);
}

void RingCanvas::paintPicture(QPainter &painter) const {
  draw(painter, viewport()->rect(), m_rowHeight, verticalScrollBar()->value(), m_showsFoot);
}

} // namespace tilescope::views
