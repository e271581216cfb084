// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/access/picture/SharedMap.h"
#include "views/common/PictureCanvas.h"
#include "views/shared/SharedContent.h"

namespace tilescope::views {

/// Draws who has which bytes of shared memory during which lines of the kernel: bytes to the right,
/// the program downwards, a box for each buffer. Lines without anything to do with shared memory
/// are folded.
class MapCanvas : public PictureCanvas {
  Q_OBJECT
public:
  explicit MapCanvas(QWidget *parent = nullptr);

  /// Null empties it.
  void setContent(SharedContentPointer content);
  /// The buffer whose accesses are shown elsewhere; -1: none.
  void setSelected(int buffer);
  int selected() const { return m_selected; }
  /// Where a buffer's box lies in the viewport.
  QRectF boxRect(int buffer) const;
  /// What a row says in front of its boxes: line and code; empty for a folded one.
  QString rowName(const compiler::access::SharedRow &row) const;

  /// Draws the whole picture; as high as `heightFor` says.
  void render(QPainter &painter, const QRectF &target) const;
  double heightFor(double width) const;

protected:
  int numPlaces() const override;
  int placeAt(QPointF point) const override;
  int placeFrom(int place, compiler::access::Step step) const override;
  compiler::GridRect extentOf(int place) const override;
  void layOut() override;
  void paintPicture(QPainter &painter) const override;

private:
  struct Frame : PictureFrame {
    compiler::access::SharedMap map;

    compiler::Interval rowsInSight() const { return map.rowsIn(above(), above() + body.height()); }
  };
  /// Of an access.
  struct Mark {
    uint32_t buffer = 0;
    QPointF middle;
    bool isWrite = false;
  };
  Frame frameFor(const QRectF &area, double rowHeight) const;
  /// As it is scrolled.
  Frame inSight() const;
  double headHeight() const;
  double footHeight() const;
  double nameWidth(double width) const;
  const compiler::SharedFacts &facts() const { return m_content->facts; }
  // MapPaint.cpp
  QRectF rectOf(const Frame &frame, const compiler::GridRect &rect) const;
  QColor colorOf(size_t buffer) const;
  void draw(QPainter &painter, const Frame &frame) const;
  void drawHead(QPainter &painter, const Frame &frame) const;
  void drawFoot(QPainter &painter, const Frame &frame) const;
  void drawRow(QPainter &painter, const Frame &frame, size_t row) const;
  std::vector<Mark> marksIn(const Frame &frame) const;
  /// `taken`: where marks of accesses to the buffer lie.
  void drawBox(QPainter &painter, const Frame &frame, size_t buffer,
               const QList<QRectF> &taken) const;
  void drawSlots(QPainter &painter, const Frame &frame, size_t buffer,
                 const QList<QRectF> &taken) const;
  void drawLabel(QPainter &painter, const Frame &frame, size_t buffer,
                 const QList<QRectF> &taken) const;
  void drawAccesses(QPainter &painter, const std::vector<Mark> &marks) const;
  void drawMarks(QPainter &painter, const Frame &frame) const;

  SharedContentPointer m_content;
  double m_widestName = 0;
  compiler::access::SharedMap m_map;
  int m_selected = -1;
};

} // namespace tilescope::views
