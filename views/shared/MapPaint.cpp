// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// How a MapCanvas looks; what it does is in MapCanvas.cpp.
#include "compiler/access/picture/SharedWords.h"
#include "compiler/support/BytesText.h"
#include "views/common/HatchLines.h"
#include "views/common/Theme.h"
#include "views/shared/LabelLine.h"
#include "views/shared/MapCanvas.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <map>
#include <ranges>
#include <vector>

namespace tilescope::views {

namespace access = compiler::access;
using access::SharedRow;
using compiler::SharedAccess;
using compiler::SharedBuffer;

/// Pixels between labels of the axis, at least, and the half width of the mark of an access.
static constexpr double kAxisPx = 84, kMarkPx = 4;
/// The width from which a label is cut instead of left out.
static constexpr double kLeastLabelPx = 40;

static QString text(const std::string &value) { return QString::fromStdString(value); }

QRectF MapCanvas::rectOf(const Frame &frame, const compiler::GridRect &rect) const {
  const QPointF at = frame.origin + QPointF(rect.x, rect.y);
  const QPointF from(qRound(at.x()), qRound(at.y()));
  return {from, QPointF(qRound(at.x() + rect.width), qRound(at.y() + rect.height))};
}

QColor MapCanvas::colorOf(size_t buffer) const {
  return theme().categorical(static_cast<int>(buffer), static_cast<int>(facts().buffers.size()));
}

void MapCanvas::drawHead(QPainter &painter, const Frame &frame) const {
  painter.setFont(labelFont());
  const double height = QFontMetricsF(painter.font()).height();
  const int64_t total = std::max<int64_t>(facts().total, 1);
  const int64_t step =
      access::offsetStep(total, std::max(1, static_cast<int>(frame.map.width() / kAxisPx)));
  painter.setPen(theme()[ColorRole::TextMuted]);
  for (int64_t at = 0; at < total; at += step) {
    const double x = qRound(frame.origin.x() + frame.map.xOf(at)) + 0.5;
    painter.drawLine(QLineF(x, frame.all.top() + height + 3, x, frame.body.top() - 1));
    const QRectF label(x + 2, frame.all.top() + 1, frame.map.xOf(step) - 4, height);
    if (frame.map.xOf(total - at) > 40)
      painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                       text(bytesText(static_cast<uint64_t>(at))));
  }
  painter.drawText(QRectF(frame.all.left() + 8, frame.all.top() + 1,
                          frame.origin.x() - frame.all.left() - 24, height),
                   Qt::AlignLeft | Qt::AlignVCenter, tr("line"));
  // How much of what there is.
  const QRectF bar(frame.origin.x(), frame.body.top() - 7, frame.map.width(), 4);
  const bool isTooMuch = facts().total > facts().limit;
  const double share = std::min(1.0, static_cast<double>(total) /
                                         static_cast<double>(std::max<int64_t>(1, facts().limit)));
  painter.fillRect(bar, theme()[ColorRole::Border]);
  painter.fillRect(QRectF(bar.topLeft(), QSizeF(std::max(2.0, bar.width() * share), bar.height())),
                   theme()[isTooMuch ? ColorRole::Error : ColorRole::Accent]);
}

void MapCanvas::drawRow(QPainter &painter, const Frame &frame, size_t index) const {
  const SharedRow &row = frame.map.rows()[index];
  const QRectF band = rectOf(frame, frame.map.row(index));
  if (row.isFolded)
    painter.fillRect(band, theme()[ColorRole::Border]);
  painter.setPen(QPen(theme()[ColorRole::Border], 1));
  painter.drawLine(
      QLineF(frame.all.left(), band.bottom() + 0.5, band.right(), band.bottom() + 0.5));
  const bool isInLoop =
      std::any_of(facts().steps.begin() + row.begin, facts().steps.begin() + row.end,
                  [](const auto &step) { return step.isInLoop; });
  if (isInLoop)
    painter.fillRect(QRectF(band.left() - 7, band.top(), 3, band.height()),
                     theme()[ColorRole::Accent]);
  if (row.isFolded)
    return;
  const QRectF area(frame.all.left() + 8, band.top(), band.left() - frame.all.left() - 20,
                    band.height());
  painter.setPen(theme()[ColorRole::TextMuted]);
  painter.drawText(
      area, Qt::AlignLeft | Qt::AlignVCenter,
      QFontMetricsF(painter.font()).elidedText(rowName(row), Qt::ElideRight, area.width()));
}

void MapCanvas::drawSlots(QPainter &painter, const Frame &frame, size_t index,
                          const QList<QRectF> &taken) const {
  const SharedBuffer &buffer = facts().buffers[index];
  const QRectF box = rectOf(frame, frame.map.box(index));
  const double width = box.width() / buffer.slots;
  if (buffer.slots < 2 || width < 3)
    return;
  QColor ink = inkOn(colorOf(index));
  const QFontMetricsF metrics(painter.font());
  for (int slot = 0; slot < buffer.slots; ++slot) {
    const double x = qRound(box.left() + slot * width) + 0.5;
    ink.setAlphaF(0.6F);
    painter.setPen(QPen(ink, 1, Qt::DashLine));
    if (slot > 0)
      painter.drawLine(QLineF(x, box.top() + 1, x, box.bottom() - 1));
    const QString label = tr("slot %1").arg(slot);
    if (metrics.horizontalAdvance(label) + 8 > width || box.height() < 2 * metrics.height())
      continue;
    const QRectF place(x + 4, box.bottom() - metrics.height() - 1, width - 8, metrics.height());
    if (labelLine(place, metrics.horizontalAdvance(label), metrics.height(), taken).width() <
        metrics.horizontalAdvance(label))
      continue;
    ink.setAlphaF(1);
    painter.setPen(ink);
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, label);
  }
}

/// In the part that is in sight, so that a long life is named wherever one looks, and where no mark
/// of an access lies.
void MapCanvas::drawLabel(QPainter &painter, const Frame &frame, size_t index,
                          const QList<QRectF> &taken) const {
  const SharedBuffer &buffer = facts().buffers[index];
  const QRectF seen =
      rectOf(frame, frame.map.box(index)).intersected(frame.rows).adjusted(4, 1, -3, -1);
  const QFontMetricsF metrics(painter.font());
  const QColor ink = inkOn(colorOf(index));
  const QString name = text(access::bufferLabel(buffer));
  QString label =
      name + QStringLiteral(" · ") + text(bytesText(static_cast<uint64_t>(buffer.bytes)));
  // In the middle of an only row.
  const double height = seen.height() < 2 * metrics.height() ? seen.height() : metrics.height();
  QRectF line = labelLine(seen, metrics.horizontalAdvance(label), height, taken);
  if (metrics.horizontalAdvance(label) > line.width()) {
    label = name;
    line = labelLine(seen, metrics.horizontalAdvance(label), height, taken);
  }
  if (line.width() >= kLeastLabelPx)
    label = metrics.elidedText(label, Qt::ElideMiddle, line.width());
  if (metrics.horizontalAdvance(label) > line.width()) {
    QList<QLineF> lines;
    addHatchLines(lines, seen, index + 1);
    QColor faint = ink;
    faint.setAlphaF(0.35F);
    painter.setPen(QPen(faint, 1));
    painter.drawLines(lines);
    return;
  }
  painter.setPen(ink);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, label);
}

void MapCanvas::drawBox(QPainter &painter, const Frame &frame, size_t index,
                        const QList<QRectF> &taken) const {
  const QRectF box = rectOf(frame, frame.map.box(index)).adjusted(0, 0, -1, -1);
  if (box.height() <= 0)
    return;
  painter.fillRect(box, colorOf(index));
  painter.setFont(labelFont());
  drawSlots(painter, frame, index, taken);
  drawLabel(painter, frame, index, taken);
}

/// Filled and pointing down where something is written, hollow and pointing up where it is read.
static void drawAccess(QPainter &painter, QPointF middle, bool isWrite, const QColor &ink) {
  const double y = isWrite ? kMarkPx : -kMarkPx;
  const QPolygonF triangle{middle + QPointF(-kMarkPx, -y * 0.8),
                           middle + QPointF(kMarkPx, -y * 0.8), middle + QPointF(0, y)};
  painter.setPen(QPen(ink, 1.2));
  painter.setBrush(isWrite ? QBrush(ink) : QBrush(Qt::NoBrush));
  painter.drawPolygon(triangle);
}

std::vector<MapCanvas::Mark> MapCanvas::marksIn(const Frame &frame) const {
  std::vector<Mark> marks;
  std::map<std::pair<uint32_t, size_t>, int> numInRow;
  // The last one is the rightmost.
  for (const SharedAccess &access : std::views::reverse(facts().accesses)) {
    const size_t row = frame.map.rowOf(access.step);
    const QRectF band = rectOf(frame, frame.map.row(row));
    const QRectF box = rectOf(frame, frame.map.box(access.buffer));
    int &before = numInRow[{access.buffer, row}];
    const QPointF middle(box.right() - 9 - 11 * before, band.center().y());
    if (middle.x() - kMarkPx < box.left() + 1)
      continue;
    ++before;
    marks.push_back({access.buffer, middle, access.isWrite});
  }
  return marks;
}

void MapCanvas::drawAccesses(QPainter &painter, const std::vector<Mark> &marks) const {
  // A color's contrast takes as long as a mark: a kernel has many more accesses than buffers.
  std::vector<QColor> inks;
  for (size_t buffer = 0; buffer < facts().buffers.size(); ++buffer)
    inks.push_back(inkOn(colorOf(buffer)));
  const bool wasSmooth = painter.testRenderHint(QPainter::Antialiasing);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Mark &mark : marks)
    drawAccess(painter, mark.middle, mark.isWrite, inks[mark.buffer]);
  painter.setRenderHint(QPainter::Antialiasing, wasSmooth);
}

/// Outlines of what is pointed at, of what is shown beside the map, and of who has the same bytes.
void MapCanvas::drawMarks(QPainter &painter, const Frame &frame) const {
  const int meant = highlighted() >= 0 ? highlighted() : m_selected;
  if (meant < 0 || meant >= numPlaces())
    return;
  painter.setBrush(Qt::NoBrush);
  for (const size_t sharer : facts().sharersOf(static_cast<size_t>(meant))) {
    const QRectF box = rectOf(frame, frame.map.box(sharer)).adjusted(1, 1, -3, -3);
    painter.setPen(QPen(theme()[ColorRole::Panel], 3));
    painter.drawRect(box);
    painter.setPen(QPen(theme()[ColorRole::FocusEdge], 2, Qt::DashLine));
    painter.drawRect(box);
  }
  drawOutline(painter,
              rectOf(frame, frame.map.box(static_cast<size_t>(meant))).adjusted(1, 1, -2, -2));
}

void MapCanvas::drawFoot(QPainter &painter, const Frame &frame) const {
  painter.setFont(labelFont());
  const QFontMetricsF metrics(painter.font());
  double x = frame.all.left() + 8;
  const double y = frame.all.bottom() - footHeight() + 2;
  const auto add = [&](const QString &words, const auto &sample) {
    const QRectF box(x, y, 14, metrics.height());
    if (box.right() + 4 + metrics.horizontalAdvance(words) > frame.all.right())
      return;
    sample(box);
    painter.setPen(theme()[ColorRole::TextMuted]);
    painter.drawText(QRectF(box.right() + 4, y, metrics.horizontalAdvance(words) + 2, box.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, words);
    x = box.right() + 4 + metrics.horizontalAdvance(words) + 14;
  };
  const QColor ink = theme()[ColorRole::Text];
  add(tr("written"), [&](const QRectF &box) { drawAccess(painter, box.center(), true, ink); });
  add(tr("read"), [&](const QRectF &box) { drawAccess(painter, box.center(), false, ink); });
  add(tr("loop"), [&](const QRectF &box) {
    painter.fillRect(QRectF(box.center().x() - 1, box.top() + 2, 3, box.height() - 4),
                     theme()[ColorRole::Accent]);
  });
  add(tr("same bytes, other times"), [&](const QRectF &box) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme()[ColorRole::FocusEdge], 2, Qt::DashLine));
    painter.drawRect(box.adjusted(1, 3, -1, -3));
  });
  add(tr("lines without shared memory"), [&](const QRectF &box) {
    painter.fillRect(box.adjusted(0, 4, 0, -4), theme()[ColorRole::Border]);
  });
}

void MapCanvas::draw(QPainter &painter, const Frame &frame) const {
  if (numPlaces() == 0)
    return drawEmptyText(painter, frame.all);
  drawHead(painter, frame);
  drawFoot(painter, frame);
  clipToRows(painter, frame);
  const compiler::Interval rows = frame.rowsInSight();
  for (int64_t row = rows.first; row < rows.second; ++row)
    drawRow(painter, frame, static_cast<size_t>(row));
  const std::vector<Mark> marks = marksIn(frame);
  std::vector<QList<QRectF>> taken(frame.map.numBoxes());
  for (const Mark &mark : marks)
    if (frame.rows.contains(mark.middle))
      taken[mark.buffer] << QRectF(mark.middle - QPointF(kMarkPx, kMarkPx),
                                   QSizeF(2 * kMarkPx, 2 * kMarkPx));
  for (size_t buffer = 0; buffer < frame.map.numBoxes(); ++buffer)
    if (rectOf(frame, frame.map.box(buffer)).intersects(frame.rows))
      drawBox(painter, frame, buffer, taken[buffer]);
  drawAccesses(painter, marks);
  drawMarks(painter, frame);
  painter.restore();
}

} // namespace tilescope::views
