// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/TracePicture.h"
#include "views/common/PictureCanvas.h"
#include "views/trace/TraceContent.h"

namespace tilescope::views {

/// Draws when the warps of one program executed what: time to the right, a row for each warp, and
/// below it rows for what was under way. Places are the numbers of the picture's bars. Beyond the
/// keys of pictures: X and Shift+X show less and more of the time, about the bar that the keys are
/// on, A and D go back and ahead in it, and W shows all of it; with Shift, the wheel goes along the
/// time, and with Ctrl it zooms about the pointer.
class TraceCanvas : public PictureCanvas {
  Q_OBJECT
public:
  explicit TraceCanvas(QWidget *parent = nullptr);

  /// The whole time of a program; null: nothing.
  void setProgram(TraceContentPointer content, int64_t program);
  const profiler::TracePicture &picture() const { return m_picture; }
  const profiler::TraceWindow &window() const { return m_window; }
  const profiler::TraceWindow &whole() const { return m_whole; }
  void setWindow(const profiler::TraceWindow &window);
  void zoomTime(double factor, uint64_t about);
  void panTime(double share);
  void showWhole() { setWindow(m_whole); }
  /// Of the bar that is pointed at, else of the middle.
  uint64_t timeOfInterest() const;
  /// Scopes of this line, from 0, are marked; -1: none.
  void setMarkedLine(int64_t line);
  int64_t markedLine() const { return m_markedLine; }
  /// Where a bar lies in the viewport.
  QRectF barRect(int bar) const;

  /// Draws the whole picture; as high as `heightFor` says.
  void render(QPainter &painter, const QRectF &target) const;
  double heightFor(double width) const;

Q_SIGNALS:
  /// Another part of the time is in sight.
  void windowChanged();

protected:
  int numPlaces() const override;
  int placeAt(QPointF point) const override;
  int placeFrom(int place, compiler::access::Step step) const override;
  compiler::GridRect extentOf(int place) const override;
  void layOut() override;
  void paintPicture(QPainter &painter) const override;
  bool keyFor(const QKeyEvent &event) override;
  void wheelEvent(QWheelEvent *event) override;

private:
  PictureFrame frameFor(const QRectF &area) const;
  double nameWidth() const;
  double headHeight() const;
  double footHeight() const;
  profiler::TracePicture pictureFor(const QRectF &area, double rowHeight) const;
  // TracePaint.cpp
  void draw(QPainter &painter, const PictureFrame &frame,
            const profiler::TracePicture &picture) const;
  void drawHead(QPainter &painter, const PictureFrame &frame,
                const profiler::TracePicture &picture) const;
  void drawRows(QPainter &painter, const PictureFrame &frame,
                const profiler::TracePicture &picture) const;
  void drawBar(QPainter &painter, const PictureFrame &frame, const profiler::TracePicture &picture,
               size_t bar) const;
  void drawFoot(QPainter &painter, const PictureFrame &frame) const;
  QRectF rectOf(const PictureFrame &frame, const profiler::TracePicture &picture, size_t bar) const;

  TraceContentPointer m_content;
  int64_t m_program = 0;
  profiler::TraceWindow m_whole, m_window;
  int64_t m_markedLine = -1;
  profiler::TracePicture m_picture;
};

} // namespace tilescope::views
