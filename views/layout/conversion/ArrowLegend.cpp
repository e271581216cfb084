// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/conversion/ArrowLegend.h"

#include "views/common/Theme.h"

#include <QCoreApplication>
#include <QPainter>

#include <array>
#include <utility>

namespace tilescope::views {

using compiler::MoveKind;

/// The sample of a line, and what is between it and its words; half of what is between two entries.
static constexpr int kSamplePx = 18, kGapPx = 4;

Qt::PenStyle arrowStyle(MoveKind kind) {
  switch (kind) {
  case MoveKind::Stays:
  case MoveKind::Register:
    return Qt::DotLine;
  case MoveKind::Lane:
    return Qt::DashLine;
  case MoveKind::Warp:
    break;
  }
  return Qt::SolidLine;
}

static QFont legendFont() {
  QFont font = uiFont();
  font.setPointSizeF(font.pointSizeF() * 0.85);
  return font;
}

static std::array<std::pair<MoveKind, QString>, 3> entries() {
  const auto words = [](const char *text) {
    return QCoreApplication::translate("ArrowLegend", text);
  };
  return {{{MoveKind::Register, words(QT_TRANSLATE_NOOP("ArrowLegend", "same lane"))},
           {MoveKind::Lane, words(QT_TRANSLATE_NOOP("ArrowLegend", "other lane"))},
           {MoveKind::Warp, words(QT_TRANSLATE_NOOP("ArrowLegend", "other warp"))}}};
}

static QSizeF legendSize() {
  const QFontMetricsF metrics(legendFont());
  double width = 0;
  for (const auto &[kind, name] : entries())
    width += scaledPx(kSamplePx) + metrics.horizontalAdvance(name) + 3 * scaledPx(kGapPx);
  return {width, metrics.height() + 4};
}

static void drawEntries(QPainter &painter, const QRectF &area) {
  const double sample = scaledPx(kSamplePx), gap = scaledPx(kGapPx);
  painter.setFont(legendFont());
  double x = area.left() + gap;
  for (const auto &[kind, name] : entries()) {
    painter.setPen(QPen(theme()[ColorRole::Text], 1.6, arrowStyle(kind), Qt::FlatCap));
    painter.drawLine(QPointF(x, area.center().y()), QPointF(x + sample, area.center().y()));
    x += sample + gap;
    painter.setPen(theme()[ColorRole::Text]);
    painter.drawText(QRectF(x, area.top(), area.right() - x, area.height()),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, name);
    x += painter.fontMetrics().horizontalAdvance(name) + 2 * gap;
  }
}

void drawArrowLegend(QPainter &painter, const QRectF &area) {
  const QSizeF size = legendSize();
  const QRectF ground(area.bottomRight() - QPointF(size.width() + 2, size.height() + 2), size);
  QColor panel = theme()[ColorRole::Panel];
  panel.setAlphaF(0.9F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(panel);
  painter.drawRect(ground);
  drawEntries(painter, ground);
}

ArrowLegend::ArrowLegend(QWidget *parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAccessibleName(tr("Arrows: dotted in the same lane, dashed to another lane, solid to another "
                       "warp"));
}

QSize ArrowLegend::sizeHint() const { return legendSize().toSize() + QSize(1, 0); }

void ArrowLegend::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  drawEntries(painter, rect());
}

} // namespace tilescope::views
