// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/conversion/ArrowLines.h"

#include <QPointF>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilescope::views {

using compiler::ArrowShape;
using compiler::GridPoint;

/// How long a line is at most, so that it is drawn at once.
static constexpr double kMostPx = 30;
/// How far lines are from the curve at most.
static constexpr double kOffPx = 0.2;
/// How far lines reach into those before them, so that no seam is seen.
static constexpr double kOverlapPx = 0.7;

static QPointF point(const GridPoint &at) { return {at.x, at.y}; }

static QPointF pointOn(const ArrowShape &arrow, double t) {
  const double s = 1 - t;
  return point(arrow.start) * (s * s * s) + point(arrow.firstControl) * (3 * s * s * t) +
         point(arrow.secondControl) * (3 * s * t * t) + point(arrow.end) * (t * t * t);
}

static double lengthOf(const QPointF &way) { return std::hypot(way.x(), way.y()); }

static int numLines(const ArrowShape &arrow) {
  const QPointF to = point(arrow.firstControl) - point(arrow.start);
  const QPointF on = point(arrow.secondControl) - point(arrow.firstControl);
  const QPointF back = point(arrow.end) - point(arrow.secondControl);
  // No curve is longer than the way along its controls, and its bends are theirs (Wang's bound).
  const double length = lengthOf(to) + lengthOf(on) + lengthOf(back);
  const double bend = std::max(lengthOf(on - to), lengthOf(back - on));
  const double least = std::max(length / kMostPx, std::sqrt(0.75 * bend / kOffPx));
  return std::max(1, static_cast<int>(std::ceil(least)));
}

namespace {
/// Cuts a way into dashes.
class DashCutter {
public:
  DashCutter(const QPointF &start, const QList<qreal> &dashesPx)
      : m_at(start), m_dashes(dashesPx),
        m_left(dashesPx.isEmpty() ? std::numeric_limits<double>::infinity() : dashesPx.front()) {}

  void goTo(const QPointF &to) {
    const QLineF way(m_at, to);
    double rest = way.length();
    const QPointF unit = rest > 0 ? (to - m_at) / rest : QPointF();
    while (rest > m_left) {
      rest -= m_left;
      add(to - unit * rest, unit);
      m_part = (m_part + 1) % m_dashes.size();
      m_left = m_dashes[m_part];
      m_begins = true;
    }
    m_left -= rest;
    add(to, unit);
  }
  QList<QLineF> take() { return std::move(m_lines); }

private:
  void add(const QPointF &to, const QPointF &unit) {
    if (m_part % 2 == 0)
      m_lines << QLineF(m_begins ? m_at : m_at - unit * kOverlapPx, to);
    m_begins = false;
    m_at = to;
  }

  QPointF m_at;
  const QList<qreal> &m_dashes;
  /// Of the present dash or gap.
  double m_left;
  qsizetype m_part = 0;
  bool m_begins = true;
  QList<QLineF> m_lines;
};
} // namespace

QList<QLineF> arrowLines(const ArrowShape &arrow, const QList<qreal> &dashesPx) {
  DashCutter cutter(point(arrow.start), dashesPx);
  const int count = numLines(arrow);
  for (int i = 1; i <= count; ++i)
    cutter.goTo(pointOn(arrow, static_cast<double>(i) / count));
  return cutter.take();
}

} // namespace tilescope::views
