// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/access/picture/RequestGrid.h"

#include <QAbstractScrollArea>

#include <optional>

namespace tilescope::views {

/// A picture that may be far larger than its view in both directions: it is moved by dragging, by the
/// wheel and by scroll bars, and zoomed about the pointer by the wheel with Ctrl, or by plus, minus
/// and 0, which shows it whole. Arrows, Home and End go from place to place, Enter or a double click
/// opens one, Escape lets go. What the places are, and how they look, a class below it says.
class PlaneCanvas : public QAbstractScrollArea {
  Q_OBJECT
public:
  explicit PlaneCanvas(QWidget *parent = nullptr);

  /// Shown in the middle while there is no place.
  void setEmptyText(const QString &text);
  /// The place with an outline; -1: none. It is brought into sight.
  void setChosen(int place);
  int chosen() const { return m_chosen; }
  int hovered() const { return m_hovered; }
  double zoom() const { return m_zoom; }
  void setZoom(double zoom);
  void showWhole() { setZoom(zoomRange().first); }
  /// A place, in the viewport.
  QRectF shownRect(int place) const;

Q_SIGNALS:
  /// The pointer is on a place; -1: on none.
  void placeHovered(int place);
  /// A click or a key chose a place; -1: none.
  void placeChosen(int place);
  /// The user goes to it.
  void placeOpened(int place);

protected:
  virtual int numPlaces() const = 0;
  /// The whole picture in pixels, as it is zoomed.
  virtual QSizeF pictureSize() const = 0;
  /// The zoom at which it is seen whole, and the largest one.
  virtual std::pair<double, double> zoomRange() const = 0;
  /// In the picture as it is zoomed.
  virtual QRectF rectOf(int place) const = 0;
  /// -1: there is none.
  virtual int placeAt(QPointF point) const = 0;
  virtual int placeFrom(int place, compiler::access::Step step) const = 0;
  /// The part of the picture that is in sight; the painter has the picture's corner as its origin.
  virtual void paintPicture(QPainter &painter, const QRectF &inSight) const = 0;

  /// There is another picture, or it has another size.
  void resetPicture();
  /// Where the picture's corner lies in the viewport; a picture with room to spare is in the middle.
  QPointF corner() const;
  /// In the room that a page has for the whole picture.
  void drawEmptyText(QPainter &painter, const QRectF &area) const;

  bool viewportEvent(QEvent *event) override;
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void wheelEvent(QWheelEvent *event) override;
  void focusInEvent(QFocusEvent *event) override;
  void focusOutEvent(QFocusEvent *event) override;

private:
  void layOut();
  void zoomAbout(double zoom, QPointF point);
  void bringIntoSight(int place);
  void hover(int place);
  void choose(int place);
  bool moveFor(const QKeyEvent &event);
  bool zoomFor(const QKeyEvent &event);

  QString m_emptyText;
  double m_zoom = 1;
  int m_chosen = -1;
  int m_hovered = -1;
  /// Where the mouse went down, and where the scroll bars were then.
  std::optional<QPointF> m_pressed;
  QPoint m_pressedAt;
  bool m_isDragging = false;
};

} // namespace tilescope::views
