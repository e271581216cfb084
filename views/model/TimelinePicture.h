// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// When the kernels of a model ran: time to the right, and kernels that ran beside each other in lanes of their own.
//
//     lane 0  [ conv ][ add ]   [ softmax ]
//     lane 1          [ mul    ]
#pragma once

#include <cstddef>
#include <vector>

namespace tilescope::views {

/// A kernel in one run.
struct TimelineSpan {
  /// Its position in the plan.
  int kernel = 0;
  /// In microseconds, from the begin of the first one.
  double startUs = 0, us = 0;
  bool operator==(const TimelineSpan &) const = default;
};

class TimelinePicture {
public:
  TimelinePicture() = default;
  explicit TimelinePicture(std::vector<TimelineSpan> spans);

  /// By their begin.
  const std::vector<TimelineSpan> &spans() const { return m_spans; }
  /// Of a span, from 0.
  int lane(size_t span) const { return m_lanes[span]; }
  int numLanes() const { return m_numLanes; }
  /// To the end of the last one.
  double endUs() const { return m_endUs; }
  /// The time in which at least one kernel ran.
  double busyUs() const { return m_busyUs; }
  /// The span at a time in a lane; -1: none is there.
  int spanAt(double us, int lane) const;
  /// The one before or behind it in time.
  int beside(int span, int by) const;
  /// The one in the lane above or below that is nearest in time; itself where there is none.
  int acrossLanes(int span, int by) const;
  /// Of a kernel; -1: it did not run.
  int spanOf(int kernel) const;

private:
  std::vector<TimelineSpan> m_spans;
  std::vector<int> m_lanes;
  int m_numLanes = 0;
  double m_endUs = 0, m_busyUs = 0;
};

} // namespace tilescope::views
