// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/PlaneCanvas.h"
#include "views/model/ShownModel.h"
#include "views/model/TimelinePicture.h"

namespace tilescope::views {

/// Draws when the kernels of a model ran, with a scale of time; places are the kernels' spans. A zoom shows less of
/// the time, with lanes as high as before.
class TimelineCanvas : public PlaneCanvas {
  Q_OBJECT
public:
  explicit TimelineCanvas(QWidget *parent = nullptr);

  /// Null, or without spans: it is empty.
  void setRun(ShownModelPointer model, std::vector<TimelineSpan> spans);
  const TimelinePicture &picture() const { return m_picture; }
  const ShownModelPointer &model() const { return m_model; }
  /// As they were given.
  const std::vector<TimelineSpan> &given() const { return m_given; }
  /// Its span is the chosen one; -1: none.
  void showKernel(int kernel);
  int kernelOf(int place) const;
  /// When it ran, and what it is.
  QString placeText(int place) const;

  void render(QPainter &painter, const QRectF &target) const;
  double heightForExport() const { return pictureHeight(); }

protected:
  int numPlaces() const override { return static_cast<int>(m_picture.spans().size()); }
  QSizeF pictureSize() const override;
  std::pair<double, double> zoomRange() const override;
  QRectF rectOf(int place) const override;
  int placeAt(QPointF point) const override;
  int placeFrom(int place, compiler::access::Step step) const override;
  void paintPicture(QPainter &painter, const QRectF &inSight) const override;

private:
  double pictureHeight() const;
  QRectF rectIn(int place, double width) const;
  void draw(QPainter &painter, const QRectF &inSight, double width) const;
  void drawScale(QPainter &painter, const QRectF &inSight, double width) const;
  void drawSpan(QPainter &painter, int place, const QRectF &rect) const;

  ShownModelPointer m_model;
  std::vector<TimelineSpan> m_given;
  TimelinePicture m_picture;
};

} // namespace tilescope::views
