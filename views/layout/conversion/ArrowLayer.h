// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/picture/MoveRuns.h"

#include <QWidget>

#include <functional>

namespace tilescope::views {

class DiagramCanvas;

/// Draws arrows from cells of one canvas to cells of another one, over both, in the styles of
/// `ArrowLegend`. Lets the pointer through; as large as the widget that it lies on, which holds the
/// canvases.
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

  /// How many can be told apart at the present scale, and so are drawn.
  size_t numDrawn() const;

  /// Draws them, with a legend, over what the canvases render into two rectangles.
  void render(QPainter &painter, const QRectF &from, const QRectF &to) const;

protected:
  void paintEvent(QPaintEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  /// Where the cells of a run lie on what is drawn on.
  using EndsOf = std::function<std::pair<QRectF, QRectF>(const compiler::MoveRun &run)>;
  struct Arrow {
    const compiler::MoveRun *run;
    QRectF from, to;
  };
  /// Those that can be told apart.
  std::vector<Arrow> arrows(const EndsOf &ends) const;
  void draw(QPainter &painter, const EndsOf &ends, const QRectF &area) const;

  DiagramCanvas *m_from, *m_to;
  std::vector<compiler::MoveRun> m_runs;
};

} // namespace tilescope::views
