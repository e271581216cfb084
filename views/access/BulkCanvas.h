// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/access/picture/BulkPicture.h"
#include "views/common/RequestCanvas.h"

namespace tilescope::views {

/// Draws what one execution of a bulk copy moves: above, the block in its tensor; below, a row for
/// each row of the block, in chunks of 16 bytes with the color of the banks of shared memory where
/// each goes, and with the edges of memory's sectors. Hatched is what is outside of the tensor. T
/// and P, with Shift backwards, ask for another execution or program.
class BulkCanvas : public PictureCanvas {
  Q_OBJECT
public:
  explicit BulkCanvas(QWidget *parent = nullptr);

  void setContent(const compiler::access::BulkPicture &picture);
  const compiler::access::BulkPicture &picture() const { return m_picture; }
  /// Chunks are places, counted row by row.
  compiler::access::BulkChunk chunk(int place) const;
  /// Where a place lies in the viewport.
  QRectF placeRect(int place) const;

  /// Draws the whole picture; as high as `heightFor` says.
  void render(QPainter &painter, const QRectF &target) const;
  double heightFor(double width) const;

Q_SIGNALS:
  void scrubRequested(tilescope::views::RequestCanvas::Scrub scrub, int by);

protected:
  int numPlaces() const override;
  int placeAt(QPointF point) const override;
  int placeFrom(int place, compiler::access::Step step) const override;
  compiler::GridRect extentOf(int place) const override;
  void layOut() override;
  void paintPicture(QPainter &painter) const override;
  bool keyFor(const QKeyEvent &event) override;

private:
  static constexpr double kMarginPx = 8;
  struct Frame : PictureFrame {
    compiler::access::BulkGrid grid;
    /// Of the overview above the rows; 0: there is no room for it.
    double overview = 0;
  };
  Frame frameFor(const QRectF &area, double rowHeight) const;
  /// As it is scrolled.
  Frame inSight() const;
  double overviewHeight(const QRectF &area) const;
  double headHeight(const QRectF &area) const;
  double footHeight() const;
  compiler::Interval rowsIn(const Frame &frame) const;
  void draw(QPainter &painter, const Frame &frame) const;
  void drawOverview(QPainter &painter, const Frame &frame) const;
  void drawRow(QPainter &painter, const Frame &frame, int64_t row) const;
  void drawChunk(QPainter &painter, const QRectF &rect,
                 const compiler::access::BulkChunk &chunk) const;
  void drawHead(QPainter &painter, const Frame &frame) const;
  void drawFoot(QPainter &painter, const Frame &frame) const;

  compiler::access::BulkPicture m_picture;
  double m_widestName = 0;
  compiler::access::BulkGrid m_grid;
};

} // namespace tilescope::views
