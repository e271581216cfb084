// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/run/TensorStatistics.h"

#include <QImage>
#include <QWidget>

#include <memory>

namespace tilescope::views {

/// The values that the two ends of the colours stand for: few outliers must not make all others
/// look alike, so one element of a hundred may lie beyond either.
std::pair<double, double> heatRange(const profiler::Tensor &tensor,
                                    const TensorStatistics &statistics);

/// A tensor as an image: one colour scale from minimum to maximum, NaN and infinities marked.
/// Tensors larger than the widget are sampled.
class HeatMap : public QWidget {
  Q_OBJECT
public:
  explicit HeatMap(QWidget *parent = nullptr);
  void setTensor(std::shared_ptr<const profiler::Tensor> tensor,
                 const TensorStatistics &statistics);

Q_SIGNALS:
  /// -1 when the pointer leaves the picture.
  void elementHovered(qint64 element);

protected:
  void paintEvent(QPaintEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void leaveEvent(QEvent *event) override;

private:
  QRectF pictureRect() const;
  void drawScale(QPainter &painter) const;

  std::shared_ptr<const profiler::Tensor> m_tensor;
  QImage m_image;
  double m_low = 0;
  double m_high = 0;
};

/// How often values occur.
class Histogram : public QWidget {
  Q_OBJECT
public:
  explicit Histogram(QWidget *parent = nullptr);
  void setStatistics(const TensorStatistics &statistics);

protected:
  void paintEvent(QPaintEvent *event) override;

private:
  TensorStatistics m_statistics;
};

/// Position on the colour scale, 0 to 1, dark to bright.
QRgb heatColor(double position);

} // namespace tilescope::views
