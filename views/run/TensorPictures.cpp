// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/TensorPictures.h"

#include "views/common/Theme.h"
#include "views/run/TensorModel.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace tilescope::views {

static constexpr int64_t kMaxImageSide = 1024;
static constexpr int kMargin = 10;
/// Of the colours' scale with its labels.
static constexpr int kScaleWidth = 84;

QRgb heatColor(double position) {
  const double t = std::clamp(position, 0.0, 1.0);
  // From deep blue over teal to a bright yellow: lightness grows evenly, so it reads without colour
  // too.
  return oklch(0.25 + 0.65 * t, 0.07 + 0.08 * t, 290 - 190 * t).rgb();
}

std::pair<double, double> heatRange(const profiler::Tensor &tensor,
                                    const TensorStatistics &statistics) {
  static constexpr int64_t kSamples = 4096;
  static constexpr double kOutside = 0.01;
  std::vector<double> values;
  const int64_t step = std::max<int64_t>(1, tensor.numElements() / kSamples);
  for (int64_t element = 0; element < tensor.numElements(); element += step)
    if (const double value = tensor.at(element); std::isfinite(value))
      values.push_back(value);
  if (values.empty())
    return {0, 0};
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  const double low = values[static_cast<size_t>(last * kOutside)];
  const double high = values[static_cast<size_t>(last * (1 - kOutside))];
  return low < high ? std::pair(low, high) : std::pair(statistics.minimum, statistics.maximum);
}

/// Rows and columns of the picture: a vector is wrapped until it is about twice as wide as high.
static std::pair<int64_t, int64_t> pictureShape(const profiler::Tensor &tensor) {
  const int64_t count = tensor.numElements();
  if (tensor.shape.size() > 1)
    return tableShape(tensor);
  int64_t columns = 1;
  while (columns * columns < 2 * count)
    columns *= 2;
  return {(count + columns - 1) / columns, columns};
}

HeatMap::HeatMap(QWidget *parent) : QWidget(parent) {
  setMouseTracking(true);
  setMinimumHeight(80);
}

void HeatMap::setTensor(std::shared_ptr<const profiler::Tensor> tensor,
                        const TensorStatistics &statistics) {
  m_tensor = std::move(tensor);
  m_image = {};
  if (m_tensor && m_tensor->numElements() > 0) {
    std::array<QRgb, 256> scale;
    for (size_t i = 0; i < scale.size(); ++i)
      scale[i] = heatColor(static_cast<double>(i) / 255);
    const auto [rows, columns] = pictureShape(*m_tensor);
    const auto height = static_cast<int>(std::min(rows, kMaxImageSide));
    const auto width = static_cast<int>(std::min(columns, kMaxImageSide));
    m_image = QImage(width, height, QImage::Format_RGB32);
    std::tie(m_low, m_high) = heatRange(*m_tensor, statistics);
    const double span = m_high > m_low ? m_high - m_low : 1;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const int64_t element = y * rows / height * columns + x * columns / width;
        const double value = element < m_tensor->numElements() ? m_tensor->at(element) : NAN;
        m_image.setPixel(
            x, y,
            std::isnan(value) ? theme()[ColorRole::Error].rgb()
            : std::isinf(value)
                ? theme()[ColorRole::Warning].rgb()
                : scale[static_cast<size_t>(255 * std::clamp((value - m_low) / span, 0.0, 1.0))]);
      }
  }
  update();
}

QRectF HeatMap::pictureRect() const {
  QSizeF size = m_image.size();
  const QRectF area = rect().adjusted(kMargin, kMargin, -kMargin - kScaleWidth, -kMargin);
  // Cells may be oblong: a matrix of few rows still fills the space.
  const double scaleX = area.width() / std::max(1.0, size.width());
  const double scaleY = std::min(area.height() / std::max(1.0, size.height()), scaleX * 4);
  size = QSizeF(size.width() * std::min(scaleX, scaleY * 4), size.height() * scaleY);
  return {area.topLeft(), size};
}

void HeatMap::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(), theme()[ColorRole::Panel]);
  if (!m_image.isNull())
    drawScale(painter);
}

/// What the colours stand for, at the right.
void HeatMap::drawScale(QPainter &painter) const {
  const QRectF picture = pictureRect();
  painter.drawImage(picture, m_image);
  const QRectF bar(picture.right() + 10, picture.top(), 10, picture.height());
  for (int y = 0; y < static_cast<int>(bar.height()); ++y)
    painter.fillRect(QRectF(bar.left(), bar.top() + y, bar.width(), 1),
                     QColor(heatColor(1 - y / bar.height())));
  painter.setFont(uiFont());
  painter.setPen(theme()[ColorRole::TextMuted]);
  const QRectF labels(bar.right() + 4, bar.top(), kScaleWidth - 26, bar.height());
  painter.drawText(labels, Qt::AlignLeft | Qt::AlignTop, QString::number(m_high, 'g', 3));
  if (bar.height() > 2 * painter.fontMetrics().height())
    painter.drawText(labels, Qt::AlignLeft | Qt::AlignBottom, QString::number(m_low, 'g', 3));
}

void HeatMap::mouseMoveEvent(QMouseEvent *event) {
  const QRectF picture = pictureRect();
  if (m_image.isNull() || !picture.contains(event->position())) {
    Q_EMIT elementHovered(-1);
    return;
  }
  const auto [rows, columns] = pictureShape(*m_tensor);
  const auto row = static_cast<int64_t>((event->position().y() - picture.top()) / picture.height() *
                                        static_cast<double>(rows));
  const auto column = static_cast<int64_t>((event->position().x() - picture.left()) /
                                           picture.width() * static_cast<double>(columns));
  const int64_t element = row * columns + column;
  Q_EMIT elementHovered(element < m_tensor->numElements() ? element : -1);
}

void HeatMap::leaveEvent(QEvent *event) {
  QWidget::leaveEvent(event);
  Q_EMIT elementHovered(-1);
}

Histogram::Histogram(QWidget *parent) : QWidget(parent) { setMinimumHeight(80); }

void Histogram::setStatistics(const TensorStatistics &statistics) {
  m_statistics = statistics;
  update();
}

void Histogram::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(), theme()[ColorRole::Panel]);
  const int64_t most = m_statistics.bins.empty()
                           ? 0
                           : *std::max_element(m_statistics.bins.begin(), m_statistics.bins.end());
  if (most == 0)
    return;
  const QRectF area = rect().adjusted(kMargin, kMargin, -kMargin, -22);
  const double width = area.width() / static_cast<double>(m_statistics.bins.size());
  for (size_t i = 0; i < m_statistics.bins.size(); ++i) {
    const double height =
        area.height() * static_cast<double>(m_statistics.bins[i]) / static_cast<double>(most);
    painter.fillRect(QRectF(area.left() + static_cast<double>(i) * width, area.bottom() - height,
                            std::max(1.0, width - 1), height),
                     theme()[ColorRole::AccentFill]);
  }
  painter.setPen(theme()[ColorRole::TextFaint]);
  QFont font = uiFont();
  font.setPixelSize(11);
  painter.setFont(font);
  const QRectF axis(area.left(), area.bottom() + 3, area.width(), 16);
  painter.drawText(axis, Qt::AlignLeft, QString::number(m_statistics.minimum, 'g', 5));
  painter.drawText(axis, Qt::AlignRight, QString::number(m_statistics.maximum, 'g', 5));
  painter.drawText(axis, Qt::AlignHCenter, tr("most frequent: %1 values").arg(most));
}

} // namespace tilescope::views
