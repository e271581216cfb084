// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/PictureCanvas.h"

#include <functional>

namespace tilescope::views {

/// Draws the lines of memory that a request touches, one row for each: elements in the colors of
/// their lanes, named as soon as there is room and patterned elsewhere, and hatched what is fetched
/// and not used. W, I, T and P, with Shift backwards, ask for another request, S for another pass
/// through the banks.
class RequestCanvas : public PictureCanvas {
  Q_OBJECT
public:
  /// What a key asks for another of.
  enum class Scrub { Warp, Instruction, Iteration, Program, Pass };
  struct Content {
    compiler::access::RequestPicture request;
    /// Of each line, in front of it.
    std::function<QString(int64_t address)> lineName;
    /// The only pass that is shown in full; -1: all are.
    int pass = -1;
    /// What an element that is named after its lane belongs to, in the legend; empty: its lane.
    QString laneWord;
    /// Passes and their conflicts mean something.
    bool hasPasses = true;
  };

  explicit RequestCanvas(QWidget *parent = nullptr);

  void setContent(Content content);
  const Content &content() const { return m_content; }
  /// Where a place lies in the viewport.
  QRectF placeRect(int place) const;
  double rowHeight() const { return m_grid.rowHeight(); }
  /// Whether lines are named by their lanes as far as they are this wide.
  bool showsLaneOf(size_t run) const;

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
  struct Frame : PictureFrame {
    compiler::access::RequestGrid grid;

    compiler::Interval linesInSight() const {
      return grid.linesIn(above(), above() + body.height());
    }
  };
  Frame frameFor(const QRectF &area, double rowHeight) const;
  /// As it is scrolled.
  Frame inSight() const;
  double headHeight() const;
  double footHeight() const;
  double nameWidth(double width) const;
  // RequestPaint.cpp
  void draw(QPainter &painter, const Frame &frame) const;
  void drawLine(QPainter &painter, const Frame &frame, size_t line) const;
  void drawRun(QPainter &painter, const Frame &frame,
               const compiler::access::PictureRun &run) const;
  void drawName(QPainter &painter, const Frame &frame, size_t line) const;
  void drawHead(QPainter &painter, const Frame &frame) const;
  void drawBankWords(QPainter &painter, const Frame &frame) const;
  bool showsPasses() const;
  bool isInPass(const compiler::access::PictureRun &run) const;
  void drawFoot(QPainter &painter, const Frame &frame) const;
  void drawHighlight(QPainter &painter, const Frame &frame) const;
  QRectF rectOf(const Frame &frame, const compiler::GridRect &rect) const;

  Content m_content;
  double m_widestName = 0;
  compiler::access::RequestGrid m_grid;
};

} // namespace tilescope::views
