// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/access/arrays/PastEnd.h"
#include "views/programs/OverlayMaker.h"

#include <QImage>
#include <QWidget>

namespace tilescope::views {

/// An element of one of the arrays.
struct ArrayPlace {
  size_t array = 0;
  compiler::access::ArrayElement element;
  bool operator==(const ArrayPlace &) const = default;
};

/// Draws the arguments of a kernel as arrays, side by side, with what one program touches in one
/// iteration and in all: reads and writes in colors and patterns of their own, also what is masked
/// and what is past the end. Elements smaller than a pixel share one. ArrayKeys.cpp has the keys.
class ArrayCanvas : public QWidget {
  Q_OBJECT
public:
  /// What a key asks for another of.
  enum class Scrub { Program, X, Y, Z, Iteration, Slice, Wave };
  struct Content {
    /// Null: nothing is known.
    TouchedArraysPointer arrays;
    uint64_t program = 0;
    uint32_t step = 0;
    /// The slice in sight, by array.
    std::vector<int64_t> slices;
    /// Null: only the program is drawn.
    ArrayOverlayPointer overlay;
    /// What the cursor's line accesses, by array.
    std::vector<bool> isAtCursor;
  };

  explicit ArrayCanvas(QWidget *parent = nullptr);

  /// Shown in the middle while nothing is known.
  void setEmptyText(const QString &text);
  void setContent(Content content);
  const Content &content() const { return m_content; }
  /// The array that keys work in.
  size_t current() const { return m_current.array; }
  void setCurrent(size_t array);
  /// The only array that is drawn; nothing: all are.
  std::optional<size_t> enlarged() const { return m_enlarged; }
  const compiler::access::ArrayWindow &window(size_t array) const { return m_windows[array]; }
  /// What stands above the arrays, a line for each.
  QString captions() const;
  /// Where an element is drawn.
  QRectF rectOf(const ArrayPlace &place) const;

  /// Draws everything as large as `target`.
  void render(QPainter &painter, const QRectF &target) const;

Q_SIGNALS:
  /// The pointer, or a key, is on an element; nothing: on none.
  void placeHovered(const std::optional<tilescope::views::ArrayPlace> &place);
  /// A click, or Enter.
  void placeChosen(const tilescope::views::ArrayPlace &place);
  void scrubRequested(tilescope::views::ArrayCanvas::Scrub scrub, int by);
  void overlayRequested();
  void playRequested();

protected:
  bool event(QEvent *event) override;
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void wheelEvent(QWheelEvent *event) override;
  void focusInEvent(QFocusEvent *event) override;
  void focusOutEvent(QFocusEvent *event) override;

private:
  using Grids = std::vector<compiler::access::ArrayGrid>;
  Grids gridsFor(const QRectF &area) const;
  void layOut();
  bool isShown(size_t array) const { return !m_enlarged || *m_enlarged == array; }
  std::optional<ArrayPlace> placeAt(QPointF point) const;
  void hover(const std::optional<ArrayPlace> &place);
  void goTo(const ArrayPlace &place);
  void enlarge(bool isEnlarged);
  // ArrayKeys.cpp
  bool moveFor(const QKeyEvent &event);
  bool scrubFor(const QKeyEvent &event);
  bool viewFor(const QKeyEvent &event);
  void nextArray(int by);
  void zoomBy(size_t array, double factor, compiler::GridPoint about);
  // ArrayPaint.cpp
  void draw(QPainter &painter, const QRectF &area, const Grids &grids) const;
  void drawArray(QPainter &painter, size_t array, const compiler::access::ArrayGrid &grid) const;
  /// The two lines above an array: what it is, and what is touched of it.
  QString captionTitle(size_t array) const;
  QString captionText(size_t array) const;
  /// Lines of captions above arrays that share the width: three where what is touched needs two.
  int captionLines(const QRectF &area) const;
  void drawCaption(QPainter &painter, size_t array, const QRectF &rect, const QSizeF &room) const;
  void drawCounts(QPainter &painter, size_t array, const compiler::access::ArrayGrid &grid) const;
  void drawNumbers(QPainter &painter, size_t array, const compiler::access::ArrayGrid &grid) const;
  void drawTouched(QPainter &painter, size_t array, const compiler::access::ArrayGrid &grid,
                   const compiler::access::StepRange &steps, bool isNow) const;
  void drawOutside(QPainter &painter, size_t array, const compiler::access::ArrayGrid &grid) const;
  void drawFoot(QPainter &painter, const QRectF &area) const;
  void drawHighlight(QPainter &painter, const Grids &grids) const;
  const QImage &countsImage(size_t array, const compiler::access::ArrayGrid &grid) const;

  QString m_emptyText;
  Content m_content;
  std::vector<compiler::access::ArrayWindow> m_windows;
  /// By array, of all its programs.
  std::vector<compiler::access::PastEnd> m_past;
  /// The program touches something that is not there.
  bool m_reachesPastEnd = false;
  Grids m_grids;
  std::optional<size_t> m_enlarged;
  /// Where the keys are.
  ArrayPlace m_current;
  std::optional<ArrayPlace> m_hovered;
  /// Where a drag began, and what was in sight then.
  std::optional<std::pair<QPointF, compiler::access::ArrayWindow>> m_drag;

  /// The last pictures of counts, by array.
  struct CountsImage {
    ArrayOverlayPointer overlay;
    int64_t slice = 0;
    compiler::access::ArrayWindow window;
    QString theme;
    QImage image;
  };
  mutable std::vector<CountsImage> m_images;
};

/// Heights at the standard size of text: above arrays, below them.
double arrayCaptionHeight(int lines = 2);
double arrayFootHeight();

} // namespace tilescope::views
