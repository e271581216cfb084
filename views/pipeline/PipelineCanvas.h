// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/access/picture/PipelinePicture.h"
#include "views/common/PictureCanvas.h"
#include "views/pipeline/PipelineContent.h"

namespace tilescope::views {

/// Draws a loop: time to the right, a row for each slot and each kind of work, a bar for each event,
/// and arrows for what the chosen iteration, or the event that is pointed at, has to do with others.
/// Places are the numbers of events.
class PipelineCanvas : public PictureCanvas {
  Q_OBJECT
public:
  explicit PipelineCanvas(QWidget *parent = nullptr);

  /// A loop, and which of its iterations is in sight; null: nothing.
  void setLoop(LoopsPointer loops, int loop, int iteration);
  void setIteration(int iteration);
  /// The event that the cursor is at; -1: none.
  void setSelected(int event);
  int selected() const { return m_selected; }
  const compiler::access::PipelinePicture &picture() const { return m_picture; }
  /// Where an event's bar lies in the viewport; null: it is out of sight.
  QRectF eventRect(int event) const;
  /// What stands in front of a row.
  QString rowName(const compiler::access::PipelineRow &row) const;

  /// Draws the whole picture; as high as `heightFor` says.
  void render(QPainter &painter, const QRectF &target) const;
  double heightFor(double width) const;

Q_SIGNALS:
  /// The user goes to a later iteration, or an earlier one.
  void scrubRequested(int by);

protected:
  int numPlaces() const override;
  int placeAt(QPointF point) const override;
  int placeFrom(int place, compiler::access::Step step) const override;
  compiler::GridRect extentOf(int place) const override;
  void layOut() override;
  void paintPicture(QPainter &painter) const override;
  bool keyFor(const QKeyEvent &event) override;

private:
  /// Where everything lies on what it is drawn on.
  struct Frame {
    compiler::access::PipelinePicture picture;
    /// Of the picture's corner, without what is scrolled.
    QPointF origin;
    QRectF body, all;
  };
  Frame frameFor(const QRectF &area, double rowHeight) const;
  double nameWidth(double width) const;
  double footHeight() const;
  /// How much of a height rows take of which none is cut.
  double wholeRows(double room) const;
  /// By whole rows, wherever the scroll bar is.
  double scrolledBy() const;
  const compiler::LoopFacts &facts() const { return (*m_loops)[static_cast<size_t>(m_loop)]; }
  // PipelinePaint.cpp
  QRectF rectOf(const Frame &frame, const compiler::GridRect &rect) const;
  QColor colorOf(uint32_t event) const;
  void draw(QPainter &painter, const Frame &frame) const;
  void drawRow(QPainter &painter, const Frame &frame, size_t row) const;
  void drawBands(QPainter &painter, const Frame &frame) const;
  void drawItem(QPainter &painter, const Frame &frame, size_t item) const;
  void drawLabel(QPainter &painter, const Frame &frame, size_t item, const QRectF &box,
                 double plain) const;
  void drawBar(QPainter &painter, const QRectF &box, double ready, uint32_t event) const;
  void drawMarks(QPainter &painter, const Frame &frame) const;
  void drawArrows(QPainter &painter, const Frame &frame) const;
  void drawFoot(QPainter &painter, const Frame &frame) const;

  LoopsPointer m_loops;
  int m_loop = -1;
  int m_iteration = 0;
  int m_selected = -1;
  /// Of the legend.
  int m_numFootRows = 1;
  double m_widestName = 0;
  compiler::access::PipelinePicture m_picture;
};

} // namespace tilescope::views
