// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// How a BulkCanvas looks; what it does is in BulkCanvas.cpp.
#include "views/access/BulkCanvas.h"
#include "views/common/HatchLines.h"
#include "views/common/Theme.h"

#include <QPainter>

#include <algorithm>

namespace tilescope::views {

namespace access = compiler::access;
using access::BulkChunk;

static constexpr double kHatchPx = 5;

static QRectF onPixels(QPointF origin, const compiler::GridRect &rect) {
  const QPointF at = origin + QPointF(rect.x, rect.y);
  const QPointF from(qRound(at.x()), qRound(at.y()));
  return {from, QPointF(qRound(at.x() + rect.width), qRound(at.y() + rect.height))};
}

static QColor groupColor(int group) { return theme().categorical(group, access::kBankGroups); }

/// Lines from the lower left to the upper right: nothing of memory is there.
static void hatch(QPainter &painter, const QRectF &rect) {
  painter.fillRect(rect, theme()[ColorRole::Raised]);
  painter.setPen(QPen(theme()[ColorRole::TextFaint], 1));
  QList<QLineF> lines;
  for (double at = rect.left() - rect.height(); at < rect.right(); at += kHatchPx) {
    const double from = std::max(at, rect.left()), to = std::min(at + rect.height(), rect.right());
    if (from < to)
      lines << QLineF(from, rect.bottom() - (from - at), to, rect.bottom() - (to - at));
  }
  painter.drawLines(lines);
}

void BulkCanvas::drawOverview(QPainter &painter, const Frame &frame) const {
  if (frame.overview <= 0)
    return;
  constexpr double kLeastSidePx = 14;
  const QRectF room(frame.origin.x(), frame.all.top() + 6, frame.rowWidth(kMarginPx),
                    frame.overview - 14);
  const access::BulkOverview at =
      bulkOverview(m_picture, room.width(), room.height(), kLeastSidePx);
  const QPointF origin = room.topLeft();
  painter.fillRect(onPixels(origin, at.tensor), theme()[ColorRole::Base]);
  hatch(painter, onPixels(origin, at.block));
  if (at.inside.width > 0 && at.inside.height > 0)
    painter.fillRect(onPixels(origin, at.inside), theme()[ColorRole::AccentFill]);
  const auto outline = [&](const compiler::GridRect &rect, ColorRole role) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme()[role], 1));
    painter.drawRect(onPixels(origin, rect).adjusted(0.5, 0.5, -0.5, -0.5));
  };
  outline(at.tensor, ColorRole::BorderStrong);
  outline(at.block, ColorRole::FocusEdge);
  painter.setPen(QPen(theme()[ColorRole::FocusEdge], 1, Qt::DotLine));
  const QRectF block = onPixels(origin, at.block);
  for (const double x : at.columns)
    painter.drawLine(QLineF(qRound(origin.x() + x) + 0.5, block.top(), qRound(origin.x() + x) + 0.5,
                            block.bottom()));
  for (const double y : at.rows)
    painter.drawLine(QLineF(block.left(), qRound(origin.y() + y) + 0.5, block.right(),
                            qRound(origin.y() + y) + 0.5));
  painter.setFont(labelFont());
  painter.setPen(theme()[ColorRole::TextMuted]);
  painter.drawText(QRectF(frame.all.left() + 2, room.top(), frame.origin.x() - frame.all.left() - 8,
                          room.height()),
                   Qt::AlignRight | Qt::AlignTop | Qt::TextWordWrap, tr("tensor"));
}

void BulkCanvas::drawChunk(QPainter &painter, const QRectF &rect, const BulkChunk &chunk) const {
  if (chunk.inside.size() < chunk.bytes.size())
    hatch(painter, rect);
  if (chunk.inside.size() == 0)
    return;
  const double each = rect.width() / static_cast<double>(chunk.bytes.size());
  const QRectF filled(rect.left() +
                          static_cast<double>(chunk.inside.begin - chunk.bytes.begin) * each,
                      rect.top(), static_cast<double>(chunk.inside.size()) * each, rect.height());
  const QColor fill = groupColor(chunk.bankGroup), ink = inkOn(fill);
  painter.fillRect(filled.adjusted(1, 1, 0, 0), fill);
  const QString label = QString::number(chunk.bankGroup);
  if (QFontMetricsF(painter.font()).horizontalAdvance(label) + 2 <= filled.width()) {
    painter.setPen(ink);
    painter.drawText(filled, Qt::AlignCenter, label);
    return;
  }
  QColor faint = ink;
  faint.setAlphaF(0.35F);
  painter.setPen(QPen(faint, 1));
  QList<QLineF> lines;
  addHatchLines(lines, filled.adjusted(1, 1, -1, -1), static_cast<uint64_t>(chunk.bankGroup));
  painter.drawLines(lines);
}

void BulkCanvas::drawRow(QPainter &painter, const Frame &frame, int64_t row) const {
  for (int64_t at = 0; at < m_picture.chunksPerRow(); ++at) {
    const BulkChunk each = m_picture.chunk(row, at);
    drawChunk(painter,
              onPixels(frame.origin, frame.grid.bytes(row, each.bytes.begin, each.bytes.end)),
              each);
  }
  const access::BulkRow facts = m_picture.row(row);
  const QRectF whole = onPixels(frame.origin, frame.grid.row(row));
  painter.setPen(QPen(theme()[ColorRole::Text], 2));
  if (facts.sectors > 0)
    for (const int64_t edge : m_picture.sectorEdges(row)) {
      if (edge < facts.inside.begin || edge > facts.inside.end)
        continue;
      const double x = qRound(frame.origin.x() + frame.grid.bytes(row, edge, edge).x);
      painter.drawLine(QLineF(x, whole.top() + 1, x, whole.bottom()));
    }
  const QRectF area(frame.all.left() + 2, whole.top(), whole.left() - frame.all.left() - 8,
                    whole.height());
  painter.setPen(theme()[ColorRole::TextMuted]);
  painter.drawText(
      area, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
      QFontMetricsF(painter.font())
          .elidedText(QString::fromStdString(bulkRowName(facts)), Qt::ElideMiddle, area.width()));
}

void BulkCanvas::drawHead(QPainter &painter, const Frame &frame) const {
  painter.setFont(labelFont());
  painter.setPen(theme()[ColorRole::TextMuted]);
  const double height = QFontMetricsF(painter.font()).height() + 4;
  const double top = frame.body.top() - height - 2;
  // As many numbers as there is room for, at whole sectors.
  const double least = QFontMetricsF(painter.font()).horizontalAdvance(tr("byte 0")) + 12;
  int64_t step = access::kChunkBytes;
  while (frame.grid.bytes(0, 0, step).width < least && step < m_picture.rowBytes())
    step *= 2;
  for (int64_t at = 0; at < m_picture.rowBytes(); at += step) {
    const compiler::GridRect unit = frame.grid.bytes(0, at, at + step);
    painter.drawText(QRectF(frame.origin.x() + unit.x + 2, top, unit.width - 4, height),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                     at == 0 ? tr("byte 0") : QString::number(at));
  }
  painter.drawText(
      QRectF(frame.all.left() + 2, top, frame.origin.x() - frame.all.left() - 8, height),
      Qt::AlignRight | Qt::AlignVCenter, tr("row at"));
}

void BulkCanvas::drawFoot(QPainter &painter, const Frame &frame) const {
  painter.setFont(labelFont());
  const QFontMetricsF metrics(painter.font());
  const double size = metrics.height() * 0.7;
  const double y = frame.all.bottom() - footHeight() + 2;
  const bool isStore = m_picture.shape().isStore;
  struct Entry {
    QString words, shortWords;
    void (*draw)(QPainter &, const QRectF &);
  };
  const std::vector<Entry> entries{
      {tr("16 bytes; n: banks 4n to 4n+3"), tr("banks / 4"),
       [](QPainter &to, const QRectF &box) { to.fillRect(box, groupColor(0)); }},
      {isStore ? tr("outside: not written") : tr("outside: zeros"), tr("outside"), hatch},
      {tr("edge of a 32-byte sector"), tr("sector"), [](QPainter &to, const QRectF &box) {
         to.setPen(QPen(theme()[ColorRole::Text], 2));
         to.drawLine(QLineF(box.center().x(), box.top(), box.center().x(), box.bottom()));
       }}};
  constexpr double kBeforeWord = 5, kBehindWord = 16;
  double longWidth = 0;
  for (const Entry &entry : entries)
    longWidth += size * 1.6 + kBeforeWord + metrics.horizontalAdvance(entry.words) + kBehindWord;
  const bool isLong = longWidth <= frame.all.width();
  double x =
      longWidth <= frame.all.right() - frame.origin.x() ? frame.origin.x() : frame.all.left() + 2;
  for (const Entry &entry : entries) {
    const QRectF box(qRound(x), qRound(y + (metrics.height() - size) / 2), qRound(size * 1.6),
                     qRound(size));
    entry.draw(painter, box);
    const QString words = isLong ? entry.words : entry.shortWords;
    const double width = metrics.horizontalAdvance(words);
    painter.setPen(theme()[ColorRole::TextMuted]);
    painter.drawText(QRectF(box.right() + kBeforeWord, y, width + 2, metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, words);
    x = box.right() + kBeforeWord + width + kBehindWord;
  }
}

void BulkCanvas::draw(QPainter &painter, const Frame &frame) const {
  if (m_picture.isEmpty())
    return drawEmptyText(painter, frame.all);
  drawOverview(painter, frame);
  drawHead(painter, frame);
  drawFoot(painter, frame);
  clipToRows(painter, frame);
  const compiler::Interval rows = rowsIn(frame);
  for (int64_t row = rows.first; row < rows.second; ++row)
    drawRow(painter, frame, row);
  if (highlighted() >= 0 && highlighted() < numPlaces()) {
    const BulkChunk at = chunk(highlighted());
    drawOutline(painter,
                onPixels(frame.origin, frame.grid.bytes(at.row, at.bytes.begin, at.bytes.end)));
  }
  painter.restore();
}

void BulkCanvas::paintPicture(QPainter &painter) const { draw(painter, inSight()); }

} // namespace tilescope::views
