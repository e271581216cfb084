// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// How a PipelineCanvas looks; what it does is in PipelineCanvas.cpp.
#include "compiler/access/picture/PipelineWords.h"
#include "views/common/HatchLines.h"
#include "views/common/Theme.h"
#include "views/pipeline/PipelineCanvas.h"
#include "views/pipeline/PipelineLegend.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace tilescope::views {

namespace access = compiler::access;
using access::PipelineBand;
using access::PipelineItem;
using access::PipelineRow;
using access::PipelineRowKind;
using compiler::LoopEvent;
using compiler::LoopLinkKind;

static constexpr double kHeadPx = 7;

static QString text(const std::string &value) { return QString::fromStdString(value); }

/// A color with a share of another one, from 0 to 1.
static QColor mixed(const QColor &color, const QColor &other, float share) {
  const auto part = [share](float x, float y) { return x + (y - x) * share; };
  return QColor::fromRgbF(part(color.redF(), other.redF()), part(color.greenF(), other.greenF()),
                          part(color.blueF(), other.blueF()));
}

QRectF PipelineCanvas::rectOf(const Frame &frame, const compiler::GridRect &rect) const {
  const QPointF at = frame.origin + QPointF(rect.x, rect.y);
  return {QPointF(qRound(at.x()), qRound(at.y())),
          QPointF(qRound(at.x() + rect.width), qRound(at.y() + rect.height))};
}

QColor PipelineCanvas::colorOf(uint32_t event) const {
  const int color = access::colorOf(facts(), event);
  return color < 0 ? theme()[ColorRole::BorderStrong]
                   : theme().categorical(color, access::kPipelineColors);
}

void PipelineCanvas::drawRow(QPainter &painter, const Frame &frame, size_t index) const {
  const PipelineRow &row = frame.picture.rows()[index];
  const QRectF band = rectOf(frame, frame.picture.row(index));
  if (row.kind == PipelineRowKind::Head)
    painter.fillRect(QRectF(QPointF(frame.all.left(), band.top()), band.bottomRight()),
                     theme()[ColorRole::Raised]);
  painter.setPen(QPen(theme()[ColorRole::Border], 1));
  painter.drawLine(
      QLineF(frame.all.left(), band.bottom() + 0.5, band.right(), band.bottom() + 0.5));
  const QRectF area(frame.all.left() + 8, band.top(), band.left() - frame.all.left() - 14,
                    band.height());
  painter.setPen(
      theme()[row.kind == PipelineRowKind::Head ? ColorRole::Text : ColorRole::TextMuted]);
  painter.drawText(
      area, Qt::AlignLeft | Qt::AlignVCenter,
      QFontMetricsF(painter.font()).elidedText(rowName(row), Qt::ElideRight, area.width()));
}

/// The iterations: a label in the head, and lines down to the next head.
void PipelineCanvas::drawBands(QPainter &painter, const Frame &frame) const {
  const auto &rows = frame.picture.rows();
  const QFontMetricsF metrics(painter.font());
  for (const PipelineBand &band : frame.picture.bands()) {
    const double left = frame.origin.x() + frame.picture.xOf(band.begin),
                 right = frame.origin.x() + frame.picture.xOf(band.end);
    const auto head = std::ranges::find(rows, PipelineRow{PipelineRowKind::Head, band.partition});
    if (right - left < 1 || head == rows.end())
      continue;
    const auto below = std::find_if(head + 1, rows.end(), [](const PipelineRow &row) {
      return row.kind == PipelineRowKind::Head;
    });
    const QRectF top = rectOf(frame, frame.picture.row(static_cast<size_t>(head - rows.begin())));
    const QRectF last =
        rectOf(frame, frame.picture.row(static_cast<size_t>(below - rows.begin()) - 1));
    const bool isChosen = band.iteration == m_iteration;
    if (isChosen)
      painter.fillRect(QRectF(QPointF(left, top.top()), QPointF(right, last.bottom())),
                       theme()[ColorRole::FocusWeak]);
    painter.setPen(
        QPen(theme()[ColorRole::BorderStrong], 1, band.isBehindGap ? Qt::DotLine : Qt::SolidLine));
    painter.drawLine(QLineF(qRound(left) + 0.5, top.top(), qRound(left) + 0.5, last.bottom()));
    painter.setPen(theme()[ColorRole::Text]);
    const QString whole = text(access::iterationText(band.iteration));
    const QString shown = metrics.horizontalAdvance(whole) + 8 <= right - left
                              ? whole
                              : text(access::iterationLabel(band.iteration));
    painter.drawText(QRectF(left + 4, top.top(), right - left - 6, top.height()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(shown, Qt::ElideRight, right - left - 6));
  }
}

/// Hatched while it is under way, plain from `ready` on.
void PipelineCanvas::drawBar(QPainter &painter, const QRectF &box, double ready,
                             uint32_t event) const {
  const QColor color = colorOf(event);
  QRectF going = box, there = box;
  going.setRight(std::clamp(ready, box.left(), box.right()));
  there.setLeft(going.right());
  QColor faint = color;
  faint.setAlphaF(0.35F);
  painter.fillRect(going, faint);
  QList<QLineF> lines;
  addHatchLines(lines, going, kUnderWayHatch);
  // Light colors need an edge that can be seen.
  const QColor edge = mixed(color, theme()[ColorRole::Text], 0.3F);
  painter.setPen(QPen(edge, 1));
  painter.drawLines(lines);
  painter.fillRect(there, color);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(edge, 1));
  painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
}

void PipelineCanvas::drawItem(QPainter &painter, const Frame &frame, size_t index) const {
  const PipelineItem &item = frame.picture.items()[index];
  const LoopEvent &event = facts().events[item.event];
  const compiler::LoopAction action = facts().operations[event.operation].action;
  const QRectF box = rectOf(frame, item.rect).adjusted(1, 2, -1, -1);
  const bool isSlot = frame.picture.rows()[item.row].kind == PipelineRowKind::Slot;
  // Where it is plain: from when it is over, or, of what waits, where it goes on.
  double plain = box.left();
  if (isSlot)
    plain = std::clamp(frame.origin.x() + item.ready, box.left(), box.right());
  else if (compiler::isWait(action))
    plain = std::max(box.left(), box.right() - frame.picture.columnWidth() + 2);
  else if (event.end >= 0)
    plain = box.right();
  if (event.isOff) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme()[ColorRole::BorderStrong], 1, Qt::DashLine));
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
  } else {
    drawBar(painter, box, plain, item.event);
  }
  drawLabel(painter, frame, index, box, plain);
}

/// Where the bar is plain, else anywhere in it, else behind it; never under the mark of a reader.
void PipelineCanvas::drawLabel(QPainter &painter, const Frame &frame, size_t index,
                               const QRectF &box, double plain) const {
  const PipelineItem &item = frame.picture.items()[index];
  const QString label = text(access::eventLabel(facts(), item.event));
  const QFontMetricsF metrics(painter.font());
  const double width = metrics.horizontalAdvance(label);
  if (label.isEmpty() || metrics.capHeight() > box.height())
    return;
  const double halfMark = kMarkPx + 1, origin = frame.origin.x();
  QColor ink = inkOn(colorOf(item.event));
  std::optional<double> left = frame.picture.labelLeft(index, plain - origin, width + 1, halfMark);
  if (!left) {
    ink = theme()[ColorRole::Text];
    left = frame.picture.labelLeft(index, box.left() - origin, width + 1, halfMark);
  }
  // Behind it.
  if (!left && box.width() < width + 1) {
    const double begin = box.right() + 2 - origin;
    if (frame.picture.roomEnd(index) - 1 - begin >= width)
      left = begin;
  }
  if (!left)
    return;
  painter.setPen(ink);
  painter.drawText(QRectF(origin + *left, box.top(), width + 1, box.height()),
                   Qt::AlignCenter | Qt::TextDontClip, label);
}

void PipelineCanvas::drawMarks(QPainter &painter, const Frame &frame) const {
  for (const access::PipelineMark &mark : frame.picture.marks())
    drawReaderMark(painter, frame.origin + QPointF(mark.middle.x, mark.middle.y));
}

void PipelineCanvas::drawArrows(QPainter &painter, const Frame &frame) const {
  const int pointed = highlighted() >= 0 ? highlighted() : m_selected;
  const auto links = pointed >= 0 && pointed < numPlaces()
                         ? access::linksOf(facts(), static_cast<uint32_t>(pointed))
                         : access::linksOfIteration(facts(), m_iteration);
  const auto at = [&](const compiler::GridPoint &point) {
    return frame.origin + QPointF(point.x, point.y);
  };
  painter.setRenderHint(QPainter::Antialiasing);
  for (const access::PipelineArrow &arrow : frame.picture.arrows(facts(), links, kHeadPx)) {
    QPainterPath line(at(arrow.shape.start));
    line.cubicTo(at(arrow.shape.firstControl), at(arrow.shape.secondControl), at(arrow.shape.end));
    QPolygonF head;
    for (const compiler::GridPoint &corner : arrow.shape.head)
      head << at(corner);
    const QPen pen = pipelineArrowPen(arrow.kind, pointed >= 0);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme()[ColorRole::Panel], pen.widthF() + 2));
    painter.drawPath(line);
    painter.setPen(pen);
    painter.drawPath(line);
    painter.setPen(Qt::NoPen);
    painter.setBrush(pen.color());
    painter.drawPolygon(head);
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void PipelineCanvas::drawFoot(QPainter &painter, const Frame &frame) const {
  painter.setFont(labelFont());
  const QFontMetricsF metrics(painter.font());
  constexpr double kSamplePx = 18, kBeforeWord = 4, kBehindWord = 14;
  const double left = frame.all.left() + 8;
  double x = left, y = frame.all.bottom() - footHeight() + 2;
  for (const PipelineSample &sample : pipelineLegend(facts())) {
    const double width = metrics.horizontalAdvance(sample.words);
    if (x + kSamplePx + kBeforeWord + width > frame.all.right()) {
      y += metrics.height();
      x = left;
    }
    const QRectF box(x, y, kSamplePx, metrics.height());
    if (box.bottom() > frame.all.bottom() || box.right() + kBeforeWord + width > frame.all.right())
      return;
    sample.draw(painter, box);
    painter.setPen(theme()[ColorRole::TextMuted]);
    painter.drawText(QRectF(box.right() + kBeforeWord, y, width + 2, box.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, sample.words);
    x = box.right() + kBeforeWord + width + kBehindWord;
  }
}

void PipelineCanvas::draw(QPainter &painter, const Frame &frame) const {
  if (numPlaces() == 0)
    return drawEmptyText(painter, frame.all);
  drawFoot(painter, frame);
  painter.save();
  painter.setClipRect(frame.body, Qt::IntersectClip);
  painter.setFont(labelFont());
  for (size_t row = 0; row < frame.picture.rows().size(); ++row)
    drawRow(painter, frame, row);
  drawBands(painter, frame);
  for (size_t i = 0; i < frame.picture.items().size(); ++i)
    drawItem(painter, frame, i);
  drawMarks(painter, frame);
  drawArrows(painter, frame);
  const int meant = highlighted() >= 0 ? highlighted() : m_selected;
  const int item = meant < 0 ? -1 : frame.picture.itemOf(static_cast<uint32_t>(meant));
  if (item >= 0)
    drawOutline(painter, rectOf(frame, frame.picture.items()[static_cast<size_t>(item)].rect)
                             .adjusted(1, 2, -2, -2));
  painter.restore();
}

} // namespace tilescope::views
