// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/tensor/TensorDigest.h"

#include <QWidget>

#include <vector>

namespace tilescope::views {

/// A tensor as an image: one color scale, with NaN, infinities and elements that were never
/// written told apart from it and from each other, and explained below; elements that differ from
/// what is expected are marked. Positions past the last element stay empty. The arrow keys move from
/// element to element, Enter takes one.
class HeatMap : public QWidget {
  Q_OBJECT
public:
  explicit HeatMap(QWidget *parent = nullptr);
  void setTensor(TensorDigestPointer digest);
  /// Shows how far elements are from what is expected in place of what they are.
  void setShowsDifference(bool shown);
  QSize minimumSizeHint() const override;
  /// What pixels of a kind look like now.
  static QRgb pixelColor(int pixel);
  /// Of the marks of elements that differ.
  static QColor markColor();

Q_SIGNALS:
  /// -1 when the pointer leaves the picture.
  void elementHovered(qint64 element);
  void elementClicked(qint64 element);

protected:
  void paintEvent(QPaintEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void leaveEvent(QEvent *event) override;
  void changeEvent(QEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void focusInEvent(QFocusEvent *event) override;
  void focusOutEvent(QFocusEvent *event) override;

private:
  /// What is shown of the tensor.
  const TensorPicture &shown() const;
  bool hasPicture() const;
  void drawPicture(QPainter &painter);
  void drawMarks(QPainter &painter) const;
  qint64 elementAt(QPointF position) const;
  QRectF pictureRect() const;
  int rowLabelsWidth() const;
  void drawAxes(QPainter &painter) const;
  void drawScale(QPainter &painter) const;
  void drawLegend(QPainter &painter) const;
  // HeatMapKeys.cpp
  void drawKeyElement(QPainter &painter) const;

  TensorDigestPointer m_digest;
  /// Where the keys are.
  qint64 m_keyElement = 0;
  bool m_showsDifference = false;
  /// The picture in its colors, as large as it was last painted.
  QImage m_image;
};

/// How often values occur.
class Histogram : public QWidget {
  Q_OBJECT
public:
  explicit Histogram(QWidget *parent = nullptr);
  void setStatistics(const TensorStatistics &statistics);
  QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent *event) override;

private:
  TensorStatistics m_statistics;
};

/// Position on the color scale, 0 to 1, dark to bright.
QRgb heatColor(double position);

} // namespace tilescope::views
