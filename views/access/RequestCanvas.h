// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/access/picture/RequestGrid.h"

#include <QAbstractScrollArea>

#include <functional>

namespace tilescope::views {

/// Draws the lines of memory that a request touches, one row for each: elements in the colors of
/// their lanes, named as soon as there is room and patterned elsewhere, and hatched what is fetched
/// and not used. The arrow keys move over the elements, Home and End to the ends of a line (with
/// Ctrl of the picture), Enter pins an element, Escape lets go of it, plus, minus and 0 change the
/// height of lines. W, I, T and P, with Shift backwards, ask for another request.
class RequestCanvas : public QAbstractScrollArea {
  Q_OBJECT
public:
  /// What a key asks for another of.
  enum class Scrub { Warp, Instruction, Iteration, Program };
  struct Content {
    compiler::access::RequestPicture request;
    /// Of each line, in front of it.
    std::function<QString(int64_t address)> lineName;
  };

  explicit RequestCanvas(QWidget *parent = nullptr);

  /// Shown in the middle while there is no line.
  void setEmptyText(const QString &text);
  void setContent(Content content);
  const Content &content() const { return m_content; }
  /// The place with an outline; -1: none.
  void setHighlighted(int place);
  int highlighted() const { return m_highlighted; }
  /// Where a place lies in the viewport.
  QRectF placeRect(int place) const;
  double rowHeight() const { return m_grid.rowHeight(); }
  /// Whether lines are named by their lanes as far as they are this wide.
  bool showsLaneOf(size_t run) const;

  /// Draws the whole picture; as high as `heightFor` says.
  void render(QPainter &painter, const QRectF &target) const;
  double heightFor(double width) const;

Q_SIGNALS:
  /// The pointer, or a key, is on an element; -1: on none.
  void placeHovered(int place);
  /// A click, or Enter; -1: beside all elements, or Escape.
  void placePinned(int place);
  void scrubRequested(tilescope::views::RequestCanvas::Scrub scrub, int by);

protected:
  bool viewportEvent(QEvent *event) override;
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void wheelEvent(QWheelEvent *event) override;
  void focusInEvent(QFocusEvent *event) override;
  void focusOutEvent(QFocusEvent *event) override;

private:
  /// Where everything lies on what it is drawn on.
  struct Frame {
    compiler::access::RequestGrid grid;
    /// Of the first line, without what is scrolled.
    QPointF origin;
    /// Where lines are drawn, and what of the device there is.
    QRectF body, all;
  };
  Frame frameFor(const QRectF &area, double rowHeight) const;
  double headHeight() const;
  double footHeight() const;
  double nameWidth(double width) const;
  void layOut();
  void hover(int place);
  int placeAt(QPointF point) const;
  void showPlace(int place);
  bool moveFor(const QKeyEvent &event);
  bool scrubFor(const QKeyEvent &event);
  bool zoomFor(const QKeyEvent &event);
  void zoomBy(double factor);
  // RequestPaint.cpp
  static QFont labelFont();
  void draw(QPainter &painter, const Frame &frame) const;
  void drawLine(QPainter &painter, const Frame &frame, size_t line) const;
  void drawRun(QPainter &painter, const Frame &frame,
               const compiler::access::PictureRun &run) const;
  void drawName(QPainter &painter, const Frame &frame, size_t line) const;
  void drawHead(QPainter &painter, const Frame &frame) const;
  void drawFoot(QPainter &painter, const Frame &frame) const;
  void drawHighlight(QPainter &painter, const Frame &frame) const;
  QRectF rectOf(const Frame &frame, const compiler::GridRect &rect) const;

  QString m_emptyText;
  Content m_content;
  double m_widestName = 0;
  compiler::access::RequestGrid m_grid;
  /// Times the height that fits.
  double m_zoom = 1;
  int m_highlighted = -1;
  int m_hovered = -1;
  /// Where the keys are.
  int m_keyPlace = 0;
};

} // namespace tilescope::views
