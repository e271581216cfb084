// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/access/picture/RequestGrid.h"
#include "views/common/PictureParts.h"

#include <QAbstractScrollArea>

#include <algorithm>
#include <functional>

namespace tilescope::views {

/// Where the rows of a picture lie on what it is drawn on: a head above them, a foot below, a name in
/// front of each.
struct PictureFrame {
  QRectF all, body;
  /// The part of the body in which rows are drawn.
  QRectF rows;
  /// Of the first row, behind its name, without what is scrolled.
  QPointF origin;

  PictureFrame(const QRectF &area, double nameWidth, double headHeight, double footHeight)
      : all(area), body(area.adjusted(0, headHeight, 0, -footHeight)), rows(body),
        origin(body.topLeft() + QPointF(nameWidth, 0)) {}
  /// As far as rows reach to the right of their names.
  double rowWidth(double margin) const { return std::max(32.0, all.right() - origin.x() - margin); }
  /// How much of the rows is above those in sight.
  double above() const { return body.top() - origin.y(); }
  /// Leaves out the first and the last of the rows in sight where the body would cut them. `rowAt`
  /// says where in the picture a row lies.
  void keepWhole(const compiler::Interval &inSight,
                 const std::function<compiler::GridRect(size_t row)> &rowAt);
};

/// A picture that scrolls downwards, in which places are pointed at and pinned, by mouse and by
/// keys: arrows, Home and End go from place to place, Enter pins, Escape lets go; plus, minus and 0
/// change the height of rows. What the places are, and how they look, a class below it says.
class PictureCanvas : public QAbstractScrollArea {
  Q_OBJECT
public:
  explicit PictureCanvas(QWidget *parent = nullptr);

  /// Shown in the middle while there is no place.
  void setEmptyText(const QString &text);
  /// The place with an outline; -1: none.
  void setHighlighted(int place);
  int highlighted() const { return m_highlighted; }
  /// The keys go on from this place; while they are on one, they move there.
  void setKeyPlace(int place);
  /// The keys are on the place with the outline, not only the pointer.
  bool hasKeyPlace() const { return m_highlighted >= 0 && m_highlighted == m_keyPlace; }

Q_SIGNALS:
  /// The pointer, or a key, is on a place; -1: on none.
  void placeHovered(int place);
  /// A click, or Enter; -1: beside all places, or Escape.
  void placePinned(int place);

protected:
  virtual int numPlaces() const = 0;
  /// At a point of the viewport; -1: there is none.
  virtual int placeAt(QPointF point) const = 0;
  virtual int placeFrom(int place, compiler::access::Step step) const = 0;
  /// From where to where a place lies in the whole picture.
  virtual compiler::GridRect extentOf(int place) const = 0;
  /// The size, the text or the zoom has changed.
  virtual void layOut() = 0;
  virtual void paintPicture(QPainter &painter) const = 0;
  /// Keys of its own; true when it was one.
  virtual bool keyFor(const QKeyEvent &) { return false; }

  /// There are other places.
  void resetPlaces();
  /// The picture has this height, of which so much is in sight.
  void setHeights(double whole, double inSight, double step);
  /// Times the height that fits.
  double zoom() const { return m_zoom; }
  /// Moves rows as far as they are scrolled.
  void scroll(PictureFrame &frame) const;
  /// Where in the rows a point of the viewport is, whether they are in sight there or not.
  QPointF pointInRows(const PictureFrame &frame, QPointF point) const;
  /// Until the painter is restored, only rows are drawn, in the font of labels.
  static void clipToRows(QPainter &painter, const PictureFrame &frame);
  void drawEmptyText(QPainter &painter, const QRectF &area) const;
  void drawOutline(QPainter &painter, const QRectF &rect) const;

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
  void hover(int place);
  void showPlace(int place);
  bool moveFor(const QKeyEvent &event);
  bool zoomFor(const QKeyEvent &event);
  void zoomBy(double factor);

  QString m_emptyText;
  double m_zoom = 1;
  int m_highlighted = -1;
  int m_hovered = -1;
  /// Where the keys are.
  int m_keyPlace = 0;
};

} // namespace tilescope::views
