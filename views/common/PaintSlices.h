// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QRegion>

#include <functional>
#include <vector>

class QWidget;

namespace tilescope::views {

/// Paints a widget of rows a few rows at a time, so that no event waits for a picture of all of it.
///
/// A new line moves everything below it, and a compile changes several columns at once: painting
/// that takes longer than a frame. What does not fit into the part of a frame that one event may
/// take for painting, all views together, is painted behind the events that have come meanwhile,
/// above all keys. Until then it looks as before. GUI thread.
class PaintSlices {
public:
  /// `widget` paints all of itself; it outlives this.
  explicit PaintSlices(QWidget *widget);

  /// Calls `paint` for whole rows, over the full width, that the region touches, those at the
  /// height `first` in front. Pictures that are taken of the widget, and what has a new size, are
  /// painted whole.
  void paint(const QRegion &region, int rowHeight, int first,
             const std::function<void(const QRect &)> &paint);
  /// For a picture that slices would tear: calls `paint` for all of the region in one rectangle.
  void paintAtOnce(const QRegion &region, const std::function<void(const QRect &)> &paint);

private:
  void paintParts(const std::vector<QRect> &parts, const std::function<void(const QRect &)> &paint);

  QWidget *m_widget;
  QRegion m_waiting;
  QSize m_paintedSize;
};

} // namespace tilescope::views
