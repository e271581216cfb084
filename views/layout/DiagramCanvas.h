// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/layout/DiagramAreas.h"

#include <QImage>
#include <QWidget>

#include <functional>
#include <optional>

namespace tilescope::views {

/// What a canvas shows; a value that the diagram computes anew when the tensor or the colouring
/// changes.
struct DiagramContent {
  DiagramGrid grid;
  /// Fill of each cell.
  std::vector<QRgb> colors;
  /// One or two lines for a cell, shown as soon as they fit.
  std::function<QString(int cell)> label;
  /// Whom each cell belongs to, e.g. which warp. Where cells are too small for their labels, areas
  /// of one member are named by `memberLabel`, or hatched when that does not fit either.
  std::vector<uint16_t> members;
  std::function<QString(int member)> memberLabel;
  bool isHatched = false;
  /// Titles along the upper and the left edge.
  std::function<QString(int column)> columnLabel;
  std::function<QString(int row)> rowLabel;
  QString title;
};

/// A grid of coloured cells to pan, zoom and point at. Far away it is one image, near by cells with
/// text. The arrow keys move over the cells, Home and End to the ends of a row (with Ctrl of the
/// grid), Enter pins the cell, Escape lets go of it, plus, minus and 0 zoom.
class DiagramCanvas : public QWidget {
  Q_OBJECT
public:
  explicit DiagramCanvas(QWidget *parent = nullptr);

  /// A sentence shown in the middle while there is nothing to draw.
  void setEmptyText(const QString &text);
  const QString &emptyText() const { return m_emptyText; }
  void setContent(DiagramContent content);
  const DiagramContent &content() const { return m_content; }
  /// Cells drawn with an outline; the first one is also brought to mind by a stronger one.
  void setHighlighted(std::vector<int> cells);
  const std::vector<int> &highlighted() const { return m_highlighted; }

  /// Shows everything.
  void fit();
  void zoomBy(double factor, QPointF around);
  double scale() const { return m_scale; }
  int cellAt(QPointF widgetPoint) const;
  QPointF toWidget(QPointF content) const { return content * m_scale + m_offset; }
  /// Whether cells, or else areas of one member, are named at the present scale.
  bool showsCellLabels() const;

  /// Draws the content, highlights included, into a rectangle of any device; used for export.
  void render(QPainter &painter, const QRectF &target) const;

Q_SIGNALS:
  /// The pointer, or a key, is on a cell; -1: on none.
  void cellHovered(int cell);
  /// A click, or Enter, on a cell; -1: beside all cells, or Escape.
  void cellPinned(int cell);

protected:
  void paintEvent(QPaintEvent *event) override;
  void changeEvent(QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void wheelEvent(QWheelEvent *event) override;
  void leaveEvent(QEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void focusInEvent(QFocusEvent *event) override;
  void focusOutEvent(QFocusEvent *event) override;

private:
  struct View {
    DiagramGrid grid;
    double scale = 1;
    QPointF offset;
    QRectF visible;

    QRectF rect(int row, int column, int rows, int columns) const;
  };
  View fitting(const QRectF &area) const;
  void hover(int cell);
  // DiagramKeys.cpp
  /// Where the key leads from the cell under the keys; nothing for other keys.
  std::optional<int> cellFor(const QKeyEvent &event) const;
  bool zoomFor(const QKeyEvent &event);
  void showCell(int cell);
  // DiagramPaint.cpp
  void draw(QPainter &painter, const View &view) const;
  void drawFar(QPainter &painter, const View &view) const;
  void drawNear(QPainter &painter, const View &view) const;
  void drawCellLabels(QPainter &painter, const View &view) const;
  void drawMembers(QPainter &painter, const View &view) const;
  void drawColumnLabels(QPainter &painter, const View &view) const;
  void drawRowLabels(QPainter &painter, const View &view) const;
  void drawBlockTitles(QPainter &painter, const View &view) const;
  void drawFocus(QPainter &painter) const;
  void drawHighlights(QPainter &painter, const View &view) const;
  CellRange visibleCells(const View &view) const;
  bool cellLabelsFit(const View &view) const;

  QString m_emptyText;
  DiagramContent m_content;
  QImage m_far;
  std::vector<int> m_highlighted;
  double m_scale = 10;
  QPointF m_offset;
  bool m_fitted = true;
  QPointF m_dragFrom;
  bool m_dragging = false;
  QPointF m_pressed;
  int m_hovered = -1;
  /// Where the keys are.
  int m_keyCell = 0;
};

} // namespace tilescope::views
