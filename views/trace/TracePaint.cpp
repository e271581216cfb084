// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// How a TraceCanvas looks; what it does is in TraceCanvas.cpp.
#include "profiler/analysis/TraceFigures.h"
#include "views/common/HatchLines.h"
#include "views/common/Theme.h"
#include "views/trace/TraceCanvas.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace tilescope::views {

using profiler::TraceBar;
using profiler::TraceKind;
using profiler::TracePicture;
using profiler::TraceRow;

static QString text(std::string_view value) {
  return QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size()));
}

static QColor colorOf(TraceKind kind) {
  return theme().categorical(static_cast<int>(kind), static_cast<int>(profiler::kNumTraceKinds));
}

/// Bars are told apart by a letter where there is room, and everywhere by their hatching.
static QString letterOf(TraceKind kind) { return text(profiler::traceKindTitle(kind)).left(1); }

static void fillBar(QPainter &painter, const QRectF &box, TraceKind kind, bool isUnderWay) {
  constexpr double kHatchedPx = 4;
  QColor color = colorOf(kind);
  if (isUnderWay)
    color.setAlphaF(0.45F);
  painter.fillRect(box, color);
  if (box.width() < kHatchedPx)
    return;
  QList<QLineF> lines;
  addHatchLines(lines, box, static_cast<uint64_t>(kind));
  painter.setPen(QPen(inkOn(colorOf(kind)).lightnessF() > 0.5F ? QColor(255, 255, 255, 70)
                                                               : QColor(0, 0, 0, 60),
                      1));
  painter.drawLines(lines);
}

QRectF TraceCanvas::rectOf(const PictureFrame &frame, const TracePicture &picture,
                           size_t index) const {
  constexpr double kNarrowestPx = 1;
  const TraceBar &bar = picture.bars()[index];
  const bool isUnderWay = picture.rows()[bar.row].line > 0;
  const double inset = isUnderWay ? picture.rowHeight() * 0.25 : 1;
  return {frame.origin.x() + bar.x, frame.origin.y() + picture.top(bar.row) + inset,
          std::max(bar.width, kNarrowestPx), picture.rowHeight() - 2 * inset};
}

void TraceCanvas::drawBar(QPainter &painter, const PictureFrame &frame, const TracePicture &picture,
                          size_t index) const {
  const TraceBar &bar = picture.bars()[index];
  const QRectF box = rectOf(frame, picture, index);
  const TraceKind kind = bar.scope ? bar.scope->kind : TraceKind::Load;
  const bool isUnderWay = picture.rows()[bar.row].line > 0;
  fillBar(painter, box, kind, isUnderWay);
  const QFontMetricsF metrics(painter.font());
  const QString letter = letterOf(kind);
  if (!isUnderWay && box.width() > metrics.horizontalAdvance(letter) + 3 &&
      box.height() >= metrics.height() - 4) {
    painter.setPen(inkOn(colorOf(kind)));
    painter.drawText(box, Qt::AlignCenter | Qt::TextDontClip, letter);
  }
  if (m_markedLine >= 0 && bar.scope && bar.scope->line == static_cast<uint32_t>(m_markedLine)) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme()[ColorRole::Text], 1));
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
  }
}

/// The times, above the rows.
void TraceCanvas::drawHead(QPainter &painter, const PictureFrame &frame,
                           const TracePicture &picture) const {
  painter.setFont(labelFont());
  const QFontMetricsF metrics(painter.font());
  for (const TracePicture::Tick &tick : picture.ticks()) {
    const double x = frame.origin.x() + tick.x;
    const QString words = text(tick.text);
    painter.setPen(theme()[ColorRole::TextMuted]);
    const double width = metrics.horizontalAdvance(words);
    if (x + width / 2 <= frame.all.right())
      painter.drawText(QRectF(x - width / 2, frame.all.top() + 2, width + 1, metrics.height()),
                       Qt::AlignCenter | Qt::TextDontClip, words);
    painter.setPen(QPen(theme()[ColorRole::Border], 1));
    painter.drawLine(QLineF(x, frame.body.top() - 3, x, frame.body.bottom()));
  }
}

void TraceCanvas::drawRows(QPainter &painter, const PictureFrame &frame,
                           const TracePicture &picture) const {
  const QFontMetricsF metrics(painter.font());
  for (size_t row = 0; row < picture.rows().size(); ++row) {
    const TraceRow &each = picture.rows()[row];
    const QRectF band(frame.all.left(), frame.origin.y() + picture.top(row), frame.all.width(),
                      picture.rowHeight());
    if (each.line == 0) {
      painter.setPen(QPen(theme()[ColorRole::Border], 1));
      painter.drawLine(QLineF(band.left(), band.top(), band.right(), band.top()));
    }
    const double room = frame.origin.x() - frame.all.left() - 14;
    painter.setPen(theme()[each.line == 0 ? ColorRole::Text : ColorRole::TextMuted]);
    painter.drawText(QRectF(frame.all.left() + 8, band.top(), room, band.height()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(text(each.name), Qt::ElideRight, room));
  }
}

/// The kinds, with the share of the warps' time.
void TraceCanvas::drawFoot(QPainter &painter, const PictureFrame &frame) const {
  painter.setFont(labelFont());
  const QFontMetricsF metrics(painter.font());
  const double left = frame.all.left() + 8;
  double x = left, y = frame.body.bottom() + 4;
  const auto place = [&](const QString &words, double sample) {
    const double width = sample + metrics.horizontalAdvance(words);
    if (x + width > frame.all.right() && x > left) {
      y += metrics.height();
      x = left;
    }
    painter.setPen(theme()[ColorRole::TextMuted]);
    painter.drawText(QRectF(x + sample, y, width + 2, metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, words);
    const double at = x;
    x += width + 14;
    return QRectF(at, y + 1, sample - 4, metrics.height() - 2);
  };
  constexpr double kSamplePx = 22;
  for (const profiler::TraceKindTime &time : profiler::traceKindTimes(m_content->trace)) {
    const QRectF box = place(tr("%1 %2 %")
                                 .arg(text(profiler::traceKindTitle(time.kind)))
                                 .arg(time.share * 100, 0, 'f', 1),
                             kSamplePx);
    fillBar(painter, box, time.kind, false);
    painter.setPen(inkOn(colorOf(time.kind)));
    painter.drawText(box, Qt::AlignCenter | Qt::TextDontClip, letterOf(time.kind));
  }
  if (const auto rest = profiler::unscopedShare(m_content->trace))
    place(tr("between them %1 %").arg(*rest * 100, 0, 'f', 1), 0);
}

void TraceCanvas::draw(QPainter &painter, const PictureFrame &frame,
                       const TracePicture &picture) const {
  if (!m_content || picture.rows().empty())
    return drawEmptyText(painter, frame.all);
  drawFoot(painter, frame);
  drawHead(painter, frame, picture);
  clipToRows(painter, frame);
  drawRows(painter, frame, picture);
  for (size_t i = 0; i < picture.bars().size(); ++i)
    drawBar(painter, frame, picture, i);
  if (highlighted() >= 0 && static_cast<size_t>(highlighted()) < picture.bars().size())
    drawOutline(painter, rectOf(frame, picture, static_cast<size_t>(highlighted())));
  painter.restore();
}

} // namespace tilescope::views
