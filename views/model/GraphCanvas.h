// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/PlaneCanvas.h"
#include "views/model/LayeredGraph.h"
#include "views/model/ShownModel.h"

namespace tilescope::views {

/// Draws the kernels of a model from left to right, a box for each, the warmer the more of the time
/// it takes, and a line from each result to the kernels that read it. Places are the kernels; what is
/// in sight of it costs time, not the whole.
class GraphCanvas : public PlaneCanvas {
  Q_OBJECT
public:
  explicit GraphCanvas(QWidget *parent = nullptr);

  /// Null empties it.
  void setModel(ShownModelPointer model);
  /// The others are pale; nothing: none is.
  void setFound(std::optional<std::vector<bool>> isFound);
  const LayeredGraph &graph() const { return m_graph; }

  /// Draws the whole picture as large as `target`.
  void render(QPainter &painter, const QRectF &target) const;
  /// At the usual zoom, or smaller where that is too large for a file.
  QSizeF exportSize() const;

protected:
  int numPlaces() const override { return static_cast<int>(m_graph.numBoxes()); }
  QSizeF pictureSize() const override;
  std::pair<double, double> zoomRange() const override;
  QRectF rectOf(int place) const override;
  int placeAt(QPointF point) const override;
  int placeFrom(int place, compiler::access::Step step) const override;
  void paintPicture(QPainter &painter, const QRectF &inSight) const override;
  void changeEvent(QEvent *event) override;

private:
  void makeGraph();
  void draw(QPainter &painter, const QRectF &inSight, double zoom) const;
  void drawStrips(QPainter &painter, const Interval &columns, double zoom) const;
  void drawLines(QPainter &painter, const Interval &columns, const QRectF &inSight,
                 double zoom) const;
  void drawLinesOf(QPainter &painter, int kernel, double zoom) const;
  void drawBoxes(QPainter &painter, const Interval &columns, const QRectF &inSight,
                 double zoom) const;
  void drawBox(QPainter &painter, size_t kernel, const QRectF &rect) const;

  ShownModelPointer m_model;
  LayeredGraph m_graph;
  /// From 0 to 1 of the kernel that takes most.
  std::vector<double> m_warmths;
  std::optional<std::vector<bool>> m_isFound;
};

} // namespace tilescope::views
