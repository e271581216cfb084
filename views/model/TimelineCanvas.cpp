// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/model/TimelineCanvas.h"

#include "profiler/analysis/RoundStep.h"
#include "views/common/PictureParts.h"
#include "views/common/Theme.h"
#include "views/model/ModelWords.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

using compiler::access::Step;

static constexpr double kMostZoom = 500;
/// Of a lane, and of the scale above.
static constexpr int kLanePx = 24, kScalePx = 18;
/// Between two numbers of the scale.
static constexpr int kTickPx = 90;

TimelineCanvas::TimelineCanvas(QWidget *parent) : PlaneCanvas(parent) {
  setAccessibleName(tr("When the model's kernels ran"));
  setEmptyText(
      tr("Measure runs the model where Run would, and shows when each of its kernels ran."));
}

void TimelineCanvas::setRun(ShownModelPointer model, std::vector<TimelineSpan> spans) {
  m_model = std::move(model);
  m_given = std::move(spans);
  m_picture = TimelinePicture(m_model ? m_given : std::vector<TimelineSpan>());
  resetPicture();
}

void TimelineCanvas::showKernel(int kernel) {
  if (kernelOf(chosen()) != kernel)
    setChosen(m_picture.spanOf(kernel));
}

int TimelineCanvas::kernelOf(int place) const {
  return place < 0 ? -1 : m_picture.spans()[static_cast<size_t>(place)].kernel;
}

QString TimelineCanvas::placeText(int place) const {
  const TimelineSpan &span = m_picture.spans()[static_cast<size_t>(place)];
  return tr("%1, from %2 on (%3 % of %4) · %5")
      .arg(timeText(span.us), timeText(span.startUs))
      .arg(100 * span.us / m_picture.endUs(), 0, 'f', 1)
      .arg(timeText(m_picture.endUs()), kernelText(*m_model, span.kernel));
}

double TimelineCanvas::pictureHeight() const {
  return scaledPx(kScalePx) + scaledPx(kLanePx) * std::max(1, m_picture.numLanes());
}

/// All of the time fits at the zoom of 1.
QSizeF TimelineCanvas::pictureSize() const {
  return {std::max(1.0, viewport()->width() - 20.0) * zoom(), pictureHeight()};
}

std::pair<double, double> TimelineCanvas::zoomRange() const { return {1, kMostZoom}; }

QRectF TimelineCanvas::rectIn(int place, double width) const {
  const auto at = static_cast<size_t>(place);
  const TimelineSpan &span = m_picture.spans()[at];
  const double perUs = width / std::max(1e-9, m_picture.endUs());
  return {span.startUs * perUs,
          static_cast<double>(scaledPx(kScalePx) + scaledPx(kLanePx) * m_picture.lane(at)),
          std::max(1.0, span.us * perUs), scaledPx(kLanePx) - 2.0};
}

QRectF TimelineCanvas::rectOf(int place) const { return rectIn(place, pictureSize().width()); }

int TimelineCanvas::placeAt(QPointF point) const {
  // What is drawn a pixel wide is met there, too.
  for (int place = 0; place < numPlaces(); ++place)
    if (rectOf(place).contains(point))
      return place;
  return -1;
}

int TimelineCanvas::placeFrom(int place, Step step) const {
  switch (step) {
  case Step::Left:
    return m_picture.beside(place, -1);
  case Step::Right:
    return m_picture.beside(place, 1);
  case Step::RowStart:
  case Step::First:
    return 0;
  case Step::RowEnd:
  case Step::Last:
    return numPlaces() - 1;
  case Step::Up:
    return m_picture.acrossLanes(place, -1);
  case Step::Down:
    return m_picture.acrossLanes(place, 1);
  }
  return place;
}

void TimelineCanvas::paintPicture(QPainter &painter, const QRectF &inSight) const {
  draw(painter, inSight, pictureSize().width());
}

void TimelineCanvas::draw(QPainter &painter, const QRectF &inSight, double width) const {
  painter.setFont(labelFont());
  drawScale(painter, inSight, width);
  for (int place = 0; place < numPlaces(); ++place)
    if (const QRectF rect = rectIn(place, width); rect.intersects(inSight))
      drawSpan(painter, place, rect);
  if (chosen() >= 0) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme()[ColorRole::FocusEdge], 2.5));
    painter.drawRect(rectIn(chosen(), width));
  }
}

void TimelineCanvas::drawScale(QPainter &painter, const QRectF &inSight, double width) const {
  const double end = m_picture.endUs();
  if (end <= 0)
    return;
  const double perUs = width / end;
  const double step = profiler::roundStep(scaledPx(kTickPx) / perUs);
  for (double us = std::max(0.0, std::floor(inSight.left() / perUs / step) * step);
       us <= end && us * perUs <= inSight.right(); us += step) {
    const double x = us * perUs;
    painter.setPen(theme()[ColorRole::Border]);
    painter.drawLine(QPointF(x, 0), QPointF(x, pictureHeight()));
    painter.setPen(theme()[ColorRole::TextMuted]);
    painter.drawText(QRectF(x + 3, 0, scaledPx(kTickPx), scaledPx(kScalePx)),
                     Qt::AlignLeft | Qt::AlignVCenter, timeText(us));
  }
}

void TimelineCanvas::drawSpan(QPainter &painter, int place, const QRectF &rect) const {
  const auto kernel = static_cast<size_t>(kernelOf(place));
  const compiler::ModelKernel &shown = m_model->result().kernels[kernel];
  const QColor fill = theme().categorical(static_cast<int>(shown.form),
                                          static_cast<int>(compiler::kModelKernelForms.size()));
  painter.fillRect(rect, fill);
  if (rect.width() > 3) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(theme()[ColorRole::Panel]);
    painter.drawRect(rect);
  }
  const QFontMetricsF metrics(painter.font());
  const QRectF room = rect.adjusted(4, 0, -4, 0);
  if (room.width() < 3 * metrics.height())
    return;
  painter.setPen(inkOn(fill));
  painter.drawText(
      room, Qt::AlignLeft | Qt::AlignVCenter,
      metrics.elidedText(QString::fromStdString(shown.launch), Qt::ElideMiddle, room.width()));
}

void TimelineCanvas::render(QPainter &painter, const QRectF &target) const {
  painter.save();
  painter.translate(target.topLeft());
  draw(painter, QRectF(QPointF(), target.size()), target.width());
  painter.restore();
}

} // namespace tilescope::views
