// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QPolygonF>
#include <QRectF>

#include <map>
#include <vector>

namespace tilescope::views {

/// What was drawn over each stop of a presentation. Points are shares of the width and height, so
/// that a drawing follows a window that becomes larger.
///
/// For example, a point at (480, 540) of a screen of 1920 x 1080 is (0.25, 0.5).
class PresentInk {
public:
  /// The drawings of another stop are on show.
  void setStop(size_t stop) { m_stop = stop; }
  /// A line begins. Beyond 200 lines of a stop, the first gives way.
  void begin(QPointF point);
  /// The line goes on; points that nobody could tell apart are left out.
  void extend(QPointF point);
  /// Of the stop on show.
  void clear() { m_lines.erase(m_stop); }
  bool isEmpty() const { return !m_lines.contains(m_stop); }
  /// In a rectangle of that size.
  std::vector<QPolygonF> lines(QSizeF size) const;

private:
  std::map<size_t, std::vector<QPolygonF>> m_lines;
  size_t m_stop = 0;
};

/// The rectangle that a spotlight lights for a target: with a margin around it, within `area`. What
/// is so small in both directions that it would be overlooked grows about its middle; a line does not,
/// since its neighbors would be lit, too.
QRectF litArea(const QRectF &target, double margin, double least, const QRectF &area);

} // namespace tilescope::views
