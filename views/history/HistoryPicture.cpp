// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/history/HistoryPicture.h"

#include "views/common/Theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <functional>

namespace tilescope::views {

static constexpr double kMargin = 8, kDot = 3.5, kLabelGap = 3;
/// A curve of less height has its values where there is room.
static constexpr double kLinesForLabels = 5;

namespace {
struct Value {
  double value = 0;
  double error = 0;
  QString label = {};
};
using ValueOf = std::function<std::optional<Value>(const HistoryEntry &)>;
} // namespace

static HistoryCurve makeCurve(const std::vector<HistoryEntry> &entries, const QString &title,
                              const QRectF &area, double lineHeight, const ValueOf &valueOf) {
  HistoryCurve curve{title, area, {}};
  double top = 0;
  for (const HistoryEntry &entry : entries)
    if (const auto value = valueOf(entry))
      top = std::max(top, value->value + value->error);
  // The value of the highest point stands above it, where lines do not cross it.
  const double labels = area.height() > kLinesForLabels * lineHeight ? lineHeight + kLabelGap : 0;
  const QRectF plot = area.adjusted(kMargin, lineHeight + kDot + labels, -kMargin, -kMargin);
  const double column = plot.width() / static_cast<double>(std::max<size_t>(1, entries.size()));
  for (size_t i = 0; i < entries.size(); ++i)
    if (const auto value = valueOf(entries[i])) {
      const double scale = top > 0 ? plot.height() / top : 0;
      curve.points.push_back(
          {entries[i].number, plot.left() + column * (static_cast<double>(i) + 0.5),
           plot.bottom() - value->value * scale, value->error * scale, value->label});
    }
  return curve;
}

std::vector<HistoryCurve> historyCurves(const std::vector<HistoryEntry> &entries, QSizeF size,
                                        double lineHeight) {
  const auto newest = std::find_if(entries.rbegin(), entries.rend(), [](const HistoryEntry &entry) {
    return entry.time && !entry.time->device.isEmpty();
  });
  const QString device = newest == entries.rend() ? QString() : newest->time->device;
  const auto time = [&](const HistoryEntry &entry) -> std::optional<Value> {
    if (!entry.time || entry.time->device != device)
      return std::nullopt;
    return Value{entry.time->medianUs, entry.time->medianUs * entry.time->spread,
                 timeText({entry.time->medianUs, 0, 0, device})};
  };
  const auto registers = [](const HistoryEntry &entry) -> std::optional<Value> {
    if (!entry.facts || entry.facts->registers < 0)
      return std::nullopt;
    return Value{static_cast<double>(entry.facts->registers), 0,
                 QString::number(entry.facts->registers)};
  };
  const bool hasTimes = newest != entries.rend();
  const bool hasRegisters = std::ranges::any_of(
      entries, [&](const HistoryEntry &entry) { return registers(entry).has_value(); });
  const double height = hasTimes && hasRegisters ? size.height() / 2 : size.height();
  std::vector<HistoryCurve> curves;
  if (hasTimes)
    curves.push_back(makeCurve(
        entries, HistoryPicture::tr("Time on %1, last %2").arg(device, timeText(*newest->time)),
        QRectF(0, 0, size.width(), height), lineHeight, time));
  if (hasRegisters)
    curves.push_back(makeCurve(entries, HistoryPicture::tr("Registers"),
                               QRectF(0, hasTimes ? height : 0, size.width(), height), lineHeight,
                               registers));
  return curves;
}

std::vector<size_t> labelledPoints(const HistoryCurve &curve,
                                   const std::function<double(const QString &)> &widthOf) {
  constexpr double kBetween = 6;
  std::vector<size_t> labelled;
  double left = curve.area.right() + kBetween;
  for (size_t i = curve.points.size(); i-- > 0;) {
    const HistoryCurve::Point &point = curve.points[i];
    const double half = widthOf(point.label) / 2;
    if (point.label.isEmpty() || (!labelled.empty() && point.x + half + kBetween > left))
      continue;
    labelled.push_back(i);
    left = point.x - half;
  }
  return labelled;
}

/// Values above their points, or below where the title is, and zero at the floor.
static void drawLabels(QPainter &painter, const HistoryCurve &curve) {
  const QFontMetricsF metrics(painter.font());
  const auto widthOf = [&](const QString &label) { return metrics.horizontalAdvance(label); };
  painter.setPen(theme()[ColorRole::TextMuted]);
  painter.drawText(QPointF(1, curve.area.bottom() - kMargin + metrics.ascent() / 2 - 1),
                   QStringLiteral("0"));
  painter.setPen(theme()[ColorRole::Text]);
  for (const size_t i : labelledPoints(curve, widthOf)) {
    const HistoryCurve::Point &point = curve.points[i];
    const double width = widthOf(point.label), gap = kDot + kLabelGap;
    const double above = point.y - gap - metrics.height();
    const bool fits = above >= curve.area.top() + metrics.height();
    const double top = fits ? above : point.y + gap;
    const double x = std::clamp(point.x - width / 2, curve.area.left(), curve.area.right() - width);
    painter.drawText(QPointF(x, top + metrics.ascent()), point.label);
  }
}

HistoryPicture::HistoryPicture(QWidget *parent) : QWidget(parent) {
  setAccessibleName(tr("Time and registers of the versions"));
  setAutoFillBackground(false);
}

QSize HistoryPicture::sizeHint() const { return {scaledPx(320), scaledPx(120)}; }

void HistoryPicture::setEntries(std::vector<HistoryEntry> entries) {
  m_entries = std::move(entries);
  update();
}

void HistoryPicture::setChosen(int64_t number) {
  if (std::exchange(m_chosen, number) != number)
    update();
}

std::vector<HistoryCurve> HistoryPicture::curves() const {
  return historyCurves(m_entries, size(), fontMetrics().height());
}

void HistoryPicture::paintEvent(QPaintEvent *) {
  const Theme &colors = theme();
  QPainter painter(this);
  painter.fillRect(rect(), colors[ColorRole::Base]);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const HistoryCurve &curve : curves()) {
    painter.setPen(colors[ColorRole::TextMuted]);
    const QRectF title(kMargin, curve.area.top(), curve.area.width() - 2 * kMargin,
                       fontMetrics().height());
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(curve.title, Qt::ElideRight, int(title.width())));
    painter.setPen(colors[ColorRole::Border]);
    const double floor = curve.area.bottom() - kMargin;
    painter.drawLine(QPointF(kMargin, floor), QPointF(curve.area.right() - kMargin, floor));
    painter.setPen(QPen(colors[ColorRole::Accent], 1.5));
    for (size_t i = 1; i < curve.points.size(); ++i)
      painter.drawLine(QPointF(curve.points[i - 1].x, curve.points[i - 1].y),
                       QPointF(curve.points[i].x, curve.points[i].y));
    for (const HistoryCurve::Point &point : curve.points) {
      painter.setPen(QPen(colors[ColorRole::Accent], 1));
      if (point.error > 0.5)
        painter.drawLine(QPointF(point.x, point.y - point.error),
                         QPointF(point.x, point.y + point.error));
      const bool isChosen = point.number == m_chosen;
      painter.setBrush(colors[isChosen ? ColorRole::FocusEdge : ColorRole::Accent]);
      const double radius = isChosen ? kDot + 2 : kDot;
      painter.drawEllipse(QPointF(point.x, point.y), radius, radius);
    }
    drawLabels(painter, curve);
  }
}

void HistoryPicture::mousePressEvent(QMouseEvent *event) {
  const HistoryCurve::Point *nearest = nullptr;
  const std::vector<HistoryCurve> all = curves();
  for (const HistoryCurve &curve : all)
    if (curve.area.contains(event->position()))
      for (const HistoryCurve::Point &point : curve.points)
        if (!nearest || std::abs(point.x - event->position().x()) <
                            std::abs(nearest->x - event->position().x()))
          nearest = &point;
  if (nearest)
    Q_EMIT chosen(nearest->number);
}

} // namespace tilescope::views
