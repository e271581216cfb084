// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/picture/MoveRuns.h"

#include <QWidget>

#include <functional>

namespace tilescope::views {

class DiagramCanvas;

/// Draws arrows from cells of one canvas to cells of another one, over both, with a legend: dotted
/// within a lane, dashed to another lane, solid to another warp. Lets the pointer through; as large
/// as the widget that it lies on, which holds the canvases.
class ArrowLayer : public QWidget {
  Q_OBJECT
public:
  /// More are not drawn: they would hide each other.
  static constexpr size_t kMostArrows = 40;

  ArrowLayer(DiagramCanvas *from, DiagramCanvas *to, QWidget *parent);

  /// Those beyond `kMostArrows` are left out, evenly.
  void setRuns(std::vector<compiler::MoveRun> runs);
  const std::vector<compiler::MoveRun> &runs() const { return m_runs; }
  /// Where a run's arrow begins and ends, in the layer.
  std::pair<QRectF, QRectF> endsOf(const compiler::MoveRun &run) const;

  /// Draws them over what the canvases render into two rectangles.
  void render(QPainter &painter, const QRectF &from, const QRectF &to) const;

protected:
  void paintEvent(QPaintEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  /// Where the cells of a run lie on what is drawn on.
  using EndsOf = std::function<std::pair<QRectF, QRectF>(const compiler::MoveRun &run)>;
  void draw(QPainter &painter, const EndsOf &ends, const QRectF &area) const;
  void drawLegend(QPainter &painter, const QRectF &area) const;
  static QFont legendFont();
  static int legendHeight();

  DiagramCanvas *m_from, *m_to;
  std::vector<compiler::MoveRun> m_runs;
};

} // namespace tilescope::views
