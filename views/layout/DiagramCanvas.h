// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/picture/PictureColors.h"
#include "compiler/layout/picture/PictureGrid.h"
#include "views/common/PaintSlices.h"
#include "views/layout/LabelSpace.h"

#include <QImage>
#include <QRectF>
#include <QWidget>

#include <functional>
#include <optional>

namespace tilescope::views {

/// What a canvas shows. It stores nothing per cell, so it is as small for a large tensor as for a
/// small one; the canvas asks for the cells in sight.
struct DiagramContent {
  compiler::PictureGrid grid;
  /// The owner of each cell, e.g. a warp. Where cells are too small for their labels, tiles of one
  /// member are named by `memberLabel` if that fits, and hatched if members have patterns.
  compiler::CellMap members;
  /// Fill of the members' cells.
  compiler::MemberPalette palette;
  std::function<QString(uint64_t member)> memberLabel;
  bool isHatched = false;
  /// One or two lines for a cell, shown as soon as they fit.
  std::function<QString(int64_t cell)> label;
  /// Titles along the upper and the left edge, and of the grid's blocks.
  std::function<QString(int64_t column)> columnLabel;
  std::function<QString(int64_t row)> rowLabel;
  std::function<QString(int64_t block)> blockTitle;
  /// Where titles have not enough room.
  std::function<QString(int64_t block)> shortBlockTitle;
};

/// A grid of colored cells to pan, zoom and point at. Far away it is one image, near by cells with
/// text. Its cost depends only on its size in pixels, whatever the number of cells. The arrow keys
/// move over the cells, Home and End to the ends of a row (with Ctrl of the grid), Enter pins the
/// cell, Escape lets go of it, plus, minus and 0 zoom.
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
  void setHighlighted(std::vector<int64_t> cells);
  const std::vector<int64_t> &highlighted() const { return m_highlighted; }

  /// Shows everything.
  void fit();
  void zoomBy(double factor, QPointF around);
  double scale() const { return m_scale; }
  /// The number of the cell at a point of the widget, or -1.
  int64_t cellAt(QPointF widgetPoint) const;
  /// Where a cell lies in the widget.
  QRectF cellRect(int64_t cell) const;
  /// Where `render` draws it.
  QRectF cellRectIn(const QRectF &target, int64_t cell) const;
  QPointF toWidget(QPointF content) const { return content * m_scale + m_offset; }
  /// Whether cells, or else tiles of one member, are named at the present scale.
  bool showsCellLabels() const;

  /// Draws the content, highlights included, into a rectangle of any device; used for export.
  void render(QPainter &painter, const QRectF &target) const;
  /// Leaves room for the labels and for something that is labeled.
  QSize minimumSizeHint() const override;
  /// What `render` fills of a rectangle that wide and at most that high.
  double heightFor(double width, double most) const;

Q_SIGNALS:
  /// The pointer, or a key, is on a cell; -1: on none.
  void cellHovered(int64_t cell);
  /// A click, or Enter, on a cell; -1: beside all cells, or Escape.
  void cellPinned(int64_t cell);
  /// Cells lie elsewhere in the widget than before.
  void viewMoved();

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
  /// Where the grid lies on what it is drawn on.
  struct View {
    compiler::PictureGrid grid;
    double scale = 1;
    QPointF offset;
    QRectF visible;
    /// The part of it that has to be drawn.
    QRectF exposed;

    QRectF rect(compiler::Cell first, int64_t rows = 1, int64_t columns = 1) const;
    /// The cells that a part of what is visible shows.
    compiler::CellRange cellsIn(const QRectF &part) const;
  };
  View current() const { return {m_content.grid, m_scale, m_offset, rect(), rect()}; }
  View fitting(const QRectF &area) const;
  LabelSpace labelSpace() const;
  void updateHighlights();
  void hover(int64_t cell);
  // DiagramKeys.cpp
  /// Where the key leads from the cell under the keys; nothing for other keys.
  std::optional<int64_t> cellFor(const QKeyEvent &event) const;
  bool zoomFor(const QKeyEvent &event);
  void showCell(int64_t cell);
  // DiagramPaint.cpp
  void draw(QPainter &painter, const View &view) const;
  void drawFar(QPainter &painter, const View &view) const;
  void drawSamples(QPainter &painter, const View &view, const compiler::CellRange &part) const;
  void drawNear(QPainter &painter, const View &view) const;
  /// The cells as pixels of a rectangle of the widget, each as large as `inner` makes it.
  QImage nearImage(const View &view, const compiler::CellRange &range, const QRect &sight,
                   const std::function<QRect(const QRectF &)> &inner) const;
  /// Finds the widths that decide how many labels fit: too much work for every picture.
  void measureLabels();
  void drawGroupLines(QPainter &painter, const View &view) const;
  void drawCellLabels(QPainter &painter, const View &view) const;
  void drawColumnLabels(QPainter &painter, const View &view) const;
  void drawRowLabels(QPainter &painter, const View &view) const;
  void drawBlockTitles(QPainter &painter, const View &view) const;
  void drawFocus(QPainter &painter) const;
  void drawHighlights(QPainter &painter, const View &view) const;
  bool cellLabelsFit(const View &view) const;
  // DiagramTiles.cpp
  void drawTiles(QPainter &painter, const View &view) const;

  QString m_emptyText;
  DiagramContent m_content;
  /// What can be read on each color of the palette.
  std::vector<QColor> m_inks;
  /// In pixels.
  double m_widestColumnLabel = 0;
  double m_widestTitle = 0;
  std::vector<int64_t> m_highlighted;
  double m_scale = 10;
  QPointF m_offset;
  bool m_fitted = true;
  QPointF m_dragFrom;
  bool m_dragging = false;
  QPointF m_pressed;
  int64_t m_hovered = -1;
  /// Where the keys are.
  int64_t m_keyCell = 0;
  PaintSlices m_slices{this};
};

} // namespace tilescope::views
