// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/SweepPictures.h"
#include "views/common/PictureCanvas.h"

namespace tilescope::views {

/// One picture of a sweep, as large as there is room: each of its points can be pointed at and pinned.
class SweepCanvas : public PictureCanvas {
  Q_OBJECT
public:
  explicit SweepCanvas(QWidget *parent = nullptr);

  void setPicture(profiler::SweepPicture picture);
  const profiler::SweepPicture &picture() const { return m_picture; }
  /// The mark of a point of the sweep; -1: the picture does not have it.
  int markOf(size_t point) const;
  /// A mark, in the viewport.
  QRectF markRect(int mark) const;

  /// All of it on a page of this width.
  double heightFor(double width) const;
  void render(QPainter &painter, const QRectF &target) const;

protected:
  int numPlaces() const override { return static_cast<int>(m_picture.marks.size()); }
  int placeAt(QPointF point) const override;
  int placeFrom(int place, compiler::access::Step step) const override;
  compiler::GridRect extentOf(int place) const override;
  void layOut() override;
  void paintPicture(QPainter &painter) const override;

private:
  /// Pixels of the viewport for one of the picture, and where the picture begins.
  double scale() const;
  QPointF origin() const;

  profiler::SweepPicture m_picture;
};

} // namespace tilescope::views
